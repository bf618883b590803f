"""The title: at once, with a factory that lives behind it, and music that follows the factory."""

import time

import pytest
from PIL import ImageChops

from tools import godot
from tools.autoplay import START_S, game_window
from tools.paths import ROOT
from tools.probe import Event

pytestmark = [pytest.mark.godot, pytest.mark.long]

RIGHT = (760, 60, 1270, 660)
LIVES_S = 60.0


def test_a_factory_lives_behind_the_title_and_every_level_opens_from_it() -> None:
    with game_window([godot.game(), "--path", str(ROOT)]) as window:
        window.probe.wait_screen("title", START_S)
        window.probe.target("title:play")
        first = window.display.image().crop(RIGHT)
        deadline = time.monotonic() + LIVES_S
        moved = 0
        while moved < 3:
            assert time.monotonic() < deadline, "nothing moves behind the title"
            time.sleep(0.5)
            now = window.display.image().crop(RIGHT)
            moved += ImageChops.difference(first, now).getbbox() is not None
            first = now
        window.hand.click(window.probe.target("title:level_1"))
        window.probe.wait_screen("level", START_S)
        window.hand.key("space")

        def stands() -> Event | None:
            clock = window.probe.last("clock")
            return clock if clock and clock["t_ps"] < 10**12 * 60 else None

        window.probe.wait("a level of its own", stands, 10)
