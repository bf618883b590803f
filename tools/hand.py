"""A hand on mouse and keyboard: real X11 input events, sent by xdotool."""

import os
import subprocess
import time
from collections.abc import Sequence
from itertools import pairwise

from tools.paths import Problem

Point = tuple[float, float]
# A person's pace, slow enough that a software renderer shows a frame between two events.
PAUSE_S = 0.08
DRAG_STEPS = 4


class Hand:
    """Moves, clicks, drags and types on one display, in window pixels of a window at its origin."""

    def __init__(self, display_name: str) -> None:
        self._environment = {**os.environ, "DISPLAY": display_name}

    def move(self, at: Point) -> None:
        """Move the mouse."""
        self._do("mousemove", str(round(at[0])), str(round(at[1])))

    def click(self, at: Point, button: int = 1) -> None:
        """Move the mouse and click."""
        self.move(at)
        self._do("mousedown", str(button))
        self._do("mouseup", str(button))

    def drag(self, points: Sequence[Point]) -> None:
        """Press the button at the first point, pass through the others, let go at the last one."""
        self.move(points[0])
        self._do("mousedown", "1")
        for start, end in pairwise(points):
            for step in range(1, DRAG_STEPS + 1):
                share = step / DRAG_STEPS
                self.move((start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
        self._do("mouseup", "1")

    def key(self, name: str) -> None:
        """Press and release a key, by its X11 name."""
        self._do("key", name)

    def _do(self, *command: str) -> None:
        result = subprocess.run(
            ["xdotool", *command], env=self._environment, capture_output=True, text=True, check=False
        )
        if result.returncode:
            raise Problem(f"xdotool {' '.join(command)} failed: {result.stderr.strip()[:200]}")
        time.sleep(PAUSE_S)
