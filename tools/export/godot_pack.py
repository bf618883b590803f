"""Godot's pack: scenes, GDScript, pictures, sounds. The same file serves every system."""

import subprocess
from pathlib import Path

from tools import godot
from tools.paths import LOG, Problem
from tools.process import run_logged

PRESET = "Linux/X11"


def write(project: Path, pack: Path) -> None:
    """Let Godot pack a project; judged by what it wrote."""
    pack.unlink(missing_ok=True)
    pack.parent.mkdir(parents=True, exist_ok=True)
    command = [godot.headless(), "--path", str(project), "--export-pack", PRESET, str(pack)]
    status = run_logged(command, timeout_s=600, env=godot.environment())
    if status or not pack.is_file():
        raise Problem(f"Godot did not pack the game (exit status {status}; details in {LOG})")


def version() -> str:
    """Return the version of the Godot that packs, as its project names releases: 3.2.3-stable."""
    command = [godot.headless(), "--version"]
    told = subprocess.run(command, env=godot.environment(), capture_output=True, text=True, check=False).stdout
    parts = told.strip().split(".")
    kind = next((index for index, part in enumerate(parts) if not part.isdigit()), None)
    if not kind:
        raise Problem(f"{command[0]} does not tell its version: {told.strip()[:80]!r}")
    return ".".join(parts[:kind]) + f"-{parts[kind]}"
