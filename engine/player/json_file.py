"""A file of the player's, as versioned JSON: written whole or not at all, never overwritten unread, and with what was
in it before its last change beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from attrs import define, field

from engine.errors import EngineError
from engine.floor.layout import strict_converter
from engine.player.whole_file import locked, previous, write_whole

MAX_BYTES = 5_000_000
MOST_BROKEN = 100
"""Broken files that are kept aside at most; the last is overwritten then."""
_CONVERTER = strict_converter()
_T = TypeVar("_T")


class Broken(Exception):
    """It cannot be understood."""


@define
class JsonFile:
    """One file; its content is a map with a `version`."""

    folder: Path
    name: str
    version: int
    most_bytes: int = MAX_BYTES
    """Larger files are none of the game's."""
    notes: list[tuple[str, dict[str, Any]]] = field(factory=list)
    """What the player should know about the file."""
    locked: bool = False
    """Whether it must not be written: it belongs to a newer version of the game, or it cannot be read."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder / f"{self.name}.json"

    def read(self, understand: Callable[[dict[str, Any]], _T]) -> _T | None:
        """What `understand` (which raises for what it does not understand) makes of it; None where there is nothing.

        A broken file is kept aside, and what was there before its last change is taken; a file of a newer version is
        left alone. All this is noted. The folder is locked.
        """
        self.locked = False
        try:
            data = self._content(self.path)
        except OSError as error:
            self.locked = True
            self.notes.append(("player.unreadable", {"file": self.path.name, "detail": error.strerror or ""}))
            return None
        except Broken:
            return self._put_aside(understand)
        if data is None:
            return self._previous(understand)
        if data["version"] > self.version:
            self.locked = True
            params = {"file": self.path.name, "version": data["version"], "known": self.version}
            self.notes.append(("player.newer", params))
            return None
        try:
            return understand(data)
        except Exception:  # cattrs raises what its hooks raise
            return self._put_aside(understand)

    def write(self, data: dict[str, Any]) -> None:
        """Write it; EngineError `player.not_saved` when the disk is full or may not be written, and the file is as it
        was. The folder is locked, and the file has been read just before.
        """
        if self.locked:
            raise EngineError("player.locked", file=self.path.name)
        content = json.dumps({"version": self.version, **data}, indent=1, ensure_ascii=False).encode()
        if len(content) > self.most_bytes:
            raise EngineError("player.too_large", file=self.path.name, most=self.most_bytes)
        write_whole(self.path, content, keep_previous=True)

    def _content(self, path: Path) -> dict[str, Any] | None:
        if not path.exists():
            return None
        with path.open("rb") as file:
            content = file.read(self.most_bytes + 1)
        if len(content) > self.most_bytes:
            raise Broken
        try:
            data = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise Broken from error
        if not isinstance(data, dict) or type(data.get("version")) is not int or data["version"] < 1:
            raise Broken
        return data

    def _put_aside(self, understand: Callable[[dict[str, Any]], _T]) -> _T | None:
        number = 1
        while number < MOST_BROKEN and self._aside(number).exists():
            number += 1
        kept = self._aside(number)
        try:
            self.path.replace(kept)
        except OSError as error:
            self.locked = True
            self.notes.append(("player.unreadable", {"file": self.path.name, "detail": error.strerror or ""}))
            return None
        self.notes.append(("player.broken", {"file": self.path.name, "kept": kept.name}))
        return self._previous(understand)

    def _previous(self, understand: Callable[[dict[str, Any]], _T]) -> _T | None:
        """What was there before the last change, where it can be understood."""
        try:
            data = self._content(previous(self.path))
            if data is None or data["version"] > self.version:
                return None
            found = understand(data)
        except Exception:  # neither that one
            return None
        self.notes.append(("player.previous", {"file": self.path.name}))
        return found

    def _aside(self, number: int) -> Path:
        return self.folder / f"{self.name}.broken-{number}.json"


@define
class ListFile(Generic[_T]):
    """A file with a list of things of one kind, under its own name."""

    file: JsonFile
    kind: type[_T]
    most: int
    """Things that are kept; the oldest go first."""

    def read(self) -> list[_T]:
        """What is in it; [] where there is none."""
        with locked(self.file.folder, self.file.path.name, to_write=False):
            return self.file.read(self._understand) or []

    def change(self, change: Callable[[list[_T]], list[_T]]) -> list[_T]:
        """Read it again, since another game may have written it, and write what `change` makes of that; what is in it
        then.
        """
        with locked(self.file.folder, self.file.path.name):
            things = self.file.read(self._understand) or []
            changed = change(things)[-self.most :]
            if changed != things:
                self.file.write({self.file.name: [_CONVERTER.unstructure(thing) for thing in changed]})
        return changed

    def _understand(self, data: dict[str, Any]) -> list[_T]:
        things = data.get(self.file.name)
        if data["version"] != self.file.version or not isinstance(things, list) or len(things) > self.most:
            raise Broken
        return [_CONVERTER.structure(thing, self.kind) for thing in things]
