"""The level in its real window, on a virtual display: what mouse and keys do to the factory."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from player import Player, playing

from tools.probe import Event

pytestmark = pytest.mark.godot

PANELS = {"panel:bar", "panel:tools", "panel:hint"}
ROOM_FOR_DOCK = 1280  # in a narrower window it is folded


class Game(Player):
    """The level, and what its floor and its time are expected to be."""

    def wait_machines(self, *expected: tuple[str, int, int, int]) -> None:
        """Wait until exactly these machines of the player stand on the floor: kind, x, y, rotation."""
        wanted = sorted(list(machine) for machine in expected)

        def there() -> bool:
            return self.machines() == wanted

        self.wait(f"the machines {wanted}", there)

    def wait_belts(self, count: int) -> None:
        self.wait(f"{count} belts", lambda: self.floor()["belts"] == count)

    def wait_time(self, **expected: Any) -> None:
        """Wait until time runs as expected: phase, speed, paused."""

        def shown() -> bool:
            event = self.probe.last("time")
            return event is not None and all(event[name] == value for name, value in expected.items())

        self.wait(f"time to be {expected}", shown)

    def choose(self, tool: str) -> None:
        self.click(f"tool:{tool}")

    def answer_to(self, act: Callable[[], None]) -> Event:
        """Do something that places; what the game said of it."""
        return self.after(act, "placed")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    with playing(tmp_path_factory.mktemp("game"), 1, player=Game) as one:
        yield one


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


def test_a_key_pressed_twice_within_a_frame_counts_twice(game: Game) -> None:
    for rotation in (2, 0):
        game.hand.key("r", "r")
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
    game.click("time:start")
    game.wait_time(phase="running", paused=False)
    game.wait("time to pass", lambda: game.now_ps() > 0)
    game.click("time:pause")
    game.wait_time(paused=True)
    held = game.now_ps()
    assert game.now_ps() == held
    game.hand.key("space")
    game.wait_time(paused=False)
    game.wait("time to pass again", lambda: game.now_ps() > held)


def test_speeds_are_chosen_by_button_and_key(game: Game) -> None:
    for speed in (2, 4, 8, 1):
        game.click(f"time:{speed}")
        game.wait_time(speed=speed, paused=False)
    for key, speed in {"F2": 2, "F3": 4, "F4": 8, "F1": 1}.items():
        game.hand.key(key)
        game.wait_time(speed=speed)


def test_packets_move_along_a_belt_wherever_the_camera_looks(game: Game, tmp_path: Path) -> None:
    middle = game.tile(8, 4)
    for _ in range(5):
        game.hand.click(middle, button=4)  # the wheel: the floor's far corner is out of sight now
    game.wait("the closer view", lambda: game.tile(8, 4) != middle)
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
    game.wait("the whole floor", lambda: game.tile(8, 4) == middle)


def test_x_removes_what_is_under_the_cursor_and_its_belts(game: Game) -> None:
    game.hand.move(game.tile(6, 4))
    game.hand.key("x")
    game.wait_machines(("prefill_core", 3, 1, 0))
    game.wait_belts(1)


def test_restart_keeps_the_layout_and_begins_anew(game: Game) -> None:
    game.click("time:start")
    game.wait_time(phase="build")
    assert game.now_ps() == 0
    game.wait_machines(("prefill_core", 3, 1, 0))
