"""Nothing gets lost or made of nothing: requests, tokens, memory, time on a card."""

from contextlib import suppress

from factories import LEVELS, do, new, reference
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import meddling

from engine.errors import EngineError
from engine.floor.machines import DecodeCore, PrefillCore, PromptDock
from engine.floor.machines.core import Core
from engine.level.spec import Level
from engine.protocol.commands import give
from engine.scheduling.sequence import Sequence
from engine.simulation import Simulation
from engine.units import PS_PER_S


def places(game: Simulation) -> list[int]:
    """Where each request is, every place asked; a finished one is nowhere."""
    found: list[int] = []
    for belt in game.floor.belts.values():
        if belt.packet == "prompt":
            found += belt.requests()
    for machine in game.floor.machines.values():
        if isinstance(machine, PromptDock):
            found += machine.waiting
        elif isinstance(machine, Core):
            found += [sequence.id for sequence in sequences(machine)]
    return found


def sequences(core: Core) -> list[Sequence]:
    """All that a core has, hand-offs on their way to it included."""
    scheduler = core.scheduler
    here = [*scheduler.waiting, *scheduler.prefilling, *scheduler.decoding.values(), *core.stepper.through]
    return here + (list(core.expected.values()) if isinstance(core, DecodeCore) else [])


def check(game: Simulation) -> None:
    game.settle()
    game.write()
    requests = game.floor.requests
    here = places(game)
    assert len(here) == len(set(here)), "a request is in two places"
    gone = {id for id, request in requests.items() if request.done or request.refused or request.lost_ps >= 0}
    assert set(requests) - gone == set(here), "a request is lost, or a finished one is still there"

    made = sum(request.tokens for request in requests.values())
    assert game.tokens() == made, "tokens delivered are the tokens made"
    assert all(0 <= request.tokens <= request.output_tokens for request in requests.values())
    for request in requests.values():
        if request.done:
            assert sum(request.causes) == request.last_token_ps - request.arrival_ps, "a picosecond has no cause"

    flying = [request for belt in game.floor.belts.values() for request in belt.requests()]
    for pad in game.floor.pads.values():
        cores = [
            machine for machine in game.floor.machines.values() if isinstance(machine, Core) and machine.pad is pad
        ]
        held = 0
        for core in cores:
            for sequence in sequences(core):
                grown = sequence.joined >= 0 and pad.pool.grows
                reached = sequence.known + core.scheduler.counter - sequence.joined
                held += pad.pool.blocks(reached - 1) if grown else sequence.blocks
            held += sum(core.sent.values()) if isinstance(core, PrefillCore) else 0
            if core.stepper.run is not None and core.stepper.run.batch:
                held += core.scheduler._needs[core.scheduler.counter % pad.pool.block_size]
        assert held == pad.pool.used <= pad.pool.total, "memory is held for nobody, or lost"
        assert all(amount <= PS_PER_S for amount in pad.busy.buckets), "a card worked two steps at a time"
        if pad.state.holder != -1:
            assert game.floor.machines[pad.state.holder].pad is pad
    for machine in game.floor.machines.values():
        if isinstance(machine, PrefillCore):
            assert set(machine.sent) <= set(flying)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(LEVELS))
def test_nothing_is_lost_whatever_the_player_does(seed: int, level: Level) -> None:
    game = new(seed, level)
    reference(game)
    do(game, "start")
    for time, command in meddling(seed, 30, level):
        game.advance(time)
        check(game)
        with suppress(EngineError):
            give(game, command)
        check(game)
    game.advance(game.end_ps)
    check(game)


def test_what_a_core_lost_stays_lost_when_its_hand_off_is_taken_off_the_belt() -> None:
    """The KV of the request that was too much is still on its way when the player changes the card's memory."""
    game = new(504904, LEVELS[1])
    do(game, "layout", layout=LEVELS[1].naive)
    do(game, "start")
    while not game.floor.ledger.ooms:
        game.advance(game.now + PS_PER_S // 10)
    check(game)
    flying = [request for belt in game.floor.belts.values() for request in belt.requests()]
    assert any(game.floor.requests[id].lost_ps >= 0 for id in flying)
    do(game, "place", kind="page_allocator", x=8, y=6, rot=0)
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
    game.write()
    halfway = {id: game.floor.requests[id].tokens for id in decode.scheduler.decoding}
    assert any(halfway.values())
    do(game, "remove", ids=[decode.id])
    do(game, "layout", layout=game.level.reference)
    check(game)
    game.advance(60 * PS_PER_S)
    check(game)
    for id, tokens in halfway.items():
        request = game.floor.requests[id]
        assert tokens <= request.tokens == request.output_tokens
        assert request.longest_pause_ps > PS_PER_S, "prompt and answer were prefilled anew"
