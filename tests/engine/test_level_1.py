"""Level 1: every kind of factory has its outcome, for its reason. Figures: a discrete-event model of the same case."""

from collections.abc import Callable

import pytest
from factories import PROMPT_DOCK, TOKEN_DOCK, lay, link, new, place, reference, run, slots

from engine.floor.belt import End
from engine.floor.geometry import Tile
from engine.simulation import Simulation

SEEDS = range(1, 21)
Build = Callable[[Simulation], None]

WINDING_16 = [(5, 1), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (9, 1), (8, 1), (7, 1), (6, 1), (6, 2), (6, 3), (5, 3)]
WINDING_16 += [(5, 4), (5, 5), (5, 6)]
WINDING_24 = [(5, 1), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (10, 1), (9, 1), (8, 1), (7, 1), (6, 1), (6, 2)]
WINDING_24 += [(7, 2), (8, 2), (9, 2), (10, 2), (10, 3), (9, 3), (8, 3), (7, 3), (6, 3), (5, 3), (5, 4)]


def split(count: int, way: list[Tile] | None = None) -> Build:
    """One card for each job."""

    def build(simulation: Simulation) -> None:
        prefill = place(simulation, "prefill_core", 3, 1)
        decode = place(simulation, "decode_core", 6, 4 if way is None else way[-1][1])
        slots(simulation, decode, count)
        link(simulation, PROMPT_DOCK, prefill)
        if way is None:
            assert link(simulation, prefill, decode) == 4
        else:
            lay(simulation, End(prefill, "e"), End(decode, "w"), way)
        link(simulation, decode, TOKEN_DOCK)

    return build


def one_card(count: int) -> Build:
    def build(simulation: Simulation) -> None:
        prefill, decode = place(simulation, "prefill_core", 3, 1), place(simulation, "decode_core", 6, 1)
        slots(simulation, decode, count)
        link(simulation, PROMPT_DOCK, prefill)
        link(simulation, prefill, decode)
        link(simulation, decode, TOKEN_DOCK)

    return build


def both_on_each(count: int) -> Build:
    def build(simulation: Simulation) -> None:
        one_card(count)(simulation)
        prefill, decode = place(simulation, "prefill_core", 6, 5), place(simulation, "decode_core", 8, 6, rot=1)
        slots(simulation, decode, count)
        link(simulation, prefill, decode)
        link(simulation, decode, TOKEN_DOCK)
        link(simulation, PROMPT_DOCK, prefill)

    return build


def both_on_one_decode_on_other(count: int) -> Build:
    def build(simulation: Simulation) -> None:
        one_card(count)(simulation)
        prefill, decode = 3, place(simulation, "decode_core", 6, 4)
        slots(simulation, decode, count)
        link(simulation, prefill, decode)
        link(simulation, decode, TOKEN_DOCK)

    return build


def outcome(build: Build, seed: int) -> Simulation:
    simulation = new(seed)
    build(simulation)
    return run(simulation)


def values(simulation: Simulation) -> dict[str, float]:
    return {judgement.goal.metric: judgement.value or 0.0 for judgement in simulation.judge()}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_for_each_job_and_a_short_way_wins(seed: int) -> None:
    simulation = outcome(split(4), seed)
    assert simulation.passed
    got = values(simulation)
    assert 35.2 <= got["tps"] <= 35.9
    assert got["ttft_p95"] == pytest.approx(2.27, rel=0.05)
    assert got["pause_p95"] == pytest.approx(0.07, abs=0.005)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reference_layout_wins(seed: int) -> None:
    assert outcome(reference, seed).passed


# name: factory, goals that it misses, the model's (tps, ttft_p95, pause_p95); None where it gives a range or nothing
LOSING: dict[str, tuple[Build, set[str], tuple[float | None, float | None, float | None]]] = {
    "16 tiles": (split(4, WINDING_16), {"ttft_p95"}, (35.5, 2.62, 0.07)),
    "24 tiles": (split(4, WINDING_24), {"ttft_p95"}, (35.5, 2.85, 0.07)),
    "1 slot": (split(1), {"tps", "ttft_p95"}, (None, None, 0.07)),
    "2 slots": (split(2), {"tps", "ttft_p95"}, (None, None, 0.07)),
    "one card, 1 slot": (one_card(1), {"tps", "ttft_p95"}, (12, None, 0.07)),
    "one card, 2 slots": (one_card(2), {"tps", "ttft_p95", "pause_p95"}, (19, None, 1.16)),
    "one card, 4 slots": (one_card(4), {"tps", "ttft_p95", "pause_p95"}, (28, None, 1.16)),
    "one card, 8 slots": (one_card(8), {"pause_p95"}, (35, None, 1.16)),
    "both on each, 1 slot": (both_on_each(1), {"tps", "ttft_p95"}, (24.2, 72, 0.07)),
    "both on each, 8 slots": (both_on_each(8), {"pause_p95"}, (35, 1.22, 1.16)),
    "both on one, decode on the other": (both_on_one_decode_on_other(4), {"pause_p95"}, (35, None, 1.16)),
}


@pytest.mark.parametrize("name", LOSING)
def test_other_factories_lose_for_their_reason(name: str) -> None:
    build, missed, figures = LOSING[name]
    for seed in (1, 2, 3):
        simulation = outcome(build, seed)
        assert {judgement.goal.metric for judgement in simulation.judge() if not judgement.met} == missed
        got = values(simulation)
        for metric, figure in zip(("tps", "ttft_p95", "pause_p95"), figures, strict=True):
            if figure is not None:
                assert got[metric] == pytest.approx(figure, rel=0.08)


def test_each_tile_of_the_hand_off_costs_first_tokens_29_ms() -> None:
    short, long = (values(outcome(split(4, way), 1))["ttft_p95"] for way in (WINDING_16, WINDING_24))
    assert (long - short) / 8 == pytest.approx(0.029, rel=0.01)


def test_a_prefill_stops_the_answers_on_its_card_for_its_whole_length() -> None:
    """The pause is one prefill and one decode step, read off the machines themselves."""
    simulation = new()
    one_card(8)(simulation)
    run(simulation)
    request = next(request for request in simulation.floor.requests.values() if request.done)
    prefill_ps = request.prefill_end_ps - request.prefill_start_ps
    score = simulation.score()
    assert score.pause_p95_ps is not None
    assert prefill_ps < score.pause_p95_ps < prefill_ps * 1.1
