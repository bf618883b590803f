"""Writing a file so that whatever happens, the old content or the new one is there, and the one before it beside it.

Two games may write the same folder: a lock in it is held while files are read again and written.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from engine.errors import EngineError

LOCK_NAME = ".lock"
LOCK_S = 5.0
"""Nobody holds the lock for longer than a few writes; a game that stands still with it is told of."""
_TEMPORARY = re.compile(r".+\.\d+\.[0-9a-f]{16}\.tmp|[a-z]+\.(json|csv)\.tmp")
"""The second form is that of the first versions."""


@contextmanager
def locked(folder: Path, file: str, to_write: bool = True) -> Iterator[bool]:
    """Keep other games from writing in the folder; `file` names what is to be written.

    EngineError when it cannot be locked. Somebody who only reads goes on then: files are always whole. Gives whether it
    is locked.
    """
    lock = FileLock(folder / LOCK_NAME)
    try:
        lock.acquire(timeout=LOCK_S)
    except Timeout as error:
        if to_write:
            raise EngineError("player.busy", file=file) from error
    except (OSError, NotImplementedError) as error:  # the second: a file system without locks
        if to_write:
            raise EngineError("player.not_saved", file=file, detail=getattr(error, "strerror", "") or "") from error
    try:
        yield lock.is_locked
    finally:
        lock.release()


def write_whole(path: Path, content: bytes, keep_previous: bool = False) -> None:
    """Write a file of a folder that is `locked`; EngineError `player.not_saved` when that cannot be done, and the file
    is as it was.

    `keep_previous`: what is there now stays as `previous(path)`.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if keep_previous and path.exists():
            _keep(path)
        temporary.replace(path)
        _sync(path.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise EngineError("player.not_saved", file=path.name, detail=error.strerror or "") from error


def previous(path: Path) -> Path:
    """Where what was in a file before its last change is kept."""
    return path.with_name(f"{path.name}.bak")


def sweep(folder: Path) -> None:
    """Remove what a game that was killed while writing has left, as far as that can be done."""
    if not folder.is_dir():
        return
    with locked(folder, folder.name, to_write=False) as held, suppress(OSError):
        left = [path for path in folder.iterdir() if _TEMPORARY.fullmatch(path.name)] if held else []
        for path in left:
            path.unlink()


def _keep(path: Path) -> None:
    """By a second name where the file system has that, so that there is a file under the first one at any time."""
    link = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(8)}.tmp")
    try:
        link.hardlink_to(path)
    except OSError:
        path.replace(previous(path))
    else:
        link.replace(previous(path))
        link.unlink(missing_ok=True)  # a renaming to another name of the same file does nothing


def _sync(folder: Path) -> None:
    """So that the new name outlives a power cut, where folders can be synced."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
