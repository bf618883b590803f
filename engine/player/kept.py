"""What the view keeps: its settings and its blueprints. To the engine they are plain data and no more."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from attrs import define, field

from engine.errors import EngineError
from engine.player.json_file import Broken, JsonFile
from engine.player.whole_file import locked

MAX_DEPTH = 8
MAX_VALUES = 20_000
_LARGEST = {"settings": 100_000, "blueprints": 21_000_000, "sandbox": 100_000}
"""Bytes of a file."""


@define
class Kept:
    """One file of the view's."""

    folder: Path
    name: str
    _known: Any = None
    """What this game has read or written last."""
    _file: JsonFile = field(init=False)

    def __attrs_post_init__(self) -> None:
        if self.name not in _LARGEST:
            raise EngineError("kept.name", known=", ".join(_LARGEST))
        self._file = JsonFile(self.folder, self.name, version=1, most_bytes=_LARGEST[self.name])

    def read(self) -> dict[str, Any] | None:
        """What is there; None for nothing."""
        with locked(self.folder, self._file.path.name, to_write=False):
            self._known = self._file.read(_understood)
        known: dict[str, Any] | None = self._known
        return known

    def take_notes(self) -> list[tuple[str, dict[str, Any]]]:
        """What the player should know about the file: code and parameters."""
        notes, self._file.notes = self._file.notes, []
        return notes

    def write(self, data: Any) -> tuple[dict[str, Any], bool]:
        """Keep `data`, together with what another game has changed since this one read it; what is there then, and
        whether there was something of another game.
        """
        checked(data)
        if not isinstance(data, dict) or data.get("version") != 1 or type(data["version"]) is not int:
            raise EngineError("kept.data", detail="expected a map of version 1")
        with locked(self.folder, self._file.path.name):
            theirs = self._file.read(_understood)
            merged = data if theirs is None else merge(self._known, data, theirs)
            if merged != theirs:
                self._file.write(merged)
        self._known = merged
        return merged, merged != data


def checked(data: Any) -> None:
    """EngineError unless it is plain data of a bearable size and depth: maps with texts as keys, lists, texts, finite
    numbers, bools and nil.
    """
    values = 0
    layer = [data]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        values += len(layer)
        for value in layer:
            if isinstance(value, dict):
                if not all(isinstance(key, str) for key in value):
                    raise EngineError("kept.data", detail="a key is no text")
                inner += value.values()
            elif isinstance(value, list):
                inner += value
            elif not _is_plain(value):
                raise EngineError("kept.data", detail=f"a {type(value).__name__} is no plain data")
        if values + len(inner) > MAX_VALUES:
            raise EngineError("kept.data", detail=f"more than {MAX_VALUES} values")
        if not inner:
            return
        layer = inner
    raise EngineError("kept.data", detail=f"deeper than {MAX_DEPTH}")


def merge(base: Any, mine: Any, theirs: Any) -> Any:
    """`mine` with what changed from `base` to `theirs`; where both changed the same, mine counts.

    Of maps value by value; of lists what was added is added, and what was removed is removed.
    """
    if mine == theirs or theirs == base:
        return mine
    if mine == base:
        return theirs
    if isinstance(mine, dict) and isinstance(theirs, dict):
        old = base if isinstance(base, dict) else {}
        merged = {}
        for key in [*mine, *(key for key in theirs if key not in mine)]:
            if key not in theirs:
                if key not in old or mine[key] != old[key]:  # mine is new, or changed where theirs was removed
                    merged[key] = mine[key]
            elif key not in mine:
                if key not in old or theirs[key] != old[key]:
                    merged[key] = theirs[key]
            else:
                merged[key] = merge(old.get(key), mine[key], theirs[key])
        return merged
    if isinstance(mine, list) and isinstance(theirs, list):
        old_items = base if isinstance(base, list) else []
        kept = [item for item in mine if item in theirs or item not in old_items]
        return kept + [item for item in theirs if item not in mine and item not in old_items]
    return mine


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in value)  # they cannot be written
    if type(value) is int:
        return abs(value) < 2**63
    return value is None or type(value) is bool or (type(value) is float and math.isfinite(value))


def _understood(data: dict[str, Any]) -> dict[str, Any]:
    try:
        checked(data)
    except EngineError as error:
        raise Broken from error
    return data
