"""What the player decided about mods, and which were at work when a game ended without saying goodbye. Both are kept in
the player's folder.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from filelock import FileLock, Timeout

from engine.mods.mod import is_id
from engine.player.json_file import JsonFile, ListFile

ENABLED, DISABLED, MISSING, INCOMPATIBLE = "enabled", "disabled", "missing", "incompatible"
FAILED, LOADING, ASKING = "failed", "loading", "asking"
VERSION, MOST = 1, 500
_MAX_BYTES = 65_536


@frozen
class Choice:
    """What was decided about a mod."""

    id: str
    disabled: bool = False
    crashed: bool = False
    """Whether it was turned off because a game ended while it was at work."""
    allowed: str = ""
    """The hash of what the player let run although this system cannot hold it back from everything."""


class Choices:
    """What was decided, by id; each change is written at once."""

    def __init__(self, folder: Path) -> None:
        self._file = ListFile(JsonFile(folder, "mods", VERSION), Choice, MOST)
        self._kept = {choice.id: choice for choice in self._file.read()}

    @property
    def notes(self) -> list[tuple[str, dict[str, Any]]]:
        """What the player should know about the file: code and parameters."""
        return self._file.file.notes

    def of(self, id: str) -> Choice:
        """What was decided about a mod."""
        return self._kept.get(id, Choice(id))

    def enable(self, id: str) -> None:
        """Turn a mod on."""
        self._change(id, disabled=False, crashed=False)

    def disable(self, id: str, crashed: bool = False) -> None:
        """Turn a mod off."""
        self._change(id, disabled=True, crashed=crashed)

    def allow(self, id: str, digest: str) -> None:
        """Let this very content run."""
        self._change(id, allowed=digest)

    def _change(self, id: str, **changes: Any) -> None:
        def changed(choices: list[Choice]) -> list[Choice]:
            kept = {choice.id: choice for choice in choices}
            kept[id] = evolve(kept.get(id, Choice(id)), **changes)
            return list(kept.values())

        self._kept = {choice.id: choice for choice in self._file.change(changed)}


class AtWork:
    """A marker file that is there while mods load or a level of theirs is open. Its lock lives as long as the game: a
    marker that nobody holds is of a game that died, one that is held is of another game that runs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f"{secrets.token_hex(8)}.json"
        self._lock = FileLock(self._path.with_suffix(".lock"))
        self._ids: set[str] = set()

    def left(self) -> list[str]:
        """The mods that were at work when games died; asked once, then forgotten."""
        found = set[str]()
        for path in sorted(self._folder.glob("*.json")):
            lock = FileLock(path.with_suffix(".lock"))
            with suppress(OSError, Timeout):
                lock.acquire(timeout=0)
                found |= _ids(path)
                path.unlink(missing_ok=True)
                lock.release()
                path.with_suffix(".lock").unlink(missing_ok=True)
        return sorted(found)

    def now(self, ids: set[str]) -> None:
        """These mods are at work. A folder that cannot be written keeps no mod from working."""
        if ids == self._ids:
            return
        self._ids = set(ids)
        with suppress(OSError, Timeout):
            if not ids:
                self._path.unlink(missing_ok=True)
                self._lock.release()
                self._path.with_suffix(".lock").unlink(missing_ok=True)
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            if not self._lock.is_locked:
                self._lock.acquire(timeout=0)
            self._path.write_text(json.dumps(sorted(ids)))


def _ids(path: Path) -> set[str]:
    try:
        data = json.loads(path.read_bytes()[:_MAX_BYTES])
    except (ValueError, RecursionError):
        return set()
    return {id for id in data if isinstance(id, str) and is_id(id)} if isinstance(data, list) else set()
