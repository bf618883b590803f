"""Which level a file belongs to: one of the game's own by its id, any other one by its data, which lies in the file.

A file never names a script: what comes from outside must not decide what code runs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

import msgpack

from engine.errors import EngineError
from engine.level.check import check_level
from engine.level.data import level_from_data, level_to_data
from engine.level.spec import Level

Levels = Callable[[str], Level]
_ID = re.compile(r"[a-z0-9_]{1,60}")


def own_level(levels: Levels, id: str) -> Level | None:
    """The level of that id that comes with the game."""
    if not _ID.fullmatch(id):
        return None
    try:
        level = levels(id)
    except EngineError:
        return None
    return level if level.id == id else None


def level_hash(data: dict[str, Any]) -> str:
    """Equal for equal levels; of their data."""
    packed = msgpack.packb(_sorted(data), use_bin_type=True)
    return hashlib.blake2b(packed, digest_size=16).hexdigest()


def level_of(levels: Levels, id: str, data: dict[str, Any] | None) -> Level:
    """The level of a file; EngineError when it is not to be had, or cannot be.

    No data takes the name of a level of the game's own: its stars are reached in that one.
    """
    found = own_level(levels, id)
    if found is None and data is not None:
        level = level_from_data(data)
        problems = check_level(level)
        if problems:
            raise EngineError(problems[0].code, **problems[0].params)
        if level.id == id:
            return level
    if found is None:
        raise EngineError("save.level", level=id)
    return found


def is_own(levels: Levels, level: Level) -> bool:
    """Whether it comes with the game, so that its id says all."""
    found = own_level(levels, level.id)
    return found is not None and level_to_data(found) == level_to_data(level)


def _sorted(data: Any) -> Any:
    """In one order, and 30.0 as 30: a script may say either."""
    if isinstance(data, dict):
        return {key: _sorted(data[key]) for key in sorted(data)}
    if isinstance(data, list | tuple):
        return [_sorted(item) for item in data]
    return int(data) if isinstance(data, float) and data.is_integer() else data
