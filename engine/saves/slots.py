"""The folder of saves: slots, the autosave, and beside each what was saved before."""

from __future__ import annotations

from pathlib import Path

from engine.errors import EngineError
from engine.player.player import SAVES
from engine.player.whole_file import locked, previous, write_whole
from engine.saves import format as outer
from engine.saves.format import Parts
from engine.saves.migrations import SAVE

AUTO = "auto"
MOST_SLOTS = 9
SLOTS: tuple[int | str, ...] = (AUTO, *range(1, MOST_SLOTS + 1))


def name_of(slot: int | str) -> str:
    """The file's name; EngineError when there is no such slot."""
    if slot not in SLOTS or type(slot) not in (int, str):
        raise EngineError("save.slot", most=MOST_SLOTS)
    return "autosave.save" if slot == AUTO else f"slot-{slot}.save"


class Slots:
    """The saves in a player's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / SAVES

    def path(self, slot: int | str) -> Path:
        """Where a slot's file is."""
        return self.folder / name_of(slot)

    def used(self) -> list[int | str]:
        """The slots in which something is saved."""
        return [slot for slot in SLOTS if any(path.exists() for path in (self.path(slot), previous(self.path(slot))))]

    def write(self, slot: int | str, content: bytes) -> None:
        """Save; what was there stays as the one before, if it is whole. EngineError when it cannot be written, and
        where a newer version of the game has saved: that is left alone.
        """
        path = self.path(slot)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EngineError("player.not_saved", file=path.name, detail=error.strerror or "") from error
        with locked(self.folder, path.name):
            write_whole(path, content, keep_previous=self._worth_keeping(path))

    def delete(self, slot: int | str) -> None:
        """Remove a slot's file and the one before it."""
        path = self.path(slot)
        if not self.folder.is_dir():
            return
        with locked(self.folder, path.name):
            try:
                for each in (previous(path), path):
                    each.unlink(missing_ok=True)
            except OSError as error:
                raise EngineError("player.not_saved", file=path.name, detail=error.strerror or "") from error

    def _worth_keeping(self, path: Path) -> bool:
        try:
            outer.read(SAVE, content_of(path), path.name)
        except EngineError as error:
            if error.code == "save.newer":
                raise
            return False
        return True


def content_of(path: Path) -> bytes:
    """What is in a file; EngineError `save.none`, `save.unreadable` or `save.too_large`."""
    try:
        if not path.is_file():
            raise EngineError("save.none", file=path.name[:100])
        with path.open("rb") as file:
            content = file.read(outer.MAX_FILE_BYTES + 1)
    except FileNotFoundError as error:
        raise EngineError("save.none", file=path.name[:100]) from error
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", None) or ""
        raise EngineError("save.unreadable", file=path.name[:100], detail=detail) from error
    if len(content) > outer.MAX_FILE_BYTES:
        raise EngineError("save.too_large")
    return content


def parts_of(path: Path) -> Parts:
    """A save from its file."""
    return outer.read(SAVE, content_of(path), path.name)
