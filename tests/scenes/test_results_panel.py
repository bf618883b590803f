"""The end of a level in the real window: stars, the attempts so far, production, pictures to share, and the level
select that remembers it.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tools import godot
from tools.autoplay import HASTE, RESULT_S, SCREENS, START_S, Window, build, game_window, reference_layout
from tools.hand import Pad
from tools.paths import ROOT
from tools.probe import Event

pytestmark = [pytest.mark.godot, pytest.mark.long]

LEVEL = 1
SAVED_S = 60.0
CLIP_MOST_BYTES = 3_000_000


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    """Level 1, run to its end with the reference layout."""
    with game_window([godot.game(), "--path", str(ROOT), *HASTE, "--level", str(LEVEL)]) as window:
        window.probe.wait_screen("level", START_S)
        build(window, reference_layout(LEVEL))
        window.hand.click(window.probe.target("time:start"))
        window.hand.click(window.probe.target("time:8"))
        window.probe.wait("the result", lambda: window.probe.last("result"), RESULT_S)
        window.probe.target("panel:result")
        yield window


def wait_text(window: Window, part: str, timeout_s: float = 20) -> list[str]:
    """Wait until the result says something; all that it says."""

    def said() -> Event | None:
        words = window.probe.last("words")
        return words if words and any(part in text for text in words["result"]) else None

    texts: list[str] = window.probe.wait(f"the result to say {part!r}", said, timeout_s)["result"]
    return texts


def picture(window: Window, name: str) -> None:
    """Keep a picture of what is shown."""
    window.probe.wait_drawn()
    window.display.picture(SCREENS / f"{name}.png")


def page(window: Window, name: str, part: str) -> list[str]:
    """Open a page of the result; all that it says."""
    window.hand.click(window.probe.target(f"result:{name}"))
    return wait_text(window, part)


def saved(window: Window, button: str, extension: str) -> Path:
    """Save something to share; where it lies."""
    window.hand.click(window.probe.target(f"share:{button}"))
    texts = wait_text(window, f".{extension}", SAVED_S)
    found = re.search(r"/\S.*$", next(text for text in texts if text.endswith(f".{extension}")))
    assert found
    return Path(found[0])


def test_goals_and_stars_say_what_was_reached_and_what_is_missing(window: Window) -> None:
    texts = wait_text(window, "Level won")
    assert {"All goals", "New star", "Tokens per second"} <= set(texts)
    assert any("over the bar" in text for text in texts)  # the star for latency
    picture(window, "result_goals")


def test_an_attempt_is_shown_among_all_that_were_kept(window: Window) -> None:
    texts = page(window, "attempts", "first attempt")
    assert {"Cost", "TTFT p95", "Energy", "GPUs used"} <= set(texts)
    picture(window, "result_attempts")


def test_the_commands_of_production_can_be_copied(window: Window) -> None:
    texts = page(window, "production", "vllm serve")
    assert "2 × L4" in texts
    assert any("tokens a month" in text for text in texts)
    picture(window, "result_production")
    window.hand.click(window.probe.target("result:copy_1"))
    wait_text(window, "Copied")


def test_a_picture_and_a_moving_one_are_saved(window: Window) -> None:
    page(window, "share", "Save a picture")
    path = saved(window, "picture", "png")
    with Image.open(path) as shown:
        assert shown.size == (1920, 1080)
        assert len(shown.convert("RGB").resize((192, 108)).getcolors(1 << 16) or []) > 500  # not an empty floor
    path = saved(window, "clip", "gif")
    assert path.stat().st_size < CLIP_MOST_BYTES
    with Image.open(path) as clip:
        assert clip.width <= 640
        assert getattr(clip, "n_frames", 1) > 8  # a slow test's few frames; 24 in a game at 60 a second
    picture(window, "result_share")


def test_the_next_level_opens_and_the_title_shows_the_stars(window: Window) -> None:
    probe, hand, pad = window.probe, window.hand, Pad(window.probe)
    screens = probe.count("screen")
    hand.click(probe.target("win:next"))
    wait_screen(window, "level", screens)
    probe.target("time:start")
    hand.click(probe.target("time:title"))
    probe.wait_screen("title")

    def told() -> Event | None:
        words = probe.last("words")
        return words if words and "levels" in words else None

    words: dict[str, Any] = probe.wait("the levels", told, 20)
    first, second, *_ = words["levels"]
    assert (first["stars"], first["attempts"]) == (["goal", "cost"], 1)
    assert (second["stars"], second["attempts"]) == ([], 0)
    assert words["due"] == 2
    probe.target("title:play")
    picture(window, "levels")
    # From the play button up to a level of the map: by keys alone, and by a game pad alone.
    ways: list[tuple[Callable[[str], None], tuple[str, str]]] = [(hand.key, ("Up", "Return")), (pad.press, ("Up", "A"))]
    for press, names in ways:
        screens = probe.count("screen")
        for name in names:
            press(name)
        wait_screen(window, "level", screens)
        probe.target("time:start")
        screens = probe.count("screen")
        hand.click(probe.target("time:title"))
        wait_screen(window, "title", screens)
        probe.target("title:play")


def wait_screen(window: Window, name: str, before: int) -> None:
    """Wait until a screen is shown after `before` others."""

    def shown() -> Event | None:
        event = window.probe.last("screen")
        return event if event and event["name"] == name and window.probe.count("screen") > before else None

    window.probe.wait(f"the screen {name}", shown, 30)
