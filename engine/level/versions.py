"""The version of the level interface, and how levels of older versions go on working."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import EngineError

INTERFACE = 1
"""Counts up whenever a level that was right would no longer be."""
OLDEST = 1
"""The oldest version that is still understood."""

UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""Version -> what makes a level's data of that version data of the next one. One for each from `OLDEST` on."""
GONE: dict[str, str] = {}
"""A field that there once was -> what to write instead, for whoever still declares it."""


def upgraded(data: dict[str, Any]) -> dict[str, Any]:
    """A level's data as the present version has it; EngineError `level.interface_*` when that cannot be."""
    version = data.get("interface", INTERFACE)
    check_interface(version)
    while version < INTERFACE:
        data = {**UPGRADES[version](data), "interface": version + 1}
        version += 1
    return data


def check_interface(version: Any) -> None:
    """EngineError `level.interface_*` unless a version is one that is understood."""
    if type(version) is not int or version < OLDEST:
        raise EngineError("level.interface_old", version=str(version)[:20], oldest=OLDEST, known=INTERFACE)
    if version > INTERFACE:
        raise EngineError("level.interface_new", version=str(version)[:20], known=INTERFACE)
