"""How the game feels: the camera, small and wide windows, keys and pad alone, an answer to everything at once."""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product

import pytest

from engine.level.load import load
from tests.scenes.player import Player, playing
from tools.paths import ROOT, Problem
from tools.probe import Event

pytestmark = [pytest.mark.godot, pytest.mark.follows]

SCREEN = (2560, 1440)
SHAPES = [(640, 480), (800, 1000), (1400, 500), (2560, 1080), (1280, 720)]
LARGE = [pytest.param(shape, marks=pytest.mark.long) for shape in ((1920, 1080), (2560, 1440))]
POINT = (560.0, 300.0)
Rect = list[float]
Point = tuple[float, float]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    with playing(tmp_path_factory.mktemp("feel"), 1, screen=SCREEN) as player:
        player.probe.target("time:start")
        player.hand.move(POINT)
        player.settle()
        yield player


def grid_at(game: Player, point: Point) -> Point:
    """The point of the grid that lies at a point of the window."""
    game.settle()
    event = game.probe.last("targets")
    assert event is not None
    (ox, oy), (ax, ay), (bx, by) = (event["tiles"][name] for name in ("origin", "ex", "ey"))
    x, y = point[0] - ox, point[1] - oy
    size = ax * by - ay * bx
    return (x * by - y * bx) / size, (ax * y - ay * x) / size


def heard(game: Player, name: str, act: Callable[[], object]) -> None:
    """Do something; its sound must come within a frame of the last key, button or click."""
    game.probe.refresh()
    before = len(game.probe.events)
    act()

    def sounds() -> list[Event]:
        return [event for event in game.probe.events[before:] if event["event"] == "sound"]

    try:
        game.wait(f"the sound {name}", lambda: any(name in event["names"] for event in sounds()))
    except Problem:
        told = [event for event in game.probe.events[before:] if event["event"] != "targets"]
        pytest.fail(f"no sound {name}, but {told}")
    assert min(event["frames"] for event in sounds() if name in event["names"]) <= 1


def view_changes(game: Player, act: Callable[[], object], tile: Point = (0, 0)) -> None:
    """Do something that moves or zooms the view, and wait for its end."""
    before = game.tile(*tile)
    act()
    game.wait("the view to change", lambda: not near(game.tile(*tile), before, 1.0))
    game.settle()


def near(a: Point, b: Point, slack: float) -> bool:
    return abs(a[0] - b[0]) < slack and abs(a[1] - b[1]) < slack


# The tests follow each other on one floor, as a player's actions do.


@pytest.mark.long
def test_the_wheel_zooms_to_the_pointer(game: Player) -> None:
    under = grid_at(game, POINT)
    for notches in (3, -2):
        view_changes(game, partial(game.hand.scroll, POINT, notches))
        assert near(grid_at(game, POINT), under, 0.05)
    view_changes(game, lambda: game.hand.key("f"))


@pytest.mark.long
def test_keys_zoom_to_the_cursor(game: Player) -> None:
    under = grid_at(game, POINT)
    game.hand.key("Right")
    x, y = int(under[0]) + 1, int(under[1])
    cursor = game.tile(x, y)
    view_changes(game, lambda: game.hand.key("equal"))
    assert near(game.tile(x, y), cursor, 2.0)
    view_changes(game, lambda: game.hand.key("f"))


@pytest.mark.long
def test_the_view_is_moved_by_keys_and_dragging_and_stays_over_the_floor(game: Player) -> None:
    before = game.tile(6, 4)
    view_changes(game, lambda: game.hand.key("d"))
    assert game.tile(6, 4)[0] < before[0] - 10
    held, there = grid_at(game, POINT), (POINT[0] + 120, POINT[1] + 60)
    view_changes(game, lambda: game.hand.drag([POINT, there], button=2))
    assert near(grid_at(game, there), held, 0.05)

    def hold() -> None:
        with game.hand.holding("a"):
            time.sleep(1.2)

    view_changes(game, hold)
    x, y = grid_at(game, (480, 350))
    assert -2 < x < 14
    assert -2 < y < 10
    view_changes(game, lambda: game.hand.key("Home"))
    assert near(game.tile(6, 4), before, 1.0)


def test_keys_alone_build_connect_set_start_and_undo(game: Player) -> None:
    hand = game.hand
    hand.move(game.tile(5, 2))  # where the mouse was, the keys go on
    heard(game, "tick", lambda: hand.key("2"))
    for key in ("Left", "Left", "Up"):
        hand.key(key)
    game.change(lambda: heard(game, "place", lambda: hand.key("Return")))
    assert game.machines() == [["prefill_core", 3, 1, 0]]
    hand.key("Escape")
    heard(game, "turn", lambda: hand.key("r"))
    heard(game, "undo", lambda: hand.key("ctrl+z"))
    heard(game, "redo", lambda: hand.key("ctrl+y"))
    heard(game, "undo", lambda: hand.key("ctrl+z"))
    for key in ("1", "Left", "Left", "Return", "Right", "Right"):
        hand.key(key)
    heard(game, "connect", lambda: hand.key("Return"))
    game.wait("the belt", lambda: game.floor()["belts"] == 1)
    hand.key("Escape")
    game.settle()
    heard(game, "select", lambda: hand.key("Return"))
    game.wait_selected(1, 0)
    heard(game, "copy", lambda: hand.key("ctrl+c"))
    heard(game, "start", lambda: hand.key("space"))
    heard(game, "pause", lambda: hand.key("space"))
    heard(game, "remove", lambda: hand.key("Delete"))
    heard(game, "undo", lambda: hand.key("ctrl+z"))
    game.wait("it to stand there again", lambda: len(game.machines()) == 1)


def test_what_is_refused_says_so_at_once(game: Player) -> None:
    game.hand.key("3")
    heard(game, "refuse", lambda: game.hand.click(game.tile(1, 1)))
    game.hand.key("Escape")


def test_each_panel_opens_by_its_key_and_by_its_button(game: Player) -> None:
    for name, key in {"details": "e", "graphs": "g", "memory": "m", "requests": "t", "codex": "u"}.items():
        if f"dock:{name}" not in game.probe.targets():
            continue
        if name == "details":
            heard(game, "close", partial(game.hand.key, key))
            game.probe.panel("")
        heard(game, "open", partial(game.hand.key, key))
        game.probe.panel(name)
        heard(game, "close", partial(game.click, f"dock:{name}"))
        game.probe.panel("")
    game.hand.key("e")
    game.probe.panel("details")
    for key in ("o", "b"):  # the overlay, the blueprints
        heard(game, "open", partial(game.hand.key, key))
        heard(game, "close", partial(game.hand.key, key))


def test_a_walk_through_the_panels_presses_what_has_the_focus_and_leads_back(game: Player) -> None:
    game.hand.key("F1")
    game.hand.key("F6")  # the bar, at the speed in use
    game.hand.key("Right")
    game.hand.key("Return")
    game.wait("2x", lambda: (game.probe.last("time") or {}).get("speed") == 2)
    game.hand.key("Escape")
    game.hand.key("F1")
    game.wait("1x", lambda: (game.probe.last("time") or {}).get("speed") == 1)


@pytest.mark.long
def test_keys_alone_set_a_machine(game: Player) -> None:
    game.hand.move(game.tile(6, 4))
    game.hand.key("3")
    game.change(lambda: game.hand.key("Return"))
    game.hand.key("Escape")
    game.hand.key("Return")
    game.probe.panel("details", "Decode Core")
    floor = game.floor()["machines"]

    def step_to(key: str, target: str) -> None:
        met = []
        for _ in range(12):
            game.hand.key(key)
            game.settle()
            rects = game.probe.targets()
            names = [name for name in rects if rects[name] == rects.get("focus") and name != "focus"]
            met.append(names)
            if any(name.startswith(target) for name in names):
                return
        pytest.fail(f"{key} does not lead to {target}, but to {met}")

    step_to("F6", "dock:details")
    step_to("Down", "setting:max_num_seqs")
    said = game.probe.panel("details")
    heard(game, "tick", lambda: game.hand.key("Return"))
    game.wait("the new value", lambda: game.probe.panel("details") != said)
    step_to("F6", "time:start")
    for key in ("Down", "Right", "Escape"):  # no way there, and the floor's cursor stays
        game.hand.key(key)
    assert ["decode_core", 6, 4, 0] in floor
    game.change(lambda: game.hand.key("x"))
    assert ["decode_core", 6, 4, 0] not in game.floor()["machines"]


def test_the_pad_alone_builds_looks_and_runs(game: Player) -> None:
    pad, before = game.pad, len(game.machines())
    heard(game, "pause", lambda: game.click("time:start"))  # begins anew, paused as it was
    game.hand.move((20, 20))
    for _ in range(3):
        heard(game, "tick", lambda: pad.press("RB"))  # belt, prefill, decode
    pad.lean(0, 0.9)  # the stick brings the cursor to the middle of the floor
    pad.lean(0, 0.0)
    pad.press("Down")
    pad.press("X")
    heard(game, "place", lambda: pad.press("A"))
    game.wait("one more machine", lambda: len(game.machines()) == before + 1)
    pad.press("B")
    heard(game, "undo", lambda: pad.press("L3", "B"))
    game.wait("one less", lambda: len(game.machines()) == before)
    heard(game, "redo", lambda: pad.press("L3", "Start"))
    game.wait("one more again", lambda: len(game.machines()) == before + 1)
    pad.press("L3")  # the pipette
    heard(game, "tick", lambda: pad.press("B"))
    heard(game, "remove", lambda: pad.press("Y"))
    game.wait("one less", lambda: len(game.machines()) == before)
    pad.press("R3")
    game.settle()
    view = game.tile(6, 4)
    view_changes(game, lambda: pad.lean(2, 1.0))
    pad.lean(2, 0.0)
    view_changes(game, lambda: pad.press("RT"))
    view_changes(game, lambda: pad.press("R3"))
    assert near(game.tile(6, 4), view, 1.0)
    pad.press("Select")
    pad.press("Right")
    pad.press("A")
    game.wait("2x", lambda: (game.probe.last("time") or {}).get("speed") == 2)
    pad.press("B")
    heard(game, "start", lambda: pad.press("Start"))
    heard(game, "pause", lambda: pad.press("Start"))


def apart(a: Rect, b: Rect) -> bool:
    return (
        a[0] + a[2] <= b[0] + 0.5 or b[0] + b[2] <= a[0] + 0.5 or a[1] + a[3] <= b[1] + 0.5 or b[1] + b[3] <= a[1] + 0.5
    )


def inside(rect: Rect, shape: tuple[int, int]) -> bool:
    return rect[0] >= 0 and rect[1] >= 0 and rect[0] + rect[2] <= shape[0] + 1 and rect[1] + rect[3] <= shape[1] + 1


def resize(game: Player, shape: tuple[int, int]) -> None:
    find = ["xdotool", "search", "--name", "Token Factory", "windowsize", str(shape[0]), str(shape[1])]
    subprocess.run(find, env={**os.environ, "DISPLAY": game.display.name}, check=True)

    def settled() -> bool:
        bar = game.probe.targets().get("panel:bar")
        return bar is None or abs(bar[0] * 2 + bar[2] - shape[0]) < 4

    game.wait("the new window shape", settled)
    game.settle()


@pytest.mark.parametrize("shape", [*SHAPES, *LARGE], ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_nothing_overlaps_or_is_cut_off(game: Player, shape: tuple[int, int]) -> None:
    resize(game, shape)
    rects = game.probe.targets()
    game.picture(f"feel_{shape[0]}x{shape[1]}")
    assert [name for name, rect in rects.items() if not inside(rect, shape)] == []
    panels = [name for name in rects if name.startswith("panel:") or name == "time:start"]
    assert [pair for pair in combinations(panels, 2) if not apart(rects[pair[0]], rects[pair[1]])] == []
    buttons = [name for name in rects if name.startswith(("time:", "tool:", "dock:"))]
    assert [pair for pair in combinations(buttons, 2) if not apart(rects[pair[0]], rects[pair[1]])] == []
    assert all(min(rects[name][2:]) >= 22 for name in buttons)


@pytest.mark.parametrize("shape", [(640, 480), (800, 1000), (1280, 720)], ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_the_bar_of_the_selection_stands_beside_an_open_panel(game: Player, shape: tuple[int, int]) -> None:
    resize(game, shape)
    game.hand.key("ctrl+a")
    if "panel:details" not in game.probe.targets():
        game.hand.key("e")
    game.wait("bar and panel", lambda: {"panel:details", "selection:copy"} <= set(game.probe.targets()))
    game.settle()
    rects = game.probe.targets()
    bar = [name for name in rects if name.startswith("selection:")]
    others = [name for name in rects if name.startswith("panel:")]
    assert [pair for pair in product(bar, others) if not apart(rects[pair[0]], rects[pair[1]])] == []
    game.hand.key("Escape")


def test_in_the_smallest_window_what_teaches_covers_no_tile_and_no_line(game: Player) -> None:
    resize(game, (640, 480))
    if "panel:details" in game.probe.targets():
        game.hand.key("e")
        game.settle()
    game.click("hint:fold")
    game.settle()
    level, rects = load("1"), game.probe.targets()
    hint = rects["panel:hint"]
    tiles = [game.tile(x, y) for x, y in product((0, level.width), (0, level.height))]
    assert all(x > hint[0] + hint[2] for x, _ in tiles)
    assert apart(hint, rects["panel:status"]) or game.words()["status"] == ""
    game.click("hint:fold")


@pytest.mark.long
def test_the_result_can_be_put_aside_and_time_goes_back_from_there(game: Player) -> None:
    resize(game, (1280, 720))
    game.hand.move(POINT)
    before = game.probe.count("time")
    game.click("time:start")  # starts it, or begins anew
    game.wait("time to change", lambda: game.probe.count("time") > before)
    game.settle()
    if (game.probe.last("time") or {})["phase"] == "build":
        game.click("time:start")
    game.hand.key("F4")
    heard_before = game.probe.count("sound")
    game.probe.wait("the end", lambda: game.probe.last("result"), 120)
    game.wait("its sound", lambda: game.probe.count("sound") > heard_before)
    game.picture("feel_result")
    game.click("win:aside")
    game.wait("it to be small", lambda: game.probe.targets()["panel:result"][3] < 80)
    game.hand.move(game.tile(3, 1))
    game.hand.key("comma")
    game.wait("the run to go on", lambda: "panel:result" not in game.probe.targets())


def test_the_title_fits_the_smallest_window(game: Player) -> None:
    shape = SHAPES[0]
    game.click("time:title")
    game.probe.wait_screen("title")
    resize(game, shape)
    game.wait("the title's new shape", lambda: 0 < game.probe.targets().get("title:sandbox", [0])[0] < 200)
    game.settle()
    game.wait("all inside", lambda: all(inside(rect, shape) for rect in game.probe.targets().values()))
    assert len(game.probe.targets()) >= 4


def test_no_text_is_smaller_than_eleven_pixels() -> None:
    sizes = re.compile(r"Fonts\.(?:body|medium|strong)\((\d+)\)")
    small = {
        f"{path.name}: {size}"
        for path in (ROOT / "scenes").rglob("*.gd")
        for size in sizes.findall(path.read_text("utf-8"))
        if int(size) < 11
    }
    assert small == set()


def test_every_action_is_in_the_table_of_keys() -> None:
    actions = re.findall(r'^(\w+)={\n"deadzone"', (ROOT / "project.godot").read_text("utf-8"), re.MULTILINE)
    table = (ROOT / "docs" / "keys.md").read_text("utf-8")
    assert len(actions) > 40
    assert [action for action in actions if f"`{action}`" not in table and not action.startswith("ui_focus")] == []
