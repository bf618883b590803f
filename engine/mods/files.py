"""The files of a mod: names that are the same file on every system, and limits on how much there may be."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Generator
from pathlib import Path

from attrs import frozen

from engine.errors import EngineError

MOST_FILES = 500
MAX_FILE_BYTES = 5_000_000
MAX_BYTES = 20_000_000
"""Of all files together."""
LONGEST_PATH, DEEPEST = 160, 8
_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_. +()-]*")
_DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    "conin$",
    "conout$",
    *(f"{name}{digit}" for name in ("com", "lpt") for digit in range(10)),
}
_IGNORED = ("__pycache__", "__MACOSX")
_CHUNK = 262_144
_AT_ONCE = 50

Slow = Generator[None, None, str]
"""Work in small pieces, which a frame may do one at a time; gives a hash in the end."""


def checked_name(path: str) -> list[str]:
    """The parts of a path inside a mod; EngineError `mod.name` for what leads out of it or is not the same file on
    every system: absolute paths, drives, `..`, backslashes, devices, signs beyond ASCII, dots and blanks at an end.
    """
    parts = path.split("/")
    if len(path) > LONGEST_PATH or len(parts) > DEEPEST or not all(map(_good_part, parts)):
        raise EngineError("mod.name", name=path[:LONGEST_PATH])
    return parts


def _good_part(part: str) -> bool:
    return _PART.fullmatch(part) is not None and part[-1] not in ". " and not device_name(part)


def device_name(name: str) -> bool:
    """Whether Windows takes a file name for a device."""
    return name.partition(".")[0].strip().lower() in _DEVICES


def ignored(parts: list[str]) -> bool:
    """Whether a file is none of the mod's: hidden ones, and what systems and Python leave behind."""
    return any(part in _IGNORED or part.startswith(".") for part in parts)


@frozen
class Tally:
    """How much there is so far."""

    files: int = 0
    bytes: int = 0

    def more(self, size: int, name: str) -> Tally:
        """With one file more; EngineError when it is too much."""
        if size > MAX_FILE_BYTES:
            raise EngineError("mod.file_large", most=MAX_FILE_BYTES, name=name[:LONGEST_PATH])
        tally = Tally(self.files + 1, self.bytes + size)
        if tally.files > MOST_FILES:
            raise EngineError("mod.files", most=MOST_FILES)
        if tally.bytes > MAX_BYTES:
            raise EngineError("mod.bytes", most=MAX_BYTES)
        return tally


def look_through(folder: Path) -> Slow:
    """Look at all files of a mod's folder; a hash of their names and content. EngineError for links, odd files, names
    that are no names everywhere, and too much.
    """
    whole, tally, seen = hashlib.sha256(), Tally(), dict[str, str]()
    names = yield from _names(folder)
    for name in sorted(names):
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise EngineError("mod.same_name", name=name, other=other)
        one, size = hashlib.sha256(), 0
        with (folder / name).open("rb") as file:
            while chunk := file.read(_CHUNK):
                one.update(chunk)
                size += len(chunk)
                tally.more(size, name)
                yield
        tally = tally.more(size, name)
        whole.update(f"{name}\0{one.hexdigest()}\0".encode())
        yield
    return whole.hexdigest()


def _names(folder: Path) -> Generator[None, None, list[str]]:
    """The paths of all files in a folder, with `/`."""
    found, folders, seen = list[str](), [""], 0
    while folders:
        inside = folders.pop()
        with os.scandir(folder / inside) as entries:
            for entry in entries:
                seen += 1
                if seen > 4 * MOST_FILES:
                    raise EngineError("mod.files", most=MOST_FILES)
                if ignored([entry.name]):
                    continue
                name = f"{inside}{entry.name}"
                checked_name(name)
                mode = entry.stat(follow_symlinks=False).st_mode
                if stat.S_ISDIR(mode):
                    folders.append(f"{name}/")
                elif stat.S_ISREG(mode):
                    found.append(name)
                else:
                    raise EngineError("mod.link", name=name)
                if not seen % _AT_ONCE:
                    yield
        yield
    return found
