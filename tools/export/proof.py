"""./factory test-export: the exported game for Linux is played to a win where there is nothing but a display.

In a bare Debian, 12 and 13, by debootstrap, with Xvfb, Mesa and the libraries of GL and X11: no Python, nothing of the
project. The zip is unpacked there by the superuser; a player who may not write to it starts the game from /.
"""

import json
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools import debian_root
from tools.autoplay import GAME_LOG, HASTE, SCREENS, Window, reference_layout, win_level
from tools.debian_root import Root
from tools.display import HEIGHT, WIDTH, virtual_display
from tools.export import linux, source, wheels
from tools.export.target import LINUX
from tools.hand import Hand
from tools.paths import Problem
from tools.probe import Event, Probe
from tools.process import say

SUITES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
ADDED = ("xvfb", "libgl1", "libgl1-mesa-dri", "libxcursor1", "libxi6", "libxinerama1", "libxrandr2", "libxrender1")
"""What a system with a desktop has, and a bare one has not."""
HOME = "/home/player"
PLAYER = ("setpriv", "--reuid=1000", "--regid=1000", "--clear-groups")
GAME = f"/opt/{LINUX.folder.name}"
CLOSE_S = 10.0


@dataclass(frozen=True)
class Machine:
    """A bare Debian with the exported game on it."""

    root: Root

    def run(self, *command: str) -> str:
        """Run a program of the game's folder as the player, from /, and return what it prints."""
        words = self.root.command(*PLAYER, *command, folder="/", env={"HOME": HOME})
        answer = subprocess.run(words, capture_output=True, text=True, check=False)
        if answer.returncode:
            raise Problem(f"{' '.join(command)[:80]} ended with status {answer.returncode}: {answer.stderr[-500:]}")
        return answer.stdout

    @contextmanager
    def game(self, *arguments: str) -> Iterator[Window]:
        """Start the game as the player, from /, in a window on a display of that system."""
        told = self.root.path / HOME[1:] / "probe.jsonl"
        told.unlink(missing_ok=True)
        with virtual_display(inside=self.root) as display, GAME_LOG.open("wb") as log:
            shape = ["--resolution", f"{WIDTH}x{HEIGHT}", "--position", "0,0", "--audio-driver", "Dummy"]
            words = [f"{GAME}/{LINUX.executable}", *arguments, *shape, "--probe", f"{HOME}/{told.name}"]
            environment = {"HOME": HOME, "DISPLAY": display.name, "LC_ALL": "C.UTF-8"}
            command = self.root.command(*PLAYER, *words, folder="/", env=environment)
            game = subprocess.Popen(command, stdout=log, stderr=log)
            try:
                yield Window(display, Hand(display.name), Probe(told, lambda: game.poll() is None))
            except Problem:
                display.picture(SCREENS / "stopped.png")
                raise
            finally:
                game.kill()
                game.wait(CLOSE_S)


def run(arguments: list[str]) -> int:
    """Carry out ./factory test-export."""
    if arguments:
        raise Problem("test-export takes no arguments", status=2)
    zipped = linux.export(source.read())
    for suite, name in SUITES.items():
        with machine(suite, zipped) as bare:
            told, result = mods(bare), win(bare)
        say(f"{name}: mods {told['levels']}, walls {', '.join(told['walls'])}")
        say(f"{name}: level 1 {'won' if result['passed'] else 'lost'}, {result['tps']:.2f} tps, hash {result['hash']}")
        if not result["passed"]:
            return 1
    return 0


@contextmanager
def machine(suite: str, zipped: Path) -> Iterator[Machine]:
    """Give a bare Debian with the game unpacked, and make sure that there is no Python."""
    with debian_root.fresh(suite, "export") as root:
        root.install(*ADDED)
        pythons = python_on(root)
        if pythons:
            raise Problem(f"the bare Debian has a Python: {pythons[0]}")
        unpack(zipped, root.path / "opt")
        home = root.path / HOME[1:]
        home.mkdir(parents=True)
        subprocess.run(["chown", "1000:1000", str(home)], check=True)
        yield Machine(root)


def unpack(zipped: Path, folder: Path) -> None:
    """Unpack as an unzip does, with the modes that the zip says."""
    with zipfile.ZipFile(zipped) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, folder))
            path.chmod(entry.external_attr >> 16 & 0o777)


def python_on(root: Root) -> list[str]:
    """Return the interpreters, and libraries of theirs, on a system."""
    folders = [root.path / name for name in ("usr/bin", "usr/local", "usr/lib", "opt")]
    names = ("python[0-9]*", "python", "libpython*")
    found = {path for folder in folders for name in names for path in folder.rglob(name)}
    return sorted(str(path) for path in found if "share/gcc" not in str(path))


def win(bare: Machine) -> Event:
    """Play level 1 by mouse and keys; the game's result event. Where the player's files went is checked too."""
    with bare.game(*HASTE) as window:
        result = win_level(window, reference_layout(1))
    kept = bare.root.path / HOME[1:] / ".local/share/TokenFactory"
    if not kept.is_dir():
        raise Problem(f"the game kept nothing in {kept}")
    return result


def facts(bare: Machine) -> dict[str, Any]:
    """Return what the bundled Python says of itself and its packages, and which libraries they took."""
    return _told(
        bare,
        """
import bz2, ctypes, decimal, hashlib, lzma, numpy.linalg, PIL.Image, msgpack, simpy
maps = sorted({line.split()[-1] for line in open("/proc/self/maps") if ".so" in line})
print(json.dumps({"version": sys.version, "prefix": sys.prefix, "path": sys.path, "libraries": maps}))
""",
    )


def mods(bare: Machine) -> dict[str, Any]:
    """Load the example mods, each in a process of its own; the walls round it, and how many levels each brought."""
    return _told(
        bare,
        f"""
import tempfile, time
from pathlib import Path
from engine.mods import runner, sandbox
levels = {{}}
for file in sorted(Path("{GAME}/game/mods").glob("*/mod.json")):
    folder, scripts = file.parent, json.loads(file.read_bytes())["levels"]
    loading = runner.load_level(folder, scripts, Path(tempfile.mkdtemp()))
    while (answer := loading.poll()) is None:
        time.sleep(0.01)
    levels[folder.name] = len(answer.levels) if isinstance(answer, runner.Loaded) else str(answer.problems)
    loading.stop()
print(json.dumps({{"walls": sandbox.enforced(), "missing": sandbox.missing(), "levels": levels}}))
""",
    )


def _told(bare: Machine, script: str) -> dict[str, Any]:
    """Run a script in the bundled Python, as the game's own process for mods; what it prints last, as JSON."""
    paths = f"import json, sys; sys.path += ['{GAME}/{wheels.FOLDER}', '{GAME}/game']\n"
    printed = bare.run(f"{GAME}/{LINUX.launcher}", "-I", "-c", paths + script)
    answer: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return answer
