"""Same level, seed and commands: the same result to the bit, at any speed and frame rate, and from any checkpoint."""

from contextlib import suppress
from typing import Any

import attrs
import msgpack
import pytest
from factories import LEVEL_1, LEVELS, PROMPT_DOCK, TOKEN_DOCK, do, link, new, place, reference, run
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import meddling

from engine.errors import EngineError
from engine.floor.layout import layout_from_data
from engine.level.load import load
from engine.level.spec import Level
from engine.protocol.commands import give, replay
from engine.protocol.play import SPEEDS, play
from engine.protocol.session import Session
from engine.simulation import CHECKPOINT_PS, RUNNING, Simulation
from engine.units import PS_PER_S

GOLDEN = "ef70123d77da1c00c1d7913d08d2235a"
"""Level 1, reference layout, seed 1. It changes only when the rules change: say so in the changelog."""

REFERENCE = layout_from_data(LEVEL_1.reference)


@pytest.mark.parametrize("speed", SPEEDS)
def test_every_speed_gives_the_golden_hash(speed: str) -> None:
    assert play(LEVEL_1, 1, REFERENCE, speed).state_hash() == GOLDEN


@pytest.mark.parametrize(("frame_s", "until_s"), [(1 / 144, 40), (1 / 30, 240), (0.4999, 240), (7.0, 240)])
def test_every_frame_rate_gives_the_golden_hash(frame_s: float, until_s: int) -> None:
    """With snapshots taken, as the game does; they take the time here, so the finest are not taken all along."""
    session = Session()
    session.command(_packed(do="open", level="1", seed=1))
    assert session.simulation is not None
    give(session.simulation, {"v": 1, "do": "layout", "layout": LEVEL_1.reference})
    do(session.simulation, "start")
    while session.simulation.phase == RUNNING:
        session.step(frame_s if session.simulation.now < until_s * PS_PER_S else 0.1)
    assert session.simulation.state_hash() == GOLDEN


def test_equal_layouts_give_the_golden_hash_however_they_were_built() -> None:
    game = new()
    spare = place(game, "decode_core", 8, 6, rot=3)
    decode = place(game, "decode_core", 6, 4)
    link(game, decode, TOKEN_DOCK)
    do(game, "remove", ids=[spare])
    prefill = place(game, "prefill_core", 3, 3, rot=2)
    do(game, "move", id=prefill, x=3, y=1, rot=0)
    link(game, prefill, decode)
    link(game, PROMPT_DOCK, prefill)
    assert run(game).state_hash() == GOLDEN


@pytest.mark.parametrize("number", ["1", "2", "4", "8"])
def test_an_empty_floor_is_the_same_whatever_stood_there(number: str) -> None:
    level = load(number)
    before = Simulation(level, 1).state_hash()
    game = Simulation(level, 1)
    machines = level.reference["machines"]
    ids = [game.site.place(m["kind"], m["x"], m["y"], m.get("rotation", 0), m.get("settings")) for m in machines]
    assert game.state_hash() != before
    game.site.remove(ids)
    assert game.state_hash() == before


def test_another_seed_is_another_game() -> None:
    assert play(LEVEL_1, 2, REFERENCE).state_hash() != GOLDEN


def test_many_simulations_side_by_side_do_not_disturb_each_other() -> None:
    games = [new(seed) for seed in (1, 1, 7)]
    for game in games:
        reference(game)
        do(game, "start")
    for second in range(1, LEVEL_1.end_s + 1):
        for game in games:
            game.advance(second * PS_PER_S)
    assert games[0].state_hash() == games[1].state_hash() == GOLDEN
    assert games[2].state_hash() != GOLDEN


def test_every_checkpoint_goes_on_to_the_golden_hash() -> None:
    game = new()
    reference(game)
    run(game)
    assert [checkpoint.time_ps for checkpoint in game.checkpoints] == [CHECKPOINT_PS * n for n in range(1, 8)]
    for checkpoint in game.checkpoints:
        restored = Simulation.restore(LEVEL_1, checkpoint)
        assert restored.now == checkpoint.time_ps
        restored.advance(restored.end_ps)
        assert restored.state_hash() == GOLDEN
        assert restored.score() == game.score()


def test_a_checkpoint_of_another_level_is_refused() -> None:
    game = new()
    checkpoint = game.checkpoint()
    other = Simulation.restore(LEVEL_1, checkpoint)
    assert other.state_hash() == game.state_hash()
    with pytest.raises(EngineError, match=r"checkpoint\.other"):
        Simulation.restore(attrs.evolve(LEVEL_1, id="other"), checkpoint)


# -- games in which the player meddles while it runs ----------------------------------------------------------------


def play_meddled(seed: int, speed: str, level: Level = LEVEL_1) -> Simulation:
    """The reference layout, meddled with; refused commands are simply not carried out."""
    game = new(seed, level)
    game.floor.step_by_step = speed == "step"
    reference(game)
    do(game, "start")
    for time, command in meddling(seed, 25, level):
        while speed.isdigit() and game.now < time:
            game.advance(min(time, game.now + int(speed) * PS_PER_S // 60))
        game.advance(time)
        with suppress(EngineError):  # a reason, never another exception
            give(game, command)
    game.advance(game.end_ps)
    return game


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
@pytest.mark.parametrize("seed", range(12))
def test_meddling_gives_the_same_at_every_speed(seed: int, level: Level) -> None:
    hashes = {play_meddled(seed, speed, level).state_hash() for speed in ("max", "step", "8")}
    assert len(hashes) == 1


@settings(max_examples=15, deadline=None)
@given(st.integers(1000, 2**32 - 1), st.sampled_from(LEVELS))
def test_meddled_games_replay_from_the_start_and_from_every_checkpoint(seed: int, level: Level) -> None:
    game = play_meddled(seed, "max", level)
    again = replay(level, seed, game.commands, game.end_ps)
    assert again.state_hash() == game.state_hash()
    for checkpoint in game.checkpoints[::2]:
        restored = Simulation.restore(level, checkpoint)
        replay(level, seed, game.commands[checkpoint.commands :], game.end_ps, restored)
        assert restored.state_hash() == game.state_hash()


def _packed(**message: Any) -> bytes:
    packed: bytes = msgpack.packb({"v": 1, **message})
    return packed


def test_a_draft_model_that_was_moved_guesses_as_one_that_was_placed_there() -> None:
    level = LEVELS[2]
    games = [new(level=level), new(level=level)]
    for game in games:
        do(game, "layout", layout=level.reference)
    draft = next(id for id, machine in games[0].floor.machines.items() if machine.stand.kind.name == "draft_model")
    for x, y in ((7, 1), (6, 1)):
        do(games[0], "move", id=draft, x=x, y=y, rot=1)
    do(games[0], "layout", layout=level.reference)
    for game in games:
        do(game, "start")
        game.advance(60 * 10**12)
    assert games[0].state_hash() == games[1].state_hash()
