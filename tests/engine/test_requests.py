"""Requests as the player asks for them: where each is, where its time has gone, which packet and which memory is
whose.
"""

import time
from contextlib import suppress
from itertools import pairwise
from typing import Any

import msgpack
import numpy as np
import pytest
from factories import LEVEL_1, LEVELS, do, new
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import meddling

from engine.errors import EngineError
from engine.level.spec import Level
from engine.memory.arena import Arena
from engine.memory.contiguous import ContiguousPool
from engine.metrics.whereabouts import REQUEST_STATES, places
from engine.protocol.asks import answer
from engine.protocol.commands import give
from engine.protocol.session import Session
from engine.protocol.trail import DRAWN_KINDS
from engine.simulation import Simulation
from engine.units import PS_PER_S

NAIVE_2 = LEVELS[1].naive


def ask(game: Simulation, question: str, /, **fields: Any) -> dict[str, Any]:
    return answer(game, {"v": 1, "ask": question, **fields})


def started(level: Level, layout: Any = None) -> Simulation:
    game = new(level=level)
    do(game, "layout", layout=layout or level.reference)
    do(game, "start")
    return game


def check_waterfalls(game: Simulation) -> set[str]:
    """Every request's causes add up to its time, to the picosecond; the states that were seen."""
    seen = set()
    for id in game.floor.requests:
        told = ask(game, "request", id=id)
        assert told["state"] in REQUEST_STATES
        assert all(ps >= 0 for _, ps in told["causes"]), told
        assert sum(ps for _, ps in told["causes"]) == told["total_ps"], told
        seen.add(told["state"])
    return seen


# -- the waterfall ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_causes_add_up_at_any_moment(level: Level) -> None:
    game, seen = started(level), set()
    for moment in range(1, 60):
        game.advance(moment * 1_618_033_988_749)
        seen |= check_waterfalls(game)
    assert {"decode", "done"} <= seen


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_causes_add_up_whatever_the_player_does(level: Level, seed: int) -> None:
    game = started(level, level.naive if seed % 2 else level.reference)
    for moment, command in meddling(seed, 20, level):
        game.advance(moment)
        with suppress(EngineError):
            give(game, command)
        check_waterfalls(game)


def test_a_cause_never_shrinks_while_a_request_is_decoded() -> None:
    game = started(LEVEL_1)
    game.advance(60 * PS_PER_S)
    id = max(request.id for request in game.floor.requests.values() if request.done) + 1
    before: dict[str, int] = {}
    while (told := ask(game, "request", id=id))["state"] != "done":
        causes = dict(told["causes"])
        if told["state"] == "decode":
            assert all(causes[name] >= ps - 10 for name, ps in before.items() if name != "prefill"), (before, causes)
            before = causes
        game.advance(game.now + 7_700_000_000)
    assert before["weights"] > before["kv"] > 0


def test_what_is_lost_says_so_and_stops_its_clock() -> None:
    game = started(LEVELS[1], NAIVE_2)
    while not any(request.lost_ps >= 0 for request in game.floor.requests.values()):
        game.advance(game.now + PS_PER_S)
    lost = [request.id for request in game.floor.requests.values() if request.lost_ps >= 0]
    game.advance(game.now + 10 * PS_PER_S)
    before = [ask(game, "request", id=id) for id in lost]
    game.advance(game.now + 10 * PS_PER_S)
    after = [ask(game, "request", id=id) for id in lost]
    assert before == after
    assert {told["state"] for told in after} == {"lost"}
    assert {told["machine"] for told in after} == {-1}


def test_a_prompt_in_several_chunks_is_prefilled_all_the_while() -> None:
    level = LEVELS[2]
    game = started(level)
    core = next(machine for machine in game.floor.machines.values() if machine.stand.kind.name == "prefill_core")
    core.scheduler.max_num_batched_tokens = 64  # type: ignore[attr-defined]
    while not any(request.done for request in game.floor.requests.values()):
        game.advance(game.now + PS_PER_S)
    causes = dict(ask(game, "request", id=1)["causes"])
    told = ask(game, "request", id=1)
    assert causes["queue"] < causes["prefill"]
    assert told["prefill_end_ps"] - told["prefill_start_ps"] <= told["total_ps"]
    assert told["ttft_ps"] == told["first_token_ps"] - told["arrival_ps"] > 0
    assert told["tpot_ps"] > 0


def test_a_speculative_step_has_its_parts_too() -> None:
    game = started(LEVELS[2])
    while not any(request.done for request in game.floor.requests.values()):
        game.advance(game.now + PS_PER_S)
    causes = dict(ask(game, "request", id=1)["causes"])
    assert causes["weights"] > causes["rejected"] > 0
    assert causes["kv"] > 0
    assert causes["host"] > 0
    assert causes["others"] < causes["prefill"]


# -- lists -----------------------------------------------------------------------------------------------------------


def listed(game: Simulation, **fields: Any) -> list[dict[str, Any]]:
    """The rows of the answer to `requests`."""
    told = ask(game, "requests", **fields)
    columns = {
        name: np.frombuffer(told[name].data[8:], np.float32).tolist()
        for name in ("id", "machine", "tokens", "output_tokens", "age_s")
    }
    columns["state"] = [told["states"][index] for index in told["state"]]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_the_list_has_all_under_way_and_those_that_ended_last() -> None:
    game = started(LEVEL_1)
    game.advance(100 * PS_PER_S)
    rows = listed(game)
    under_way = [id for id, request in game.floor.requests.items() if not request.done]
    assert ask(game, "requests")["under_way"] == len(under_way)
    assert [row["id"] for row in rows[: len(under_way)]] == under_way
    for row in rows:
        told = ask(game, "request", id=int(row["id"]))
        assert all(told[name] == row[name] for name in ("state", "machine", "tokens", "output_tokens"))
        assert row["age_s"] == pytest.approx(told["total_ps"] / PS_PER_S)
    ended = rows[len(under_way) :]
    assert len(ended) == 20
    assert {row["state"] for row in ended} == {"done"}
    ends = [game.floor.requests[row["id"]].last_token_ps for row in ended]
    assert ends == sorted(ends, reverse=True)
    every = {request.last_token_ps for request in game.floor.requests.values() if request.done}
    assert set(ends) == set(sorted(every)[-20:])


def test_a_machine_names_the_requests_in_it() -> None:
    game = started(LEVEL_1)
    game.advance(60 * PS_PER_S)
    named = []
    for id in game.floor.machines:
        told = ask(game, "machine", id=id)["requests"]
        assert told == [row["id"] for row in listed(game, machine=id)]
        assert all(ask(game, "request", id=request)["machine"] == id for request in told)
        named += told
    on_belts = [request for request, place in places(game.floor).items() if place.machine < 0]
    assert sorted(named + on_belts) == list(places(game.floor))


def test_unknown_things_are_refused() -> None:
    game = new()
    for question, fields, code in [
        ("request", {"id": 1}, "request.unknown"),
        ("whereabouts", {"id": 1}, "request.unknown"),
        ("requests", {"machine": 99}, "machine.unknown"),
        ("pick", {"x": 2.5, "y": 1.5}, "pick.nothing"),
    ]:
        with pytest.raises(EngineError) as refused:
            ask(game, question, **fields)
        assert refused.value.code == code


# -- packets ---------------------------------------------------------------------------------------------------------


def played(level: int, layout: Any, seconds: float) -> Session:
    session = Session()
    for message in ({"do": "open", "level": str(level)}, {"do": "layout", "layout": layout}, {"do": "start"}):
        assert msgpack.unpackb(session.command(msgpack.packb({"v": 1, **message})))["ok"]
    for _ in range(round(seconds * 10)):
        session.step(0.1)
    return session


def drawn(session: Session) -> dict[str, np.ndarray]:
    """Per kind the points that the view draws."""
    shot = msgpack.unpackb(session.step(0.0))
    points = {}
    for kind, (count, rows) in shot["packets"].items():
        table = np.frombuffer(rows.data[8:], np.float32).reshape(-1, 8)[:count]
        points[kind] = table[:, [3, 7]]
    return points


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_pick_finds_each_packet_where_it_is_drawn(level: Level) -> None:
    session = played(level.number, level.reference, 21.5)
    game, kinds = session.simulation, set()
    assert game is not None
    for frame in range(100):
        session.step(0.24)
        points = drawn(session)
        every = [(kind, point) for kind in points for point in points[kind]]
        firsts = [(kind, points[kind][0]) for kind in points if len(points[kind])]
        for _, point in (*firsts, *every[frame % 4 :: 4]):
            told = ask(game, "pick", x=float(point[0]) + 0.01, y=float(point[1]))
            at = [name for name, other in every if np.hypot(*(other - point)) < 0.02]
            assert told["kind"] in at
            kinds.add(told["kind"])
            where = np.frombuffer(ask(game, "whereabouts", id=told["request"])["points"].data[8:], np.float32)
            assert np.hypot(*(where.reshape(-1, 2) - point).T).min() < 0.02
            assert told["request"] in game.floor.requests
            assert told["belt"] in game.floor.belts
    assert kinds == (set(DRAWN_KINDS) if level.number == 3 else set(DRAWN_KINDS) - {"draft", "reject"})


def test_pick_finds_nothing_where_nothing_is() -> None:
    session = played(1, LEVEL_1.reference, 10)
    assert session.simulation is not None
    with pytest.raises(EngineError, match=r"pick\.nothing"):
        ask(session.simulation, "pick", x=0.5, y=7.5)


def test_prompts_that_wait_are_drawn_and_picked_in_their_order() -> None:
    session = played(1, LEVEL_1.reference, 0.1)
    game = session.simulation
    assert game is not None
    do(game, "set", id=4, name="max_num_seqs", value=1)
    for _ in range(600):
        session.step(0.1)
    core = game.floor.machines[3]
    waiting = [sequence.id for sequence in core.scheduler.waiting]  # type: ignore[attr-defined]
    assert len(waiting) > 3
    points = drawn(session)["prompt"]
    assert len(points) == 3
    found = [ask(game, "pick", x=float(x), y=float(y))["request"] for x, y in points]
    assert found == waiting[:3]


def test_prompts_that_wait_are_shared_out_over_the_belts_that_lead_to_their_core() -> None:
    session = played(1, LEVEL_1.reference, 0.1)
    game = session.simulation
    assert game is not None
    end = {"from": {"machine": 1, "port": "e1"}, "to": {"machine": 3, "port": "n"}}
    do(game, "move", id=3, x=3, y=2, rot=0)
    for belt in list(game.floor.belts.values()):
        if belt.source.machine == 1:
            do(game, "remove", ids=[belt.id])
    do(game, "connect", tiles=[[2, 2]], **{"from": {"machine": 1, "port": "e1"}, "to": {"machine": 3, "port": "w"}})
    end["from"]["port"] = "e0"
    do(game, "connect", tiles=[[2, 1], [3, 1]], **end)
    do(game, "set", id=4, name="max_num_seqs", value=1)
    for _ in range(900):
        session.step(0.1)
    waiting = game.floor.machines[3].queue_length()
    assert waiting >= 9
    assert len(drawn(session)["prompt"]) >= 9, "each once"


# -- memory ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "layout"),
    [(LEVEL_1, LEVEL_1.reference), (LEVELS[1], NAIVE_2), (LEVELS[1], LEVELS[1].reference), (LEVELS[2], None)],
)
def test_the_shares_of_a_memory_add_up_and_pieces_are_to_scale(level: Level, layout: Any) -> None:
    game = started(level, layout)
    for moment in range(1, 40):
        game.advance(moment * 4_444_444_444_444)
        for pad in game.floor.pads:
            told = ask(game, "memory", pad=pad)
            assert sum(told["shares"].values()) == told["size_bytes"]
            assert all(share >= 0 for share in told["shares"].values())
            assert told["fixed_bytes"] == told["weights_bytes"] + told["overhead_bytes"]
            assert told["fixed_bytes"] + told["size_bytes"] <= told["vram_bytes"]
            requests = [request for request, _, _ in told["tokens"]]
            per_token = told["block_bytes"] // told["block_tokens"]
            assert sum(tokens for _, tokens, _ in told["tokens"]) * per_token == told["shares"]["tokens"]
            assert sum(reserved for _, _, reserved in told["tokens"]) * per_token == told["shares"]["reserved"]
            if "pieces" in told:
                check_pieces(told)
            if told["paged"]:
                check_blocks(told)
            else:
                assert [request for request, _ in told["held"]] == requests
                assert sum(blocks for _, blocks in told["held"]) == told["used"]


def check_pieces(told: dict[str, Any]) -> None:
    end = 0
    for request, start, length in told["pieces"]:
        assert start >= end
        end = start + length
        assert request in dict(told["held"])
    assert end <= told["size_bytes"]
    assert len(told["pieces"]) == told["used"]
    taken = sum(length for _, _, length in told["pieces"]) + sum(length for _, length, _ in told["holes"])
    assert taken == told["size_bytes"]
    assert sum(fits * told["block_bytes"] for _, _, fits in told["holes"]) == told["shares"]["free"]


def check_blocks(told: dict[str, Any]) -> None:
    owners = np.frombuffer(told["owners"], "<u2")
    assert np.count_nonzero(owners) == told["used"]
    empty = 0
    for block, tokens in told["partial"]:
        assert owners[block] > 0
        assert 0 <= tokens < told["block_tokens"]
        empty += told["block_tokens"] - tokens
    in_use = told["used"] * told["block_tokens"] - empty
    assert in_use == sum(tokens for _, tokens, _ in told["tokens"])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 2), st.booleans()), max_size=40), st.integers(5, 70))
def test_pieces_of_a_contiguous_memory_never_overlap(acts: list[tuple[int, int, bool]], size: int) -> None:
    pool = ContiguousPool(Arena(size), 8, 5)
    for owner, blocks, takes in acts:
        if takes:
            pool.take(blocks, owner)
        else:
            pool.give_back(min(blocks, len(pool.starts.get(owner, ()))), owner)
        starts = sorted(start for mine in pool.starts.values() for start in mine)
        assert all(later - start >= 5 for start, later in pairwise(starts))
        assert all(0 <= start <= size - 5 for start in starts)
        assert len(starts) == pool.used


# -- asking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_asking_changes_nothing(level: Level) -> None:
    quiet, asked = started(level), started(level)
    for second in (7.5, 31.25, 64.0):
        for game in (quiet, asked):
            game.advance(round(second * PS_PER_S))
        before = asked.state_hash()
        ask(asked, "requests")
        for id in asked.floor.requests:
            ask(asked, "request", id=id)
            ask(asked, "whereabouts", id=id)
        for id in asked.floor.machines:
            ask(asked, "machine", id=id)
        for pad in asked.floor.pads:
            ask(asked, "memory", pad=pad)
        with suppress(EngineError):
            ask(asked, "pick", x=5.5, y=1.5)
        assert asked.state_hash() == before
    assert asked.state_hash() == quiet.state_hash()


def test_asking_is_cheap_at_the_end_of_a_long_run() -> None:
    game = started(LEVELS[1])
    game.advance(599 * PS_PER_S)
    for question, fields in [
        ("requests", {}),
        ("request", {"id": max(game.floor.requests)}),
        ("whereabouts", {"id": max(game.floor.requests)}),
        ("memory", {"pad": 1}),
    ]:
        times = []
        for _ in range(15):
            start = time.perf_counter()
            ask(game, question, **fields)
            times.append(time.perf_counter() - start)
        assert sorted(times)[7] < 2e-3, question
