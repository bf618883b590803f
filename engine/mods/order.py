"""In which order mods load, and which cannot: by what they need, then by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.level.versions import INTERFACE
from engine.mods.mod import Mod
from engine.mods.ranges import within
from engine.mods.states import INCOMPATIBLE, MISSING
from engine.version import VERSION

Reason = tuple[str, str, dict[str, Any]]
"""A state, a code and its parameters."""


def incompatible(mod: Mod) -> Reason | None:
    """Why a mod is not for this game; None if it is."""
    for code, wanted, version in (("mod.game", mod.game, VERSION), ("mod.interface", mod.interface, str(INTERFACE))):
        if not within(version, wanted):
            return INCOMPATIBLE, code, {"range": wanted, "version": version}
    return None


def order(mods: Mapping[str, Mod], others: Mapping[str, Mod]) -> tuple[list[str], dict[str, Reason]]:
    """The order of the mods that can load, and why others of `mods` cannot. `others` are there but do not load."""
    left, reasons = dict(sorted(mods.items())), dict[str, Reason]()
    done: list[str] = []
    while left:
        blocked = {id: reason for id, mod in left.items() if (reason := _missing(mod, mods, others, reasons))}
        if blocked:
            reasons |= blocked
            left = {id: mod for id, mod in left.items() if id not in blocked}
            continue
        ready = next((id for id, mod in left.items() if all(needed in done for needed in mod.needs)), None)
        if ready is None:
            circle = ", ".join(_circle(left))
            inside = circle.split(", ")
            reasons |= {id: (MISSING, "mod.cycle", {"ids": circle}) for id in inside}
            left = {id: mod for id, mod in left.items() if id not in inside}
            continue
        done.append(ready)
        del left[ready]
    return done, reasons


def _missing(
    mod: Mod, mods: Mapping[str, Mod], others: Mapping[str, Mod], reasons: Mapping[str, Reason]
) -> Reason | None:
    for id, wanted in sorted(mod.needs.items()):
        needed = mods.get(id) or others.get(id)
        if needed is None:
            return MISSING, "mod.needs_missing", {"id": id, "range": wanted}
        if not within(needed.version, wanted):
            return MISSING, "mod.needs_version", {"id": id, "range": wanted, "version": needed.version}
        if id not in mods or id in reasons:
            return MISSING, "mod.needs_state", {"id": id}
    return None


def _circle(left: Mapping[str, Mod]) -> list[str]:
    """A circle among mods of which each needs another one."""
    way = [min(left)]
    while True:
        after = min(id for id in left[way[-1]].needs if id in left)
        if after in way:
            return way[way.index(after) :]
        way.append(after)
