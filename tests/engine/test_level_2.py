"""Level 2: every kind of factory has its outcome, for its reason. Figures: a discrete-event model of the same case."""

from collections.abc import Callable
from math import nan

import pytest
from factories import PROMPT_DOCK, TOKEN_DOCK, do, link, new, place, reference, run, slots

from engine.floor.machines import DecodeCore
from engine.floor.machines.core import Core
from engine.level.load import load
from engine.simulation import Simulation
from engine.units import MIB

LEVEL_2 = load("2")
SEEDS = range(1, 21)
Build = Callable[[Simulation], None]


def split(count: int, paged: bool, max_model_len: int = 3072) -> Build:
    """One card for each job."""

    def build(simulation: Simulation) -> None:
        prefill, decode = place(simulation, "prefill_core", 3, 1), place(simulation, "decode_core", 6, 4)
        slots(simulation, decode, count)
        do(simulation, "set", id=decode, name="max_model_len", value=max_model_len)
        link(simulation, PROMPT_DOCK, prefill)
        assert link(simulation, prefill, decode) == 4
        link(simulation, decode, TOKEN_DOCK)
        if paged:
            place(simulation, "page_allocator", 8, 6)

    return build


def one_card(count: int, paged: bool) -> Build:
    def build(simulation: Simulation) -> None:
        prefill, decode = place(simulation, "prefill_core", 3, 1), place(simulation, "decode_core", 6, 1)
        slots(simulation, decode, count)
        link(simulation, PROMPT_DOCK, prefill)
        link(simulation, prefill, decode)
        link(simulation, decode, TOKEN_DOCK)
        if paged:
            place(simulation, "page_allocator", 3, 3)

    return build


def both_on_each(count: int, paged: bool = False) -> Build:
    def build(simulation: Simulation) -> None:
        one_card(count, paged)(simulation)
        prefill, decode = place(simulation, "prefill_core", 6, 5), place(simulation, "decode_core", 8, 6, rot=1)
        slots(simulation, decode, count)
        link(simulation, prefill, decode)
        link(simulation, decode, TOKEN_DOCK)
        link(simulation, PROMPT_DOCK, prefill)
        if paged:
            place(simulation, "page_allocator", 6, 7)

    return build


def outcome(build: Build, seed: int) -> Simulation:
    simulation = new(seed, LEVEL_2)
    build(simulation)
    return run(simulation)


def values(simulation: Simulation) -> dict[str, float]:
    """By goal; nothing said yet is not a number."""
    return {
        judgement.goal.metric: nan if judgement.value is None else judgement.value for judgement in simulation.judge()
    }


def missed(simulation: Simulation) -> set[str]:
    return {judgement.goal.metric for judgement in simulation.judge() if not judgement.met}


def preemptions(simulation: Simulation) -> int:
    return sum(core.scheduler.preemptions for core in simulation.floor.machines.values() if isinstance(core, Core))


@pytest.mark.parametrize("seed", SEEDS)
def test_three_sequences_in_pages_win(seed: int) -> None:
    for build in (split(3, paged=True), reference):
        simulation = outcome(build, seed)
        assert simulation.passed
        assert preemptions(simulation) == 0
        got = values(simulation)
        assert got["tps"] == pytest.approx(67.5, rel=0.05)
        assert got["pause_p95"] == pytest.approx(0.045, abs=0.01)


@pytest.mark.parametrize("count", [4, 8])
def test_more_sequences_than_fit_are_preempted_and_stall(count: int) -> None:
    """They reach the tokens all the same: what fails is the pause of those that have to start anew.

    As in the model, most seeds fail and some do not: pauses lie between .04 and 18.6 s.
    """
    failed = 0
    for seed in SEEDS:
        simulation = outcome(split(count, paged=True), seed)
        got = values(simulation)
        assert got["tps"] == pytest.approx(67, rel=0.05)
        assert missed(simulation) <= {"pause_p95"}
        failed += bool(missed(simulation))
        assert 0.04 < got["pause_p95"] < 18.6
        assert preemptions(simulation) > 0
    assert failed > len(SEEDS) / 2


TOLERANCE = 0.06
"""Of the mean over the seeds, beyond the model's range. Pauses that are a prefill have twice as much: ours takes 6.0 s
where the model has 6.6 s, as it multiplies prompts with 2.82 of 3.21 B parameters, without table and output head."""
# name: factory, goals that it misses, the model's ranges of tps and pause_p95; None where it gives nothing
Range = tuple[float, float] | None
LOSING: dict[str, tuple[Build, set[str], Range, Range]] = {
    "contiguous, 1 slot": (split(1, paged=False), {"tps"}, (28.8, 28.8), (0.03, 0.05)),
    "contiguous, 2 slots": (split(2, paged=False), {"tps"}, (51, 53), (0.03, 0.05)),
    # before its queue has built up, a prompt may be prefilled while an answer is under way: a pause on single seeds
    "both on each, 1 slot": (both_on_each(1), {"tps"}, (51, 51), None),
    "both on each, 2 slots": (both_on_each(2), {"pause_p95"}, (65, 69), (8.3, 8.3)),
    # single seeds of ours lie below the model's row of 47-51 TPS and 22 s or more: 43.6, and 14 s
    "one card, paged": (one_card(3, paged=True), {"tps", "pause_p95"}, (47, 51), (22, float("inf"))),
    # not in the model's table
    "one card, paged, 8 slots": (one_card(8, paged=True), {"tps", "pause_p95"}, None, None),
    "one card, contiguous": (one_card(2, paged=False), {"tps", "pause_p95"}, None, None),
    # nobody runs out of memory with a third slot: prompts wait on their card until a sequence has left
    "both on each, 3 slots": (both_on_each(3), {"pause_p95"}, None, None),
    "both on each, paged": (both_on_each(3, paged=True), {"pause_p95"}, None, None),
}


def check(found: list[float], expected: Range, tolerance: float) -> None:
    """The mean is within the range, give or take."""
    if expected is not None:
        assert expected[0] * (1 - tolerance) <= sum(found) / len(found) <= expected[1] * (1 + tolerance)


@pytest.mark.parametrize("name", LOSING)
def test_other_factories_lose_for_their_reason(name: str) -> None:
    build, misses, tps, pause = LOSING[name]
    all_got = []
    for seed in SEEDS:
        simulation = outcome(build, seed)
        assert misses <= missed(simulation), seed
        all_got.append(values(simulation))
    check([got["tps"] for got in all_got], tps, TOLERANCE)
    check([got["pause_p95"] for got in all_got], pause, 2 * TOLERANCE)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_third_reservation_is_out_of_memory(seed: int) -> None:
    """The naive factory: two pieces of 336 MiB fit into what weights leave, the third takes the core down."""
    simulation = outcome(split(3, paged=False), seed)
    got = values(simulation)
    assert (got["tps"], got["out_of_memory"]) == (0, 1)
    told = [params for _, code, params in simulation.floor.events if code == "memory.out"]
    assert [(params["pieces"], params["lost"]) for params in told] == [(2, 3)]
    assert missed(simulation) >= {"tps", "out_of_memory"}


def test_the_report_says_who_held_what() -> None:
    simulation = outcome(split(3, paged=False), 1)
    core = next(machine for machine in simulation.floor.machines.values() if isinstance(machine, DecodeCore))
    told = core.report
    assert [size // MIB for _, size, _ in told["held"]] == [336, 336]
    assert all(0 < used < size for _, size, used in told["held"])
    assert told["wanted_bytes"] // MIB == 336
    fixed = told["overhead_bytes"] + told["weights_bytes"]
    assert fixed + told["kv_bytes"] + told["wanted_bytes"] > told["vram_bytes"]
    for helps in (split(2, paged=False), split(3, paged=True)):
        assert values(outcome(helps, 1))["out_of_memory"] == 0


def test_smaller_reservations_fit_but_refuse_a_quarter() -> None:
    """Three pieces of 2,560 tokens fit; sequences that are longer are turned away, so there is not enough to do."""
    shares, all_got = [], []
    for seed in SEEDS:
        simulation = outcome(split(3, paged=False, max_model_len=2560), seed)
        all_got.append(values(simulation))
        assert missed(simulation) == {"tps", "refused"}, seed
        shares.append(simulation.score().refused / len(simulation.floor.requests))
    check([got["tps"] for got in all_got], (40, 52), TOLERANCE)
    check([got["pause_p95"] for got in all_got], (0.03, 0.05), TOLERANCE)
    check(shares, (0.27, 0.27), TOLERANCE)


def test_the_level_does_not_offer_what_would_win_without_pages() -> None:
    """In the model, static batches of two on each card never pause an answer for a prompt and reach 66 to 69 TPS."""
    assert set(LEVEL_2.settings["prefill_core"]) == {"max_num_batched_tokens"}
    assert set(LEVEL_2.settings["decode_core"]) == {"max_num_seqs", "max_model_len"}


def test_the_decode_card_holds_two_reservations_or_483_blocks() -> None:
    """846 MiB beside weights and driver: two pieces of 336 MiB, or 483 blocks of 16 tokens."""
    for paged, pieces in ((False, 2), (True, 483)):
        simulation = new(level=LEVEL_2)
        split(2, paged)(simulation)
        assert simulation.floor.pads[1].pool.total == pieces
