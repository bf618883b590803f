"""Each level in its real window: its own goals and tools, and a core that ran out of memory can be restarted."""

from collections.abc import Iterator

import pytest

from engine.level.load import campaign
from engine.level.spec import Goal
from tools import godot
from tools.autoplay import HASTE, Window, build, game_window
from tools.paths import ROOT

pytestmark = pytest.mark.godot

WAIT_S = 60.0
CRASH_S = 120.0
LEVELS = {level.number: level for level in campaign()}
WIDEST = (2, 7)
"""Levels with the most goals and the most tools; the others take their turn in the long tests."""
Rect = list[float]


@pytest.fixture(
    params=[pytest.param(number, marks=[] if number in WIDEST else pytest.mark.long) for number in sorted(LEVELS)]
)
def level(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def window(level: int) -> Iterator[Window]:
    with game_window([godot.game(), "--path", str(ROOT), *HASTE, "--level", str(level)]) as window:
        window.probe.wait_screen("level", WAIT_S)
        window.probe.target("time:start")
        yield window


def rects(window: Window) -> dict[str, Rect]:
    """Where things are, as the game told last."""
    window.probe.refresh()
    told = window.probe.last("targets")
    assert told is not None
    return dict(told["rects"])


def inside(rect: Rect, other: Rect) -> bool:
    x, y, width, height = rect
    ox, oy, owidth, oheight = other
    return ox <= x and oy <= y and x + width <= ox + owidth and y + height <= oy + oheight


def apart(rect: Rect, other: Rect) -> bool:
    x, y, width, height = rect
    ox, oy, owidth, oheight = other
    return x + width <= ox or ox + owidth <= x or y + height <= oy or oy + oheight <= y


def shown_as(goal: Goal) -> str:
    return f"goal.{goal.metric}" + (f"@{goal.tenant}" if goal.tenant else "")


def test_a_level_shows_its_goals_and_tools_side_by_side(window: Window, level: int) -> None:
    window.probe.target(shown_as(LEVELS[level].goals[0]))
    shown = rects(window)
    goals = {name: rect for name, rect in shown.items() if name.startswith("goal.")}
    tools = {name: rect for name, rect in shown.items() if name.startswith("tool:")}
    assert set(goals) == set(map(shown_as, LEVELS[level].goals))
    assert set(tools) == {f"tool:{name}" for name in ("select", "belt", *LEVELS[level].allowed, "delete")}
    assert all(inside(rect, shown["panel:bar"]) for rect in goals.values())
    assert all(inside(rect, shown["panel:tools"]) for rect in tools.values())
    assert inside(shown["time:8"], shown["panel:bar"])
    panels = [name for name in shown if name.startswith("panel:") or name == "time:start"]
    overlapping = [(a, b) for a in panels for b in panels if a < b and not apart(shown[a], shown[b])]
    assert overlapping == []


@pytest.mark.long
@pytest.mark.parametrize("level", [2], indirect=True)
def test_a_core_that_ran_out_of_memory_is_restarted_by_its_button(window: Window) -> None:
    layout = LEVELS[2].reference
    without = [machine for machine in layout["machines"] if machine["kind"] != "page_allocator"]
    core = next(machine for machine in without if machine["kind"] == "decode_core")
    build(window, {**layout, "machines": without})
    hand, probe = window.hand, window.probe
    hand.click(probe.tile(core["x"], core["y"]))
    hand.click(probe.target("time:start"))
    hand.click(probe.target("time:8"))
    hand.click(probe.target("details:reboot", CRASH_S))
    probe.wait("the button to go", lambda: {} if "details:reboot" not in rects(window) else None, WAIT_S)
