"""A hand on mouse and keyboard: real X11 input events, sent by xdotool; and one on a game pad, through the probe."""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from tools.paths import Problem
from tools.probe import Probe

Point = tuple[float, float]
# A person's pace, slow enough that a software renderer shows a frame between two events.
PAUSE_S = 0.08
DRAG_STEPS = 4
KEY_S = "0.02"  # keys that follow each other sooner are one that is held, to Godot
WHEEL_UP, WHEEL_DOWN = 4, 5


class Hand:
    """Moves, clicks, drags and types on one display, in window pixels of a window at its origin.

    Without a window manager keys go to the window under the mouse: move it there first.
    """

    def __init__(self, display_name: str) -> None:
        self._environment = {**os.environ, "DISPLAY": display_name}

    def move(self, at: Point) -> None:
        """Move the mouse."""
        self._do("mousemove", str(round(at[0])), str(round(at[1])))

    def click(self, at: Point, button: int = 1, keys: Sequence[str] = ()) -> None:
        """Move the mouse and click, while `keys` (such as "shift", "ctrl") are held."""
        self.move(at)
        with self.holding(*keys):
            self._do("mousedown", str(button))
            self._do("mouseup", str(button))

    def drag(self, points: Sequence[Point], button: int = 1, keys: Sequence[str] = ()) -> None:
        """Press a button at the first point, pass through the others, let go at the last one."""
        self.move(points[0])
        with self.holding(*keys):
            self._do("mousedown", str(button))
            for start, end in pairwise(points):
                for step in range(1, DRAG_STEPS + 1):
                    share = step / DRAG_STEPS
                    self.move((start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
            self._do("mouseup", str(button))

    def scroll(self, at: Point, notches: int) -> None:
        """Turn the wheel over a point: up (positive) or down."""
        self.move(at)
        for _ in range(abs(notches)):
            self._do("click", str(WHEEL_UP if notches > 0 else WHEEL_DOWN))

    def key(self, *names: str) -> None:
        """Press and release a key by its X11 name, or several together: "Return", "ctrl+z", "ctrl+shift+z".

        More than one name: one after the other, faster than a software renderer draws.
        """
        first, *others = names
        self._do("key", first, *(word for name in others for word in ("sleep", KEY_S, "key", name)))

    def key_down(self, name: str) -> None:
        """Press a key and keep it down."""
        self._do("keydown", name)

    def key_up(self, name: str) -> None:
        """Let go of a key."""
        self._do("keyup", name)

    @contextmanager
    def holding(self, *names: str) -> Iterator[None]:
        """Keep keys down for as long as the context lasts."""
        for name in names:
            self.key_down(name)
        try:
            yield
        finally:
            for name in reversed(names):
                self.key_up(name)

    def type(self, text: str) -> None:
        """Type text, a key after the other."""
        self._do("type", "--delay", "12", text)

    def _do(self, *command: str) -> None:
        result = subprocess.run(
            ["xdotool", *command], env=self._environment, capture_output=True, text=True, check=False
        )
        if result.returncode:
            raise Problem(f"xdotool {' '.join(command)} failed: {result.stderr.strip()[:200]}")
        time.sleep(PAUSE_S)


PAD = ("A", "B", "X", "Y", "LB", "RB", "LT", "RT", "L3", "R3", "Select", "Start", "Up", "Down", "Left", "Right")


class Pad:
    """A game pad, played by the game itself: an event a frame."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe

    def press(self, *names: str) -> None:
        """Press buttons one after the other, keep them down, and let go in the reverse order: a chord."""
        for name in names:
            self._probe.order(button=PAD.index(name), pressed=True)
        for name in reversed(names):
            self._probe.order(button=PAD.index(name), pressed=False)

    def lean(self, axis: int, value: float) -> None:
        """Hold an axis (0, 1: left stick; 2, 3: right stick) at a value from -1 to 1."""
        self._probe.order(axis=axis, value=value)
