"""A mod as a zip: looked at before anything is written, and unpacked into a folder of its own, named by its hash."""

from __future__ import annotations

import hashlib
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Generator
from pathlib import Path
from typing import IO

from attrs import frozen

from engine.errors import EngineError
from engine.mods.files import LONGEST_PATH, MAX_BYTES, MOST_FILES, Slow, Tally, checked_name, ignored

MOST_RATIO = 100
"""Bytes unpacked for a byte packed ..."""
_SMALL = 100_000
"""... in files larger than this."""
_CHUNK = 262_144
_AT_ONCE = 50
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_UNIX = 3


@frozen
class _Entry:
    info: zipfile.ZipInfo
    parts: list[str]


def file_hash(path: Path) -> Slow:
    """The hash of a zip; EngineError when it is too large."""
    whole, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            if size > MAX_BYTES:
                raise EngineError("mod.bytes", most=MAX_BYTES)
            whole.update(chunk)
            yield
    return whole.hexdigest()


def unpack(path: Path, cache: Path) -> Slow:
    """Unpack a zip into `cache/<hash>`, unless it lies there; the hash. EngineError `zip.*` or `mod.*`, and nothing
    is left behind.
    """
    if path.is_symlink():
        raise EngineError("mod.link", name=path.name[:LONGEST_PATH])
    digest = yield from file_hash(path)
    if (cache / digest).is_dir():
        return digest
    cache.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="unpacking-", dir=cache))
    try:
        try:
            with zipfile.ZipFile(path) as archive:
                entries = yield from _checked(archive)
                for entry in entries:
                    yield from _extract(archive, entry, place)
        except EngineError:
            raise
        except Exception as error:  # zipfile raises many kinds for files that are broken
            raise EngineError("zip.broken", detail=str(error)[:200]) from error
        try:
            place.replace(cache / digest)
        except OSError:
            if not (cache / digest).is_dir():  # another game was faster
                raise
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return digest


def _checked(archive: zipfile.ZipFile) -> Generator[None, None, list[_Entry]]:
    """The files to unpack, with the folder left out that all of them lie in; EngineError for anything that is odd."""
    infos = archive.infolist()
    if len(infos) > 2 * MOST_FILES:
        raise EngineError("mod.files", most=MOST_FILES)
    entries, tally = list[_Entry](), Tally()
    for number, info in enumerate(infos):
        if not number % _AT_ONCE:
            yield
        name = info.orig_filename  # as it is in the file: Python's own has backslashes and zeros made harmless
        folder = name.endswith("/")
        parts = checked_zip_name(name.removesuffix("/"))
        _check_kind(info, folder)
        if folder or ignored(parts):
            continue
        tally = tally.more(info.file_size, name)
        if info.file_size > _SMALL and info.file_size > MOST_RATIO * max(info.compress_size, 1):
            raise EngineError("zip.ratio", name=name[:LONGEST_PATH])
        entries.append(_Entry(info, parts))
    yield
    entries = _at_top(entries)
    _check_collisions(entries)
    return entries


def checked_zip_name(name: str) -> list[str]:
    """As `checked_name`; files that are hidden are no error, they are left out."""
    parts = name.split("/")
    if ignored(parts) and not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
        return parts
    return checked_name(name)


def _check_kind(info: zipfile.ZipInfo, folder: bool) -> None:
    name = info.orig_filename[:LONGEST_PATH]
    mode = info.external_attr >> 16
    kind = stat.S_IFMT(mode) if info.create_system == _UNIX else 0
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or (kind == stat.S_IFDIR) > folder:
        raise EngineError("mod.link", name=name)
    if info.flag_bits & _ENCRYPTED:
        raise EngineError("zip.encrypted", name=name)
    if info.compress_type not in _METHODS:
        raise EngineError("zip.method", name=name)


def _at_top(entries: list[_Entry]) -> list[_Entry]:
    tops = {entry.parts[0] for entry in entries}
    if len(tops) == 1 and all(len(entry.parts) > 1 for entry in entries):
        return [_Entry(entry.info, entry.parts[1:]) for entry in entries]
    return entries


def _check_collisions(entries: list[_Entry]) -> None:
    """No two names of one file, on a system that takes large letters for small ones; no file that is a folder, too."""
    files, folders = dict[str, str](), dict[str, str]()
    for entry in entries:
        name = "/".join(entry.parts)
        if (other := files.setdefault(name.lower(), name)) != name or other in folders:
            raise EngineError("mod.same_name", name=name, other=other)
        for depth in range(1, len(entry.parts)):
            folder = "/".join(entry.parts[:depth])
            if folders.setdefault(folder.lower(), folder) != folder:
                raise EngineError("mod.same_name", name=name, other=folders[folder.lower()])
    names = ["/".join(entry.parts) for entry in entries]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise EngineError("mod.same_name", name=twice, other=twice)
    for both in files.keys() & folders.keys():
        raise EngineError("mod.same_name", name=files[both], other=folders[both])


def _extract(archive: zipfile.ZipFile, entry: _Entry, place: Path) -> Slow:
    """Unpack a file; never more than it said, whatever comes out."""
    target = place.joinpath(*entry.parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    left = entry.info.file_size
    with archive.open(entry.info) as packed, target.open("xb") as file:
        while chunk := _read(packed):
            left -= len(chunk)
            if left < 0:
                raise EngineError("zip.ratio", name=entry.info.orig_filename[:LONGEST_PATH])
            file.write(chunk)
            yield
    return ""


def _read(packed: IO[bytes]) -> bytes:
    return packed.read(_CHUNK)
