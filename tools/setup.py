"""Set-up: each step looks first and does only what is missing, so an interrupted one resumes.

A stamp holds the name, size and time of everything the steps depend on. While it is current, nothing is looked at,
unless it is set-up itself that was asked for.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.paths import BUILD, ROOT, build_folder

STAMP = BUILD / "setup.stamp"
PLUGIN = ROOT / "addons" / "pythonscript"


def ensure() -> None:
    """Do all set-up that is not done yet. Raises Problem with what a person has to do."""
    if _stamp_is_current():
        return
    import fcntl

    build_folder()
    with (BUILD / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two first starts at once: the second waits for the first
        if _stamp_is_current():
            return
        _steps()
        STAMP.write_text(_facts(), "utf-8")


def _steps() -> None:
    from concurrent.futures import ThreadPoolExecutor

    from tools import python_packages, system_packages

    with ThreadPoolExecutor(1) as beside:  # apt-get and pip take a minute each, and neither needs the other
        programs = beside.submit(system_packages.install)
        python_packages.install()
        programs.result()

    from tools import build_plugin, textures

    build_plugin.build()
    textures.install()


def _stamp_is_current() -> bool:
    try:
        return STAMP.read_text("utf-8") == _facts()
    except FileNotFoundError:
        return False


def _facts() -> str:
    """Return what set-up depends on, a line for each file: its size, its time in ns, its name."""
    lines = [sys.version, sys.prefix]
    for path in _watched():
        try:
            status = Path(path).stat()
            lines.append(f"{status.st_size} {status.st_mtime_ns} {path}")
        except FileNotFoundError:
            lines.append(f"missing {path}")
    return "\n".join(lines)


def _watched() -> Iterator[str | Path]:
    from tools.textures import sources

    yield from (ROOT / "requirements.txt", ROOT / "project.godot", ROOT / "tools" / "system_packages.py")
    yield from ("/usr/games/godot3", "/usr/bin/godot3", "/usr/bin/godot3-server")
    for folder, _, names in os.walk(PLUGIN):
        yield from (f"{folder}/{name}" for name in sorted(names) if not name.endswith(".pyc"))
    yield from sources()


def run(arguments: list[str]) -> int:
    """Carry out ./factory setup."""
    from tools.paths import Problem
    from tools.process import say

    if arguments:
        raise Problem("setup takes no arguments", status=2)
    STAMP.unlink(missing_ok=True)
    ensure()
    say("set up; now: ./factory play")
    return 0
