"""What has to be true of an exported folder, on whatever system it will be unpacked."""

import re
from collections import defaultdict
from pathlib import Path

from tools.export import binaries
from tools.export.target import Target
from tools.paths import ROOT, Problem

LONGEST_PATH = 180
"""Windows allows 260 characters, of which a player's folder takes some."""
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]$')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def check(folder: Path, target: Target, expected: list[str]) -> None:
    """Raise Problem with all that is wrong."""
    files = sorted(path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
    names = [path.relative_to(folder).as_posix() for path in files]
    wrong = [f"{name} is missing" for name in expected if not (folder / name).exists()]
    wrong += [f"{name} is a link" for name, path in zip(names, files, strict=True) if path.is_symlink()]
    wrong += paths(names)
    wrong += foreign(folder, target)
    wrong += [f"{name} names the folder it was made in" for name in naming(folder, f"{ROOT}/")]
    if wrong:
        raise Problem(f"{folder.name} is not right: {'; '.join(wrong)}")


def paths(names: list[str]) -> list[str]:
    """Say which names cannot stand beside each other, or not at all, on some system."""
    alike = defaultdict(list)
    for name in names:
        alike[name.casefold()].append(name)
    wrong = [f"{' and '.join(same)} differ in case alone" for same in alike.values() if len(same) > 1]
    for name in names:
        if any(_FORBIDDEN.search(part) or _RESERVED.fullmatch(part) for part in name.split("/")):
            wrong.append(f"{name} is no name on Windows")
        if len(name) > LONGEST_PATH:
            wrong.append(f"{name} is too long for Windows")
    return wrong


def foreign(folder: Path, target: Target) -> list[str]:
    """Say which programs and libraries are for another system or processor."""
    wrong = []
    for path in binaries.find(folder):
        kinds = [(binary.system, binary.machine) for binary in binaries.read(path)]
        if (target.name, target.architecture) not in kinds:
            wrong.append(f"{path.relative_to(folder).as_posix()} is for {' '.join(kinds[0])}")
    return wrong


def naming(folder: Path, text: str) -> list[str]:
    """Return the files that hold a text."""
    sought = text.encode()
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path.relative_to(folder).as_posix() for path in files if sought in path.read_bytes()]
