"""Seeing why, in the real game: the line that names the bottleneck, the overlay, what a step of a setting would change,
and the report of a core that ran out of memory.
"""

from collections.abc import Iterator

import pytest
from player import Player, playing

from engine.level.load import load
from tools.autoplay import build

pytestmark = pytest.mark.godot

LEVEL = 2
NAIVE = load(str(LEVEL)).naive
CORE = next(machine for machine in NAIVE["machines"] if machine["kind"] == "decode_core")


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    with playing(tmp_path_factory.mktemp("reading"), LEVEL) as one:
        yield one


def panel(player: Player) -> list[str]:
    player.probe.refresh()
    return list((player.probe.last("panel") or {"texts": []})["texts"])


def wait_panel(player: Player, *parts: str) -> None:
    def said() -> bool:
        texts = " | ".join(panel(player))
        return all(part in texts for part in parts)

    player.wait(f"{parts} in the panel; it says {panel(player)}", said)


def wait_line(player: Player, *parts: str) -> None:
    """Wait until the line under the bar says all of this."""

    def said() -> bool:
        return all(part in str(player.words().get("status")) for part in parts)

    player.wait(f"{parts} in the line; it says {player.words()}", said)


# The tests follow each other on one floor, as a player's actions do.


def test_the_line_names_what_is_missing_and_to_those_who_ask_what_would_help(player: Player) -> None:
    wait_line(player, "there is no Prefill Core")
    player.wait("the button that asks", lambda: "status:ask" in player.probe.targets())
    assert "Place" not in str(player.words()["status"])
    player.click("status:ask")
    wait_line(player, "there is no Prefill Core", "Place a Prefill Core on GPU A (and 2 more)", "Tokens / s 0.0 → 65")


def test_the_line_says_ahead_what_a_layout_will_do(player: Player) -> None:
    build(player, NAIVE)
    player.hand.key("h")
    wait_line(player, "The pipeline is whole")
    player.hand.key("h")
    wait_line(player, "Ahead: The Decode Core runs out of memory 59 s after the start.")
    wait_line(player, "Place a Page Allocator on GPU B: Tokens / s 0.0 → 65.2, simulated")


def test_pressing_the_line_selects_the_machine(player: Player) -> None:
    left, top, _, _ = player.probe.targets()["panel:status"]
    player.hand.click((left + 100, top + 14))  # on its words, beside the button that asks
    wait_panel(player, "Decode Core", "Batch 0 of 3", "Point at − or +")


def test_a_step_of_a_setting_is_simulated_while_it_is_pointed_at(player: Player) -> None:
    player.settle()
    player.hand.move(player.probe.target("setting:max_num_seqs:less"))
    wait_panel(player, "Batch limit: 2, simulated:", "Tokens / s 0.0 → 50.9", "OOM 1 → 0")


def test_a_setting_goes_back_to_its_default(player: Player) -> None:
    player.click("setting:max_num_seqs:less")
    wait_panel(player, "Batch 0 of 2", "Batch limit: 1, simulated:")  # the next step, since the mouse is still there
    player.click("setting:max_num_seqs:reset")
    wait_panel(player, "Batch 0 of 3")


def test_the_overlay_names_each_machine_and_what_limits_it(player: Player) -> None:
    player.hand.key("o")
    player.click("time:start")
    player.click("time:8")

    def busy() -> bool:
        said = " | ".join(player.words()["overlay"])
        return "Decode Core" in said and "memory bandwidth" in said and "Prefill Core" in said

    player.wait(f"the overlay to say what limits the cores; {player.words()}", busy)
    assert len(player.words()["overlay"]) == 4
    player.click("dock:overlay")
    player.wait("the overlay to go", lambda: player.words()["overlay"] == [])


def test_a_crash_says_who_held_what_and_what_helps(player: Player) -> None:
    wait_line(player, "The Decode Core ran out of memory")
    wait_panel(
        player,
        "Request 3 asked for 336 MiB of KV memory; 173 MiB were free.",
        "Request 1 256 of 336 MiB",
        "Request 2 158 of 336 MiB",
        "Set Batch limit of the Decode Core to 2 | Tokens / s 0.0 → 50.9, simulated",
        "Place a Page Allocator on GPU B | Tokens / s 0.0 → 65.2, simulated",
    )
    player.click("details:reboot")
    player.wait("the core to run again", lambda: "State out of memory" not in panel(player))
