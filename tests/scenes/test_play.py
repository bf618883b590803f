"""The level in its real window, on a virtual display: what mouse and keys do to the factory."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from tools import godot
from tools.display import Display, virtual_display
from tools.hand import Hand
from tools.paths import ROOT
from tools.probe import Probe

pytestmark = pytest.mark.godot

WAIT_S = 20.0
PANELS = {"panel:bar", "panel:tools", "panel:hint"}
ROOM_FOR_DOCK = 1280  # in a narrower window it is folded


@dataclass(frozen=True)
class Game:
    """The game in a window of its own: its probe, and a hand on its mouse and keys."""

    probe: Probe
    hand: Hand
    display: Display

    def floor(self) -> dict[str, Any]:
        """What stands on the floor, as last shown."""
        self.probe.refresh()
        return self.probe.last("floor") or {"machines": [], "belts": 0}

    def tile(self, x: float, y: float) -> tuple[float, float]:
        self.probe.refresh()
        return self.probe.tile(x, y)

    def wait(self, what: str, found: Callable[[], bool]) -> None:
        """Wait until the game shows something."""
        self.probe.wait(what, lambda: {} if found() else None, WAIT_S)

    def wait_machines(self, *expected: tuple[str, int, int, int]) -> None:
        """Wait until exactly these machines of the player stand on the floor: kind, x, y, rotation."""
        wanted = sorted(list(machine) for machine in expected)

        def there() -> bool:
            machines = self.floor()["machines"]
            return sorted(machine for machine in machines if not machine[0].endswith("_dock")) == wanted

        self.wait(f"the machines {wanted}; there are {self.floor()['machines']}", there)

    def wait_belts(self, count: int) -> None:
        self.wait(f"{count} belts", lambda: self.floor()["belts"] == count)

    def wait_time(self, **expected: Any) -> None:
        """Wait until time runs as expected: phase, speed, paused."""

        def shown() -> bool:
            event = self.probe.last("time")
            return event is not None and all(event[name] == value for name, value in expected.items())

        self.wait(f"time to be {expected}", shown)

    def now_ps(self) -> int:
        """Simulated time, told anew."""
        before = self.probe.count("clock")
        self.wait("the clock", lambda: self.probe.count("clock") > before)
        event = self.probe.last("clock")
        assert event is not None
        return int(event["t_ps"])

    def choose(self, tool: str) -> None:
        self.hand.click(self.probe.target(f"tool:{tool}"))

    def answer_to(self, act: Callable[[], None]) -> dict[str, Any]:
        """Do something that places; what the game said of it."""
        before = self.probe.count("placed")
        act()
        self.wait("an answer", lambda: self.probe.count("placed") > before)
        event = self.probe.last("placed")
        assert event is not None
        return event


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    folder: Path = tmp_path_factory.mktemp("game")
    with virtual_display() as display, (folder / "log").open("wb") as log:
        environment = {**os.environ, **godot.environment(), "DISPLAY": display.name, "XDG_DATA_HOME": str(folder)}
        environment.pop("WAYLAND_DISPLAY", None)
        shape = ["--resolution", "1280x720", "--position", "0,0", "--audio-driver", "Dummy"]
        command = [godot.game(), "--path", str(ROOT), *shape, "--probe", str(folder / "probe"), "--level", "1"]
        running = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            probe = Probe(folder / "probe", lambda: running.poll() is None)
            probe.wait_screen("level", 60)
            yield Game(probe, Hand(display.name), display)
        finally:
            running.terminate()
            running.wait()
    told = (folder / "log").read_text("utf-8", "replace")
    assert "SCRIPT ERROR" not in told, told
    assert "Traceback" not in told, told


# The tests follow each other on one floor, as a player's actions do.


def test_a_click_places_the_machine_in_hand(game: Game) -> None:
    game.choose("prefill_core")
    answer = game.answer_to(lambda: game.hand.click(game.tile(3, 1)))
    assert "id" in answer
    game.wait_machines(("prefill_core", 3, 1, 0))


def test_a_place_that_is_not_allowed_is_refused_with_its_reason(game: Game) -> None:
    game.choose("decode_core")
    answer = game.answer_to(lambda: game.hand.click(game.tile(1, 5)))
    assert answer["code"] == "place.needs_pad"
    game.wait_machines(("prefill_core", 3, 1, 0))


def test_keys_alone_place_a_turned_machine(game: Game) -> None:
    game.hand.move(game.tile(6, 4))
    game.hand.key("Right")
    game.hand.key("Down")
    game.hand.key("r")
    game.answer_to(lambda: game.hand.key("Return"))
    game.wait_machines(("prefill_core", 3, 1, 0), ("decode_core", 7, 5, 1))
    game.hand.key("Escape")


def test_dragging_a_machine_moves_it(game: Game) -> None:
    game.hand.drag([game.tile(7, 5), game.tile(6, 5), game.tile(6, 4)])
    game.wait_machines(("prefill_core", 3, 1, 0), ("decode_core", 6, 4, 1))


def test_r_turns_the_machine_under_the_cursor(game: Game) -> None:
    game.hand.move(game.tile(6, 4))
    for rotation in (2, 3, 0):
        game.hand.key("r")
        game.wait_machines(("prefill_core", 3, 1, 0), ("decode_core", 6, 4, rotation))


def test_dragging_from_machine_to_machine_lays_a_belt(game: Game) -> None:
    game.choose("belt")
    for count, way in enumerate([[(1, 1), (3, 1)], [(4, 1), (5, 2), (6, 4)], [(6, 4), (8, 4), (10, 5)]], start=1):
        points = [game.tile(x, y) for x, y in way]
        answer = game.answer_to(lambda points=points: game.hand.drag(points))
        assert "id" in answer
        game.wait_belts(count)
    game.hand.key("Escape")


def test_start_lets_time_pass_and_pause_holds_it(game: Game) -> None:
    assert game.now_ps() == 0
    game.hand.click(game.probe.target("time:start"))
    game.wait_time(phase="running", paused=False)
    game.wait("time to pass", lambda: game.now_ps() > 0)
    game.hand.click(game.probe.target("time:pause"))
    game.wait_time(paused=True)
    held = game.now_ps()
    assert game.now_ps() == held
    game.hand.key("space")
    game.wait_time(paused=False)
    game.wait("time to pass again", lambda: game.now_ps() > held)


def test_speeds_are_chosen_by_button_and_key(game: Game) -> None:
    for speed in (2, 4, 8, 1):
        game.hand.click(game.probe.target(f"time:{speed}"))
        game.wait_time(speed=speed, paused=False)
    for key, speed in {"F2": 2, "F3": 4, "F4": 8, "F1": 1}.items():
        game.hand.key(key)
        game.wait_time(speed=speed)


def test_packets_move_along_a_belt_wherever_the_camera_looks(game: Game, tmp_path: Path) -> None:
    middle = game.tile(8, 4)
    for _ in range(5):
        game.hand.click(middle, button=4)  # the wheel: the floor's far corner is out of sight now
    game.probe.wait("the closer view", lambda: {} if game.tile(8, 4) != middle else None, WAIT_S)
    x, y = game.tile(8, 4)
    game.hand.move((x - 200, y + 100))
    time.sleep(0.5)  # the mark under the mouse goes away
    box = (round(x) - 40, round(y) - 20, round(x) + 40, round(y) + 20)
    pictures = []

    def moved() -> bool:
        game.display.picture(tmp_path / "now.png")
        with Image.open(tmp_path / "now.png") as picture:
            pictures.append(picture.convert("RGB").crop(box))
        difference = ImageChops.difference(pictures[0], pictures[-1])
        return max(most for _, most in difference.getextrema()) > 80

    game.wait("packets that move", moved)
    game.hand.key("f")
    game.probe.wait("the whole floor", lambda: {} if game.tile(8, 4) == middle else None, WAIT_S)


def test_x_removes_what_is_under_the_cursor_and_its_belts(game: Game) -> None:
    game.hand.move(game.tile(6, 4))
    game.hand.key("x")
    game.wait_machines(("prefill_core", 3, 1, 0))
    game.wait_belts(1)


def test_restart_keeps_the_layout_and_begins_anew(game: Game) -> None:
    game.hand.click(game.probe.target("time:start"))
    game.wait_time(phase="build")
    assert game.now_ps() == 0
    game.wait_machines(("prefill_core", 3, 1, 0))
