"""A file of the player's, as versioned JSON: written whole or not at all, and never overwritten unread."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, field

from engine.errors import EngineError
from engine.floor.layout import strict_converter

MAX_BYTES = 5_000_000
MOST_BROKEN = 100
"""Broken files that are kept aside at most; the last is overwritten then."""
_CONVERTER = strict_converter()
_T = TypeVar("_T")


@define
class JsonFile:
    """One file with a list of things of one kind, under the key `name`."""

    folder: Path
    name: str
    version: int
    most: int
    """Things that are kept; the oldest go first."""
    notes: list[tuple[str, dict[str, Any]]] = field(factory=list)
    """What the player should know about the file."""
    locked: bool = False
    """Whether it must not be written: it belongs to a newer version of the game, or it cannot be read."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder / f"{self.name}.json"

    def load(self, kind: type[_T]) -> list[_T]:
        """What is in it; [] where there is none. A broken file is kept aside, one of a newer version left alone; both
        are noted.
        """
        try:
            if not self.path.exists():
                return []
            if self.path.stat().st_size > MAX_BYTES:
                return self._put_aside()
            data = json.loads(self.path.read_bytes())
        except OSError as error:
            self.locked = True
            self.notes.append(("player.unreadable", {"file": self.path.name, "detail": error.strerror or ""}))
            return []
        except (ValueError, RecursionError):
            return self._put_aside()
        if not isinstance(data, dict) or type(data.get("version")) is not int:
            return self._put_aside()
        if data["version"] > self.version:
            self.locked = True
            params = {"file": self.path.name, "version": data["version"], "known": self.version}
            self.notes.append(("player.newer", params))
            return []
        things = data.get(self.name)
        if data["version"] != self.version or not isinstance(things, list) or len(things) > self.most:
            return self._put_aside()
        try:
            return [_CONVERTER.structure(thing, kind) for thing in things]
        except Exception:  # cattrs raises what its hooks raise
            return self._put_aside()

    def save(self, things: list[Any]) -> None:
        """Write the newest `most` of them; EngineError `player.not_saved` when the disk is full or may not be written,
        and the file is as it was.
        """
        if self.locked:
            raise EngineError("player.locked", file=self.path.name)
        data = {"version": self.version, self.name: [_CONVERTER.unstructure(thing) for thing in things[-self.most :]]}
        write_whole(self.path, json.dumps(data, indent=1, ensure_ascii=False).encode())

    def _put_aside(self) -> list[Any]:
        number = 1
        while number < MOST_BROKEN and self._aside(number).exists():
            number += 1
        kept = self._aside(number)
        try:
            self.path.replace(kept)
        except OSError as error:
            self.locked = True
            self.notes.append(("player.unreadable", {"file": self.path.name, "detail": error.strerror or ""}))
        else:
            self.notes.append(("player.broken", {"file": self.path.name, "kept": kept.name}))
        return []

    def _aside(self, number: int) -> Path:
        return self.folder / f"{self.name}.broken-{number}.json"


def write_whole(path: Path, content: bytes) -> None:
    """Write to a temporary file beside it and rename: whatever happens, the old file or the new one is there."""
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise EngineError("player.not_saved", file=path.name, detail=error.strerror or "") from error
