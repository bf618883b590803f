"""A Model Server: nothing is lost and every speed is the same, whatever stands beside it; and its real counterparts."""

import attrs
import pytest
from factories import do, new, run
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import meddling
from test_conservation import check
from test_determinism import play_meddled

from engine.errors import EngineError
from engine.fidelity.batching import RUN, chunked, tps
from engine.level import ChangeTraffic, Lengths, Level, PoissonTraffic, Setting, Tenant, TraceTraffic
from engine.level.effects import apply_effects
from engine.level.load import load
from engine.protocol.commands import give, replay
from engine.scheduling.scheduler import Scheduler
from engine.serving.measured import read_run
from engine.simulation import Simulation
from engine.units import PS_PER_S
from tests.measured import measured

LEVEL_4, LEVEL_5 = load("4"), load("5")
MODELS = ["llama-3.2-1b", "llama-3.2-3b"]
MIXED = attrs.evolve(
    LEVEL_5,
    id="mixed",
    models=MODELS,
    tenants=[
        Tenant("chat", PoissonTraffic(2, Lengths(50, 900), Lengths(1, 200)), prefix_tokens=40, prefixes=3),
        Tenant("documents", PoissonTraffic(0.3, Lengths(4_000, 12_000), Lengths(1, 60))),
    ],
    allowed={"model_server": 2, "batcher": 1, "chunker": 1, "page_allocator": 1},
    settings={
        **LEVEL_5.settings,
        "model_server": {**LEVEL_5.settings["model_server"], "model": Setting(1, 0, 1, choices=MODELS)},
        "page_allocator": {"block_size": Setting(16, 1, 64)},
    },
    memory_utilization=0.45,
    end_s=60,
    goals=[],
)
"""Short of memory, with one model or two on the card, and everything that may stand beside them."""


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([LEVEL_4, LEVEL_5, MIXED]))
def test_nothing_is_lost_whatever_the_player_does(seed: int, level: Level) -> None:
    level = attrs.evolve(level, end_s=60)
    game = new(seed, level)
    do(game, "layout", layout=level.reference)
    do(game, "start")
    for time, command in meddling(seed, 20, level):
        game.advance(time)
        try:
            give(game, command)
        except EngineError:
            continue
        check(game)
    game.advance(game.end_ps)
    check(game)


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([attrs.evolve(LEVEL_4, end_s=60), MIXED]))
def test_every_speed_and_every_checkpoint_gives_the_same(seed: int, level: Level) -> None:
    games = [play_meddled(seed, speed, level) for speed in ("max", "step")]
    assert games[0].state_hash() == games[1].state_hash()
    for checkpoint in games[0].checkpoints:
        restored = Simulation.restore(level, checkpoint)
        replay(level, seed, games[0].commands[checkpoint.commands :], games[0].end_ps, restored)
        assert restored.state_hash() == games[0].state_hash()
        assert restored.score() == games[0].score()


def test_each_tenant_has_a_stream_of_its_own_whoever_else_there_is() -> None:
    """Adding a tenant changes nothing for the others."""
    alone = attrs.evolve(MIXED, tenants=MIXED.tenants[:1])
    asked = []
    for level in (alone, MIXED):
        game = run(new(3, level))
        chat = [one for one in game.floor.requests.values() if one.tenant == 0]
        asked.append([(one.arrival_ps, one.prompt_tokens, one.output_tokens, one.prefix) for one in chat])
        assert {one.prefix for one in chat} == {0, 1, 2}
    assert asked[0] == asked[1]
    documents = [one for one in game.floor.requests.values() if one.tenant == 1]
    assert len(documents) > 10
    assert {one.prefix for one in documents} == {-1}


def test_the_traffic_of_one_tenant_changes_and_a_checkpoint_knows() -> None:
    games = [new(3, MIXED), new(3, MIXED)]
    for game in games:
        do(game, "start")
        game.advance(10 * PS_PER_S)
    apply_effects(games[0], [ChangeTraffic(PoissonTraffic(5, Lengths(10, 20), Lengths(1, 2)), tenant="documents")])
    restored = Simulation.restore(MIXED, games[0].checkpoint())
    for game in (*games, restored):
        game.advance(game.end_ps)
    asked = [[one for one in game.floor.requests.values() if one.tenant == 0] for game in games]
    assert [one.arrival_ps for one in asked[0]] == [one.arrival_ps for one in asked[1]]
    assert len(games[0].floor.requests) > len(games[1].floor.requests) + 150
    assert restored.state_hash() == games[0].state_hash()


def test_a_request_that_could_never_fit_is_refused() -> None:
    level = attrs.evolve(LEVEL_4, traffic=TraceTraffic([[0, 60_000, 10], [0, 100, 10]]), end_s=30)
    game = new(1, level)
    do(game, "layout", layout=level.reference)
    run(game)
    first, second = game.floor.requests.values()
    assert first.refused
    assert second.done


# -- as it is in reality --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slots", "expected"), [(8, 332), (16, 582), (24, 765)])
def test_static_batches_of_the_measured_run_reach_what_another_model_has(slots: int, expected: int) -> None:
    measured(RUN.file)
    assert tps(slots, static=True, paged=False, chunked=False) == pytest.approx(expected, rel=0.01)


def test_no_static_batch_gets_a_thousand_out_of_the_measured_run_and_a_continuous_one_does() -> None:
    """Through the game's machines, from the first arrival to the last token; vLLM made 1,066."""
    measured(RUN.file)
    trace = read_run(measured(RUN.file)).trace
    arrivals = [list(row) for row in zip(trace.arrival_ps, trace.prompt_tokens, trace.output_tokens, strict=True)]
    level = attrs.evolve(LEVEL_4, traffic=TraceTraffic(arrivals), warmup_s=0, end_s=400)
    made = {}
    for name, layout, slots in (("static", level.naive, 256), ("continuous", level.reference, 256)):
        game = new(1, level)
        do(game, "layout", layout=layout)
        (server,) = [id for id, one in game.floor.machines.items() if one.stand.kind.name == "model_server"]
        do(game, "set", id=server, name="max_num_seqs", value=slots)
        run(game)
        requests = game.floor.requests.values()
        assert all(request.done for request in requests)
        last_ps = max(request.last_token_ps for request in requests)
        made[name] = sum(request.tokens for request in requests) * PS_PER_S / last_ps
    assert made["static"] < 900
    assert made["continuous"] == pytest.approx(1_066, rel=0.03)


@pytest.mark.parametrize(
    ("chunk", "ms", "ttft_s"),
    [(8_192, 962, 0.96), (2_048, 276, 1.01), (1_024, 148, 1.07), (512, 83, 1.20), (256, 50, 1.46)],
)
def test_chunks_of_a_long_prompt_take_about_what_another_model_has(chunk: int, ms: float, ttft_s: float) -> None:
    """It takes small chunks to be less efficient than the fitted roofline does: up to a fifth."""
    longest, whole = chunked(chunk)
    assert 0.8 * ms < longest < ms
    assert 0.84 * ttft_s < whole < ttft_s


def streams(level: Level, *leave_out: str) -> tuple[float, float]:
    """Longest pause of the chats and TTFT of the documents (p95, s) without some of the reference's machines."""
    game = new(1, level)
    layout = level.reference
    kept = [machine for machine in layout["machines"] if machine["kind"] not in leave_out]
    do(game, "layout", layout={**layout, "machines": kept})
    score = run(game).score()
    pause, ttft = score.tenants["chat"].pause_p95_ps, score.tenants["documents"].ttft_p95_ps
    assert pause is not None
    assert ttft is not None
    return pause / PS_PER_S, ttft / PS_PER_S


def test_a_whole_document_stops_every_chat_for_as_long_as_it_takes() -> None:
    pause, ttft = streams(attrs.evolve(LEVEL_5, end_s=80), "chunker")
    assert pause == pytest.approx(1.0, abs=0.1), "and a step more"
    assert ttft == pytest.approx(0.89, abs=0.05)


def test_without_a_batcher_documents_wait_for_the_longest_chat() -> None:
    assert streams(attrs.evolve(LEVEL_5, end_s=80), "batcher")[1] > 5


def test_a_prompt_that_is_partly_computed_is_not_lost_when_its_chunker_goes() -> None:
    from engine.memory.paged import PagedPool
    from engine.scheduling.sequence import Sequence

    scheduler = Scheduler(4, 16, PagedPool(100, 4))
    scheduler.add(Sequence(1, 2, 40))
    step = scheduler.plan()
    assert step is not None
    scheduler.prefilled(step.chunks)
    scheduler.chunked = False
    scheduler.add(Sequence(2, 2, 8))
    step = scheduler.plan()
    assert step is not None
    assert [(chunk.sequence.id, chunk.context, chunk.tokens) for chunk in step.chunks] == [(1, 16, 24)]
