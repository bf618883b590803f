"""The whole game by keyboard alone: from the title to the win of level 1, without a mouse."""

import pytest

from tools import godot
from tools.autoplay import HASTE, RESULT_S, START_S, Window, game_window, reference_layout
from tools.paths import ROOT

pytestmark = [pytest.mark.godot, pytest.mark.long]

TOOLS = {"prefill_core": "2", "decode_core": "3"}
MIDDLE = (6, 4)  # where the cursor comes onto the floor


class Keys:
    """Where the floor cursor is, and how it gets elsewhere."""

    def __init__(self, window: Window) -> None:
        self.hand, self.probe = window.hand, window.probe
        self.at = MIDDLE

    def go(self, tile: tuple[int, int]) -> None:
        """Arrow keys, tile by tile: x is left and right, y up and down."""
        for axis, names in enumerate((("Left", "Right"), ("Up", "Down"))):
            way = tile[axis] - self.at[axis]
            for _ in range(abs(way)):
                self.hand.key(names[way > 0])
        self.at = tile

    def changed(self, key: str, found: str, count: int) -> None:
        """Press a key, and wait until there are so many of something on the floor."""
        self.hand.key(key)

        def there() -> dict[str, object] | None:
            floor = self.probe.last("floor") or {"machines": [], "belts": 0}
            have = floor["belts"] if found == "belts" else len(floor["machines"]) - 2
            return {} if have == count else None

        self.probe.wait(f"{count} {found}", there, 30)


def test_level_1_is_won_from_the_title_with_keys_alone() -> None:
    layout = reference_layout(1)
    with game_window([godot.game(), "--path", str(ROOT), *HASTE]) as window:
        keys, probe = Keys(window), window.probe
        probe.wait_screen("title", START_S)
        probe.target("title:play")
        keys.hand.key("Return")
        probe.wait_screen("level", START_S)
        probe.target("time:start")
        keys.hand.key("q")
        keys.hand.key("Right")  # the first press brings the cursor to the middle of the floor
        for number, machine in enumerate(layout["machines"], 1):
            keys.hand.key(TOOLS[machine["kind"]])
            keys.go((machine["x"], machine["y"]))
            keys.changed("Return", "machines", number)
        for number, belt in enumerate(layout["belts"], 1):
            keys.hand.key("Escape")
            keys.hand.key("1")
            keys.go(tuple(belt["tiles"][0]))
            keys.hand.key("Return")
            for tile in belt["tiles"][1:]:
                keys.go(tuple(tile))
            keys.go((belt["to"]["x"], belt["to"]["y"]))
            keys.changed("Return", "belts", number)
        keys.hand.key("space")
        keys.hand.key("F4")
        result = probe.wait("the result", lambda: probe.last("result"), RESULT_S)
    assert result["passed"]
