"""Godot: which program to start, and for what."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.paths import Problem

NO_LANGUAGE = ("C", "POSIX")


def game() -> str:
    """Return the Godot that shows a window: GODOT=..., or godot3."""
    return _find(os.environ.get("GODOT") or "godot3", "GODOT")


def headless() -> str:
    """Return the Godot that imports, exports and tests without a window: GODOT_SERVER=..., or godot3-server."""
    return _find(os.environ.get("GODOT_SERVER") or "godot3-server", "GODOT_SERVER")


def runner() -> str:
    """Return the Godot without an editor that an exported game is run by: GODOT_RUNNER=..., or godot3-runner."""
    return _find(os.environ.get("GODOT_RUNNER") or "godot3-runner", "GODOT_RUNNER")


def _find(name: str, variable: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise Problem(f"{name} is not there; install Godot 3 (3.2.3 to 3.6), or name one with {variable}=...")
    return path


def environment() -> dict[str, str]:
    """Return the environment to start Godot in. A language named C it complains about; without one it is English."""
    changed = {**os.environ, "LC_ALL": "C.UTF-8"}
    if changed.get("LANG", "").partition(".")[0] in NO_LANGUAGE:
        del changed["LANG"]
    return changed


@contextmanager
def settings_kept(project: Path) -> Iterator[None]:
    """Leave project.godot as it was: the editor, which also exports, puts it in its own version's words."""
    settings = project / "project.godot"
    written = settings.read_bytes()
    try:
        yield
    finally:
        if settings.read_bytes() != written:
            settings.write_bytes(written)
