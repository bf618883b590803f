"""Seeing why, in the real game: the line that names the bottleneck, the overlay, what a step of a setting would change,
and the report of a core that ran out of memory.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from player import Player, playing

from engine.floor.layout import layout_from_data
from engine.floor.machines import DecodeCore
from engine.level.load import load
from engine.protocol.play import play
from engine.simulation import Simulation
from engine.units import MIB, PS_PER_S
from tools.autoplay import build

pytestmark = pytest.mark.godot

LEVEL = 2
SPEC = load(str(LEVEL))
NAIVE = SPEC.naive
CORE = next(machine for machine in NAIVE["machines"] if machine["kind"] == "decode_core")


def run(layout: dict[str, Any]) -> Simulation:
    """The same run on the command line's engine: what the game says of it has to be this."""
    return play(SPEC, 1, layout_from_data(layout))


def tps(layout: dict[str, Any]) -> str:
    return f"{run(layout).score().tps:.1f}"


def with_slots(layout: dict[str, Any], slots: int) -> dict[str, Any]:
    machines = [
        {**machine, "settings": {"max_num_seqs": slots}} if machine["kind"] == "decode_core" else machine
        for machine in layout["machines"]
    ]
    return {**layout, "machines": machines}


@pytest.fixture(scope="module")
def gain_of_pages() -> str:
    return f"Tokens / s {tps(NAIVE)} → {tps(SPEC.reference)}"


@pytest.fixture(scope="module")
def gain_of_two_slots() -> str:
    return f"Tokens / s {tps(NAIVE)} → {tps(with_slots(NAIVE, 2))}"


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """What the core that ran out of memory wrote down."""
    return next(one.report for one in run(NAIVE).floor.machines.values() if isinstance(one, DecodeCore))


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

    player.wait(f"{parts} in the panel", said)


def wait_line(player: Player, *parts: str) -> None:
    """Wait until the line under the bar says all of this."""

    def said() -> bool:
        return all(part in str(player.words().get("status")) for part in parts)

    player.wait(f"{parts} in the line", said)


# The tests follow each other on one floor, as a player's actions do.


def test_the_line_names_what_is_missing_and_to_those_who_ask_what_would_help(player: Player) -> None:
    wait_line(player, "there is no Prefill Core")
    player.wait("the button that asks", lambda: "status:ask" in player.probe.targets())
    assert "Place" not in str(player.words()["status"])
    player.click("status:ask")
    wait_line(player, "there is no Prefill Core", "Place a Prefill Core on GPU A (and 2 more): Tokens / s 0.0 → ")


def test_the_line_says_ahead_what_a_layout_will_do(player: Player, report: dict[str, Any], gain_of_pages: str) -> None:
    build(player, NAIVE)
    after_s = report["t_ps"] // PS_PER_S
    ahead = f"Ahead: The Decode Core runs out of memory {after_s} s after the start."
    wait_line(player, ahead)  # before that there is nothing to ask for
    player.hand.key("h")
    wait_line(player, "The pipeline is whole")
    player.hand.key("h")
    wait_line(player, ahead)
    wait_line(player, f"Place a Page Allocator on GPU B: {gain_of_pages}, simulated")


def test_pressing_the_line_selects_the_machine(player: Player) -> None:
    left, top, _, _ = player.probe.targets()["panel:status"]
    player.hand.click((left + 100, top + 14))  # on its words, beside the button that asks
    wait_panel(player, "Decode Core", "Batch 0 of 3", "Point at − or +")


def test_a_step_of_a_setting_is_simulated_while_it_is_pointed_at(player: Player, gain_of_two_slots: str) -> None:
    player.settle()
    player.hand.move(player.probe.target("setting:max_num_seqs:less"))
    wait_panel(player, "Batch limit: 2, simulated:", gain_of_two_slots, "OOM 1 → 0")


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

    player.wait("the overlay to say what limits the cores", busy)
    assert len(player.words()["overlay"]) == 4
    player.click("dock:overlay")
    player.wait("the overlay to go", lambda: player.words()["overlay"] == [])


def test_a_crash_says_who_held_what_and_what_helps(
    player: Player, report: dict[str, Any], gain_of_pages: str, gain_of_two_slots: str
) -> None:
    taken = report["weights_bytes"] + report["overhead_bytes"] + report["kv_bytes"]
    free, wanted = (size // MIB for size in (report["vram_bytes"] - taken, report["wanted_bytes"]))
    wait_line(player, "The Decode Core ran out of memory")
    wait_panel(
        player,
        f"Request {report['request']} asked for {wanted} MiB of KV memory; {free} MiB were free.",
        *(f"Request {id} {used // MIB} of {held // MIB} MiB" for id, held, used in report["held"]),
        f"Set Batch limit of the Decode Core to 2 | {gain_of_two_slots}, simulated",
        f"Place a Page Allocator on GPU B | {gain_of_pages}, simulated",
    )
    player.click("details:reboot")
    player.wait("the core to run again", lambda: "State out of memory" not in panel(player))
