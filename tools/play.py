"""./factory play: the game in a window, or, where there is no display, a whole game on a virtual one."""

import argparse
import os
from pathlib import Path

from tools import godot
from tools.paths import ROOT, Problem

LEVELS = ROOT / "levels"


def run(arguments: list[str]) -> int:
    """Carry out ./factory play; with a display this process becomes the game."""
    parser = argparse.ArgumentParser(prog="./factory play", description="Play the game.")
    parser.add_argument("--level", type=int, metavar="N", help="start with this level instead of the title")
    parser.add_argument("--probe", metavar="FILE", help="let the game write what it shows to a file (for tests)")
    chosen = parser.parse_args(arguments)
    level = chosen.level
    if level is not None and not list(LEVELS.glob(f"level_{level}_*.py")):
        raise Problem(f"there is no level {level}", status=2)
    if os.environ.get("WAYLAND_DISPLAY") and not os.environ.get("DISPLAY"):
        raise Problem("Godot 3 shows its window through X11, and DISPLAY is not set; install xwayland")
    if os.environ.get("DISPLAY"):
        program = godot.game()
        words = [program, "--path", str(ROOT)]
        words += [] if level is None else ["--level", str(level)]
        words += [] if chosen.probe is None else ["--probe", str(Path(chosen.probe).absolute())]
        os.execve(program, words, godot.environment())
    from tools import autoplay

    if level not in (None, 1):
        raise Problem("there is no display; without one, only level 1 can be played")
    return autoplay.play()
