"""Packages that the game does without."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from engine.errors import EngineError


def package(name: str, extra: str) -> Any:
    """A module of an extra of pyproject.toml; EngineError `extra.missing` where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise EngineError("extra.missing", package=name.split(".")[0], extra=extra) from error
