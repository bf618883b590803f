"""Going back in time: any moment of a game, replayed to the bit; what was left is kept."""

from contextlib import suppress
from typing import Any

import msgpack
import pytest
from factories import LEVEL_1, LEVELS, do, new, reference
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import meddling

from engine.errors import EngineError
from engine.level.spec import Level
from engine.protocol.commands import replay
from engine.protocol.session import Session
from engine.simulation import RUNNING, Simulation
from engine.units import PS_PER_S, seconds


class Player:
    """Somebody at the bridge."""

    def __init__(self, level: Level = LEVEL_1) -> None:
        self.session = Session()
        self.give(do="open", level=str(level.number), seed=1)
        self.give(do="layout", layout=level.reference)
        self.level = level

    def give(self, **message: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.command(msgpack.packb({"v": 1, **message}))))

    def ask(self, question: str, **fields: Any) -> dict[str, Any]:
        answer = msgpack.unpackb(self.session.ask(msgpack.packb({"v": 1, "ask": question, **fields})))
        assert answer["ok"], answer
        return dict(answer)

    def look(self, delta_s: float = 0.0, slices: int | None = None) -> dict[str, Any]:
        """A snapshot after `delta_s`; `slices`: how much real time there is."""
        calls = iter(range(10**9))
        return dict(msgpack.unpackb(self.session.step(delta_s, lambda: slices is not None and next(calls) >= slices)))

    def play_to(self, until_s: float, frame_s: float = 0.25) -> None:
        until_ps = seconds(until_s)
        while self.game.phase == RUNNING and self.game.now + seconds(frame_s) <= until_ps:
            self.look(frame_s)
        self.game.advance(until_ps)

    def rewind(self, to_s: float) -> dict[str, Any]:
        assert self.give(do="rewind", t_ps=seconds(to_s))["ok"]
        return self.look()

    @property
    def game(self) -> Simulation:
        assert self.session.simulation is not None
        return self.session.simulation


@pytest.fixture
def player() -> Player:
    started = Player()
    assert started.give(do="start")["ok"]
    return started


def straight(to_s: float, commands: list[tuple[int, dict[str, Any]]] | None = None) -> str:
    """The hash of a game that was played to a moment without going back."""
    if commands is None:
        game = new()
        reference(game)
        do(game, "start")
        commands = game.commands
    return replay(LEVEL_1, 1, commands, seconds(to_s)).state_hash()


@pytest.mark.parametrize("to_s", [0, 0.37, 7.001, 60, 61.5, 119.999, 150])
def test_a_rewind_is_at_that_moment_to_the_bit(player: Player, to_s: float) -> None:
    player.play_to(150)
    player.rewind(to_s)
    assert player.game.now == seconds(to_s)
    assert player.game.state_hash() == straight(to_s)
    player.play_to(161.7)
    assert player.game.state_hash() == straight(161.7)


def test_the_picture_after_a_rewind_is_the_picture_of_that_moment(player: Player) -> None:
    player.give(do="view", xx=0.5, yx=0.25, xy=-0.5, yy=0.125)
    for _ in range(900):
        player.look(0.1)
    before = player.look()
    player.play_to(170)
    after = player.rewind(before["t_ps"] / PS_PER_S)
    assert "structure" in after
    for part in ("t_ps", "phase", "pads", "machines", "hud", "events", "result"):
        assert after[part] == before[part], part
    for kind in before["packets"]:
        count, rows = after["packets"][kind]
        assert count == before["packets"][kind][0], kind
        assert rows.data[: 8 + 32 * count] == before["packets"][kind][1].data[: 8 + 32 * count], kind


def test_the_way_back_is_simulated_in_slices_while_the_picture_stands(player: Player) -> None:
    player.play_to(150)
    assert player.give(do="rewind", t_ps=seconds(110))["ok"]
    shot = player.look(1.0, slices=2)
    assert set(shot) == {"v", "rewinding"}
    assert shot["rewinding"]["t_ps"] == seconds(110)
    assert 0 < shot["rewinding"]["share"] < 1
    assert player.give(do="remove", ids=[3])["code"] == "run.rewinding"
    assert player.ask("timeline")["t_ps"] == seconds(150)
    assert player.give(do="rewind", t_ps=seconds(20))["ok"], "the player may change his mind"
    shot = player.look()
    assert shot["t_ps"] == player.game.now == seconds(20)


def test_history_and_marks_are_those_of_a_game_that_never_went_back(player: Player) -> None:
    player.play_to(150)
    player.rewind(95.5)
    played, other = player.session.tab, Player()
    other.give(do="start")
    other.play_to(95.5)
    assert played is not None
    assert other.session.tab is not None
    assert len(played.recorder.seconds) == 95
    assert played.recorder.seconds == other.session.tab.recorder.seconds
    assert played.recorder.marks == other.session.tab.recorder.marks
    player.play_to(130)
    other.play_to(130)
    assert played.recorder.seconds == other.session.tab.recorder.seconds


def test_what_was_left_is_kept_and_can_be_gone_back_to(player: Player) -> None:
    player.play_to(100)
    assert player.give(do="set", id=4, name="max_num_seqs", value=1)["ok"]
    player.play_to(150)
    left = player.game.state_hash()
    player.rewind(70)
    told = player.ask("timeline")
    assert (told["t_ps"], told["reached_ps"]) == (seconds(70), seconds(150))
    assert told["branches"] == [{"index": 0, "forked_ps": seconds(70), "reached_ps": seconds(150)}]
    assert player.game.commands[-1][1]["do"] == "start", "the change came later"
    player.rewind(30)
    assert len(player.ask("timeline")["branches"]) == 1, "nothing new was done since"
    player.play_to(40)
    assert player.give(do="set", id=4, name="max_num_seqs", value=2)["ok"]
    player.play_to(50)
    assert player.give(do="branch", index=0)["ok"]
    player.look()
    assert (player.game.now, player.game.state_hash()) == (seconds(150), left)
    told = player.ask("timeline")
    assert told["branches"] == [{"index": 0, "forked_ps": seconds(40), "reached_ps": seconds(50)}]
    assert [mark["t_ps"] for mark in told["marks"] if mark["code"] == "layout.changed"] == [seconds(100)]
    assert player.give(do="branch", index=3)["code"] == "branch.unknown"


def test_a_moment_of_a_branch(player: Player) -> None:
    player.play_to(100)
    assert player.give(do="set", id=4, name="max_num_seqs", value=1)["ok"]
    player.play_to(150)
    commands = list(player.game.commands)
    player.rewind(30)
    assert player.give(do="branch", index=0, t_ps=seconds(120))["ok"]
    player.look()
    assert player.game.state_hash() == straight(120, commands)
    assert len(player.ask("timeline")["branches"]) == 1


def test_a_run_that_has_ended_can_be_gone_back_into(player: Player) -> None:
    player.play_to(LEVEL_1.end_s, 5.0)
    ended = player.look()
    assert ended["phase"] == "ended"
    shot = player.rewind(200)
    assert (shot["phase"], shot["result"]) == ("running", None)
    player.play_to(LEVEL_1.end_s, 5.0)
    again = player.look()
    assert again["result"] == ended["result"]
    assert player.ask("timeline")["branches"] == [], "it is the same game"


def test_undo_after_a_rewind_knows_what_was_done_before_that_moment(player: Player) -> None:
    player.play_to(10)
    assert player.give(do="remove", ids=[3])["ok"]
    player.play_to(20)
    assert player.look()["t_ps"] == seconds(20)
    shot = player.rewind(5)
    assert (shot["structure"]["undo"], len(shot["structure"]["machines"]["id"])) == (1, 4)
    player.give(do="branch", index=0)
    shot = player.look()
    assert (shot["structure"]["undo"], len(shot["structure"]["machines"]["id"])) == (2, 3)


def test_what_cannot_be_is_refused(player: Player) -> None:
    player.play_to(5)
    assert player.give(do="rewind", t_ps=seconds(5) + 1)["code"] == "time.not_reached"
    assert player.give(do="rewind", t_ps=-1)["code"] == "time.not_reached"
    assert Player().give(do="rewind", t_ps=0)["code"] == "run.not_started"
    assert Player().give(do="single_step")["code"] == "run.not_started"


def test_a_single_step_ends_with_a_step_of_a_core_and_changes_nothing(player: Player) -> None:
    player.play_to(31.3)
    steps = 0
    while player.game.now < seconds(33):
        before = _steps(player.game)
        told = player.give(do="single_step")
        assert told["t_ps"] == player.game.now
        assert sum(_steps(player.game)) >= sum(before) + 1
        assert all(after - one <= 1 for one, after in zip(before, _steps(player.game), strict=True))
        steps += 1
    assert steps > 20
    player.play_to(40)
    assert player.game.state_hash() == straight(40)
    player.play_to(LEVEL_1.end_s, 5.0)
    assert player.give(do="single_step")["code"] == "run.ended"


def _steps(game: Simulation) -> list[int]:
    return [core.stepper.steps for core in game.floor.machines.values() if hasattr(core, "stepper")]


# -- by chance -------------------------------------------------------------------------------------------------------


def wander(level: Level, seed: int, moments: list[int]) -> None:
    """Play with meddling, and go back and forth; every moment is the straight game's."""
    player = Player(level)
    player.give(do="start")
    for time, command in meddling(seed, 12, level):
        player.play_to(min(time / PS_PER_S, level.end_s - 1), 5.0)
        with suppress(EngineError):
            player.give(**command)
    for percent in moments:
        kept = player.ask("timeline")["branches"]
        if percent % 3 == 0 and kept:
            player.give(do="branch", index=kept[-1]["index"])
        else:
            player.give(do="rewind", t_ps=player.game.now * percent // 100)
        player.look()
        game = player.game
        again = replay(level, 1, game.commands, game.now)
        assert again.state_hash() == game.state_hash()
        if percent % 2:
            player.give(do="set", id=4, name="max_num_seqs", value=1 + percent % 5)
        player.play_to(min(game.now / PS_PER_S + 20, level.end_s), 5.0)
    whole = replay(level, 1, player.game.commands, player.game.now)
    assert whole.state_hash() == player.game.state_hash()


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 100), min_size=1, max_size=5))
def test_wherever_the_player_goes_the_game_is_that_of_its_commands(seed: int, moments: list[int]) -> None:
    wander(LEVEL_1, seed, moments)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LEVELS), st.integers(0, 10**6), st.lists(st.integers(0, 100), min_size=1, max_size=8))
def test_wherever_the_player_goes_in_any_level(level: Level, seed: int, moments: list[int]) -> None:
    wander(level, seed, moments)
