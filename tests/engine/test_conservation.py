"""Nothing gets lost or made of nothing: requests, tokens, memory, time on a card."""

from contextlib import suppress

from factories import do, new, reference
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import meddling

from engine.errors import EngineError
from engine.floor.machines import DecodeCore, PrefillCore, PromptDock
from engine.protocol.commands import give
from engine.simulation import Simulation
from engine.units import PS_PER_S


def places(game: Simulation) -> list[int]:
    """Where each request is, every place asked; a finished one is nowhere."""
    found: list[int] = []
    for belt in game.floor.belts.values():
        if belt.packet == "prompt":
            found += [request for request, _ in belt.state.flying]
    for machine in game.floor.machines.values():
        if isinstance(machine, PromptDock):
            found += machine.state.waiting
        elif isinstance(machine, PrefillCore):
            found += machine.state.waiting + machine.state.batch + machine.state.finished
        elif isinstance(machine, DecodeCore):
            # a hand-off under way counts where it goes
            found += machine.state.expected + machine.state.arrived + machine.state.running
    return found


def check(game: Simulation) -> None:
    game.settle()
    requests = game.floor.requests
    here = places(game)
    assert len(here) == len(set(here)), "a request is in two places"
    under_way = {id for id, request in requests.items() if not request.done}
    assert under_way <= set(here), "a request is lost"
    assert all(requests[id].tokens == requests[id].output_tokens for id in set(requests) - set(here))

    made = sum(request.tokens for request in requests.values())
    assert game.tokens() == made, "tokens delivered are the tokens made"
    assert all(0 <= request.tokens <= request.output_tokens for request in requests.values())

    flying = [request for belt in game.floor.belts.values() for request, _ in belt.state.flying]
    expected = [
        id
        for machine in game.floor.machines.values()
        if isinstance(machine, DecodeCore)
        for id in machine.state.expected
    ]
    assert set(expected) <= set(flying)

    for pad in game.floor.pads.values():
        assert pad.vram.kv_bytes <= max(pad.vram.kv_capacity_bytes, 0)
        assert set(pad.vram.held) <= set(here), "memory is held for a request that is gone"
        assert pad.state.busy.total(0, 10**6) <= game.now, "a card worked more than all the time"
        assert all(amount <= PS_PER_S for amount in pad.state.busy.buckets)
        if pad.state.holder != -1:
            assert game.floor.machines[pad.state.holder].pad is pad


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_nothing_is_lost_whatever_the_player_does(seed: int) -> None:
    game = new(seed)
    reference(game)
    do(game, "start")
    for time, command in meddling(seed, 30):
        game.advance(time)
        check(game)
        with suppress(EngineError):
            give(game, command)
        check(game)
    game.advance(game.end_ps)
    check(game)


def test_a_refused_command_changes_nothing() -> None:
    refused = 0
    for seed in range(20):
        game = new(seed)
        reference(game)
        do(game, "start")
        for time, command in meddling(seed, 20):
            game.advance(time)
            before = game.state_hash(), game.site.revision, len(game.commands), dict(game.site.grid.taken)
            try:
                give(game, command)
            except EngineError:
                refused += 1
                if command["do"] != "layout":
                    assert before == (
                        game.state_hash(),
                        game.site.revision,
                        len(game.commands),
                        dict(game.site.grid.taken),
                    )
    assert refused > 50


def test_removing_the_decode_core_mid_answer_loses_time_but_no_token() -> None:
    game = new()
    reference(game)
    do(game, "start")
    game.advance(30 * PS_PER_S)
    decode = next(machine for machine in game.floor.machines.values() if isinstance(machine, DecodeCore))
    halfway = {id: game.floor.requests[id].tokens for id in decode.state.running}
    assert any(halfway.values())
    do(game, "layout", layout=game.level.reference)
    check(game)
    game.advance(60 * PS_PER_S)
    check(game)
    for id, tokens in halfway.items():
        request = game.floor.requests[id]
        assert tokens <= request.tokens == request.output_tokens
        assert request.longest_pause_ps > PS_PER_S, "prompt and answer were prefilled anew"
