"""Level 4: what static batches cannot reach, whatever their size, and what continuous ones can."""

import pytest
from factories import do, new, run

from engine.level.load import load
from engine.metrics.ledger import Score

LEVEL_4 = load("4")
TARGET = LEVEL_4.goals[0].target


def score(slots: int, *beside: str, seed: int = 1) -> Score:
    """A Model Server with a batch limit, and what stands beside it."""
    game = new(seed, LEVEL_4)
    layout = LEVEL_4.reference
    kept = [one for one in layout["machines"] if one["kind"] in ("model_server", *beside)]
    do(game, "layout", layout={**layout, "machines": kept})
    (server,) = [id for id, one in game.floor.machines.items() if one.stand.kind.name == "model_server"]
    do(game, "set", id=server, name="max_num_seqs", value=slots)
    run(game)
    found = game.score()
    assert game.passed == ((found.tps or 0) >= TARGET)
    return found


def tps(slots: int, *beside: str, seed: int = 1) -> float:
    return score(slots, *beside, seed=seed).tps or 0.0


@pytest.mark.parametrize(("slots", "expected"), [(8, 345), (16, 613), (24, 815), (27, 861), (256, 861)])
def test_static_batches_do_not_reach_a_thousand_whatever_their_size(slots: int, expected: int) -> None:
    """Figures: a discrete-event model of the measured run. From 27 on memory is the limit, as whole answers reserve."""
    assert tps(slots) == pytest.approx(expected, rel=0.04)
    assert tps(slots, "page_allocator") < 950, "pages do not help those that reserve"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_joining_between_steps_gives_a_thousand_and_pages_more(seed: int) -> None:
    static, joined = tps(256, seed=seed), tps(256, "batcher", seed=seed)
    both = tps(32, "batcher", "page_allocator", seed=seed)
    assert static < 920 < 970 < joined < TARGET < both


def test_too_many_at_a_time_lose_their_memory_to_one_another() -> None:
    few, many = (score(slots, "batcher", "page_allocator") for slots in (32, 256))
    assert few.tps is not None
    assert many.tps is not None
    assert few.pause_p95_ps is not None
    assert many.pause_p95_ps is not None
    assert few.tps > many.tps > TARGET
    assert few.pause_p95_ps < 0.5e12 < 1e12 < many.pause_p95_ps
