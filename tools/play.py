"""./factory play: the game in a window, or, where there is no display, a whole game on a virtual one."""

import argparse
import os

from tools import godot
from tools.paths import ROOT, Problem

LEVELS = ROOT / "levels"


def run(arguments: list[str]) -> int:
    """Carry out ./factory play; with a display this process becomes the game."""
    parser = argparse.ArgumentParser(prog="./factory play", description="Play the game.")
    parser.add_argument("--level", type=int, metavar="N", help="start with this level instead of the title")
    level = parser.parse_args(arguments).level
    if level is not None and not list(LEVELS.glob(f"level_{level}_*.py")) + list(LEVELS.glob(f"level_{level}.py")):
        raise Problem(f"there is no level {level}")
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        program = godot.game()
        words = [program, "--path", str(ROOT), *([] if level is None else ["--level", str(level)])]
        os.execve(program, words, godot.environment())
    from tools import autoplay

    if level not in (None, 1):
        raise Problem("there is no display; without one, only level 1 can be played")
    return autoplay.play()
