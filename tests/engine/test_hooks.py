"""Hooks: a level's own code, called while somebody plays. What it answers is recorded; a replay calls nothing."""

from contextlib import suppress
from typing import Any

import attrs
import hook_level
import msgpack
import pytest
from factories import do, link, place, reference
from hook_level import CALLED, LEVEL
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import meddling

from engine.errors import EngineError
from engine.floor.layout import layout_from_data
from engine.level import Effect, Every, Message, On, Run
from engine.level.hooks import HookRunner, LocalHooks
from engine.level.load import load
from engine.level.memory import MOST_MEMORY
from engine.level.spec import Level
from engine.protocol.commands import replay
from engine.protocol.play import SPEEDS, play
from engine.protocol.session import Session
from engine.simulation import ENDED, RUNNING, Simulation
from engine.units import PS_PER_S, seconds

REFERENCE = layout_from_data(LEVEL.reference)
WHOLE = play(LEVEL, 1, REFERENCE)


class SlowHooks(LocalHooks):
    """Thinks for a few looks before it answers, like a worker."""

    def __init__(self, level: Level) -> None:
        super().__init__(level)
        self._looks = 0

    def answer(self) -> list[dict[str, Any]] | None:
        self._looks += 1
        return super().answer() if self._looks % 4 == 0 else None


class Game:
    """Somebody at the bridge, with a level that has hooks."""

    def __init__(self, level: Level = LEVEL, *first: dict[str, Any]) -> None:
        self.session = Session(lambda _: level, SlowHooks)
        self.give(do="open", level="hooked", seed=1)
        self.give(do="layout", layout=level.reference)
        for message in first:
            assert self.give(**message)["ok"]
        self.give(do="start")

    def give(self, **message: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.command(msgpack.packb({"v": 1, **message}))))

    def look(self, delta_s: float = 0.0) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.step(delta_s)))

    def play_to(self, until_s: float, frame_s: float = 0.25) -> list[dict[str, Any]]:
        events = []
        while self.now.phase == RUNNING and (self.now.now < seconds(until_s) or until_s == self.now.level.end_s):
            left = (seconds(until_s) - self.now.now) / PS_PER_S
            events += self.look(min(frame_s, left) or frame_s)["events"]
        return events

    @property
    def now(self) -> Simulation:
        assert self.session.simulation is not None
        return self.session.simulation


def running(level: Level = LEVEL) -> Simulation:
    """The reference layout under way; nobody calls hooks."""
    simulation = Simulation(level, 1)
    reference(simulation)
    do(simulation, "start")
    return simulation


def happen(simulation: Simulation, *effects: dict[str, Any], memory: dict[str, Any] | None = None) -> None:
    """As if a hook had answered so, now."""
    second = simulation.now // PS_PER_S
    do(simulation, "hook", name="fail", t_s=second, effects=list(effects), memory=memory or {})


def codes(simulation: Simulation) -> list[str]:
    return [code for _, code, _ in simulation.floor.events]


# -- when hooks are called -------------------------------------------------------------------------------------------


def called(level: Level, until_s: float, **fields: Any) -> list[tuple[str, int]]:
    CALLED.clear()
    game = Game(level)
    game.play_to(until_s)
    if fields:
        assert game.give(**fields)["ok"]
    game.play_to(level.end_s)
    return list(CALLED)


def test_hooks_are_called_at_their_seconds_and_events() -> None:
    seen = called(LEVEL, 50.5, do="set", id=4, name="max_num_seqs", value=6)
    assert [second for name, second in seen if name == "count"] == list(range(7, 241, 7))
    once = {name: second for name, second in seen if name in ("welcome", "fail", "mend", "rush", "bye", "thanks")}
    assert once == {"welcome": 0, "fail": 45, "thanks": 51, "mend": 75, "rush": 100, "bye": 240}
    assert [name for name, second in seen if second >= 20 and name in ("goal", "lost")]
    assert all(second >= LEVEL.warmup_s for name, second in seen if name in ("goal", "lost"))


def test_a_crash_calls_hooks_at_the_next_whole_second() -> None:
    told: list[Run] = []
    level = attrs.evolve(load("2"), hooks=[On("crash", lambda run: told.append(run), "seen")])
    game = play(level, 1, layout_from_data(level.naive))
    crashes = [at for at, code, _ in game.floor.events if code == "memory.out"]
    assert [run.t_s for run in told] == [-(-at // PS_PER_S) for at in crashes]
    assert [one.event for one in told[0].happened] == ["crash"]
    assert "crashed" in [machine.state for machine in told[0].machines]


def test_a_hook_sees_the_figures_of_its_second() -> None:
    told: list[Run] = []
    level = attrs.evolve(LEVEL, hooks=[Every(30, lambda run: told.append(run), "seen")])
    play(level, 1, REFERENCE)
    run, game = told[3], running(level)
    game.advance(seconds(120))
    assert (run.t_s, run.delivered, run.count("decode_core")) == (120, game.tokens(), 1)
    assert run.tps == pytest.approx(36, rel=0.1)
    assert run.ttft_p95_s == pytest.approx(2.2, rel=0.1)
    assert [(one.metric, one.value, one.met) for one in run.goals] == [
        (one.goal.metric, one.value, one.met) for one in game.judge()
    ]
    assert [pad.broken for pad in run.pads] == [False, False]
    assert 0.7 < run.pads[0].vram < 1
    assert run.left == {"prefill_core": 1, "decode_core": 1}


# -- a run with hooks is its replay ------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", SPEEDS)
def test_every_speed_gives_the_same_hash(speed: str) -> None:
    assert play(LEVEL, 1, REFERENCE, speed, caller=SlowHooks(LEVEL)).state_hash() == WHOLE.state_hash()


@pytest.mark.parametrize("frame_s", [1 / 20, 0.4999, 7.0])
def test_every_frame_rate_gives_the_same_hash(frame_s: float) -> None:
    game = Game()
    game.play_to(110, frame_s)
    game.play_to(240, 3.0)
    assert game.now.phase == ENDED
    assert game.now.commands[1:] == WHOLE.commands[1:]
    assert game.now.state_hash() == WHOLE.state_hash()


def test_a_replay_calls_no_hook_and_has_the_same_hash() -> None:
    CALLED.clear()
    again = replay(LEVEL, 1, WHOLE.commands, WHOLE.end_ps)
    assert (again.phase, again.state_hash()) == (ENDED, WHOLE.state_hash())
    bare = attrs.evolve(LEVEL, hooks=[attrs.evolve(hook, do=None) for hook in LEVEL.hooks])
    assert replay(bare, 1, WHOLE.commands, WHOLE.end_ps).state_hash() == WHOLE.state_hash(), (
        "the code need not be there"
    )
    assert CALLED == []


def test_every_checkpoint_goes_on_to_the_same_hash() -> None:
    """At 60 s a card is broken, at 120 s the traffic has changed."""
    for checkpoint in WHOLE.checkpoints:
        restored = Simulation.restore(LEVEL, checkpoint)
        restored.commands = WHOLE.commands[: checkpoint.commands]
        assert restored.floor.pads[1].broken == (checkpoint.time_ps == seconds(60))
        replay(LEVEL, 1, WHOLE.commands[checkpoint.commands :], WHOLE.end_ps, restored)
        assert restored.state_hash() == WHOLE.state_hash()


@pytest.mark.parametrize("to_s", [0, 45, 45.2, 112])
def test_after_a_rewind_the_game_goes_on_as_it_did(to_s: float) -> None:
    game = Game()
    game.play_to(205)
    CALLED.clear()
    assert game.give(do="rewind", t_ps=seconds(to_s))["ok"]
    game.look()
    assert not CALLED, "the way back calls nobody"
    assert game.now.state_hash() == replay(LEVEL, 1, game.now.commands, seconds(to_s)).state_hash()
    game.play_to(240, 5.0)
    assert CALLED[0][1] >= to_s, "and what was told at that very second is not asked again"
    assert game.now.state_hash() == WHOLE.state_hash()
    assert game.now.commands[1:] == WHOLE.commands[1:]


def wander(seed: int, moments: list[int]) -> None:
    game = Game()
    for time, command in meddling(seed, 8, LEVEL):
        game.play_to(min(time / PS_PER_S, 239), 5.0)
        with suppress(EngineError):
            game.give(**command)
    for percent in moments:
        game.give(do="rewind", t_ps=game.now.now * percent // 100)
        game.look()
        assert replay(LEVEL, 1, game.now.commands, game.now.now).state_hash() == game.now.state_hash()
        if percent % 2:
            game.give(do="set", id=4, name="max_num_seqs", value=1 + percent % 5)
        game.play_to(min(game.now.now / PS_PER_S + 20, 240), 5.0)
    whole = replay(LEVEL, 1, game.now.commands, game.now.now)
    assert whole.state_hash() == game.now.state_hash()


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 100), min_size=1, max_size=4))
def test_wherever_the_player_goes_the_game_is_that_of_its_commands(seed: int, moments: list[int]) -> None:
    wander(seed, moments)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 100), min_size=1, max_size=8))
def test_wherever_the_player_goes_for_long(seed: int, moments: list[int]) -> None:
    wander(seed, moments)


# -- what they may do ------------------------------------------------------------------------------------------------


def test_messages_reach_the_view_with_their_parameters() -> None:
    told = Game().play_to(46)
    messages = [event for event in told if event["code"] == "hook.message"]
    assert messages[0]["params"] == {
        "level": "hooked",
        "text": "message.hooked.welcome",
        "texts": {},
        "params": {"queue": 0},
    }
    assert messages[-1]["params"]["texts"]["de"] == "GPU {pad} ist weg."
    assert [event["t_ps"] for event in told if event["code"] == "pad.broken"] == [seconds(45)]


def test_a_broken_card_stands_still_and_what_it_held_is_computed_anew() -> None:
    game = running()
    game.advance(seconds(45))
    core = next(machine for machine in game.floor.machines.values() if machine.stand.kind.name == "decode_core")
    held = [request for request in game.floor.requests.values() if request.id in core.holds()]
    assert held
    happen(game, {"is": "BreakPad", "pad": 1})
    assert (game.floor.pads[1].broken, game.floor.pads[1].pool.used, core.status()) == (True, 0, "broken")
    assert all(request.recompute and not request.done for request in held)
    done = game.tokens()
    game.advance(seconds(60))
    assert game.tokens() == done, "nothing runs there"
    assert not core.holds(), "and nobody sends anything there"
    happen(game, {"is": "RepairPad", "pad": 1})
    game.advance(seconds(150))
    assert all(request.done for request in held)
    assert codes(game) == ["pad.broken", "pad.repaired"]


def test_docks_and_prefill_cores_go_round_a_broken_card() -> None:
    """Two lines, a card each; the first card breaks."""
    pads = [attrs.evolve(LEVEL.pads[0], x=3, y=y, width=6, height=3) for y in (0, 6)]
    docks = [attrs.evolve(dock, x=x, y=4) for dock, x in zip(LEVEL.docks, (0, 12), strict=True)]
    game = Simulation(attrs.evolve(LEVEL, width=16, height=10, pads=pads, docks=docks), 1)
    for y in (1, 7):
        prefill, decode = place(game, "prefill_core", 3, y), place(game, "decode_core", 7, y)
        for pair in ((1, prefill), (prefill, decode), (decode, 2)):
            link(game, *pair)
    do(game, "start")
    game.advance(seconds(30))
    happen(game, {"is": "BreakPad", "pad": 0})
    game.advance(seconds(31))
    done = game.tokens()
    game.advance(seconds(80))
    assert game.tokens() > done + 400
    on_broken = [machine for machine in game.floor.machines.values() if machine.pad is game.floor.pads[0]]
    assert all(machine.load_length() == 0 for machine in on_broken)


def test_drafts_of_a_broken_card_are_not_waited_for() -> None:
    level = load("3")
    level = attrs.evolve(level, hooks=LEVEL.hooks, width=16, pads=[*level.pads, attrs.evolve(level.pads[0], x=10, y=0)])
    level = attrs.evolve(level, docks=[level.docks[0], attrs.evolve(level.docks[1], x=9, y=6)])
    game = Simulation(level, 1)
    ids = [place(game, *at) for at in (("prefill_core", 3, 1), ("decode_core", 6, 3), ("draft_model", 10, 1, 2))]
    gate = place(game, "validation_gate", 7, 5)
    for pair in ((1, ids[0]), (ids[0], ids[1]), (ids[2], ids[1]), (ids[1], gate), (gate, 2)):
        link(game, *pair)
    do(game, "start")
    core = game.floor.machines[ids[1]]
    while core.stepper.run is None or not core.stepper.run.drafted:
        game.advance(game.now + seconds(0.01))
    game.advance(-(-game.now // PS_PER_S) * PS_PER_S)
    happen(game, {"is": "BreakPad", "pad": 1})
    assert core.stepper.drafter is None
    made = game.tokens()
    game.advance(seconds(40))
    assert game.tokens() > made
    again = replay(level, 1, game.commands, game.now)
    assert again.state_hash() == game.state_hash()


def test_traffic_changes_from_that_second_on() -> None:
    game = running()
    game.advance(seconds(50))
    before = len(game.floor.requests)
    lengths = {"low": 100, "high": 200}
    traffic = {"is": "Traffic", "interval_ps": PS_PER_S // 2, "jitter_ps": 0, "prompt": lengths, "output": lengths}
    happen(game, {"is": "ChangeTraffic", "traffic": traffic})
    game.advance(seconds(55) + 1)
    new = list(game.floor.requests.values())[before:]
    assert [request.arrival_ps for request in new] == [seconds(50.5 + n / 2) for n in range(10)]
    assert all(100 <= request.prompt_tokens <= 200 for request in new)
    happen_at = game.now
    game.advance(seconds(56))
    assert game.now > happen_at
    happen(game, {"is": "ChangeTraffic", "traffic": {"is": "TraceTraffic", "arrivals": [[0, 5, 6], [PS_PER_S, 7, 8]]}})
    before = len(game.floor.requests)
    game.advance(seconds(70))
    assert [(one.arrival_ps, one.prompt_tokens) for one in list(game.floor.requests.values())[before:]] == [
        (seconds(56), 5),
        (seconds(57), 7),
    ]
    assert replay(LEVEL, 1, game.commands, game.now).state_hash() == game.state_hash()


def test_machines_are_granted_and_taken_and_what_stands_stays() -> None:
    game = Game(LEVEL, {"do": "place", "kind": "decode_core", "x": 8, "y": 6, "rot": 0})
    assert game.give(do="place", kind="decode_core", x=9, y=6, rot=0)["code"] == "place.none_left"
    game.play_to(76)
    assert game.now.site.left("decode_core") == 1, "granted at 75 s"
    two = game.give(do="place", kind="decode_core", x=9, y=6, rot=0)
    assert two["ok"]
    game.play_to(78)
    assert game.now.site.left("decode_core") == 0, "taken at 77 s, since something was built"
    assert game.now.site.placed("decode_core") == 3, "what stands stays"
    assert game.give(do="move", id=two["id"], x=9, y=7, rot=0)["ok"]
    assert game.give(do="undo")["ok"]
    assert game.give(do="redo")["ok"]
    assert game.give(do="remove", ids=[two["id"]])["ok"]
    assert game.give(do="place", kind="decode_core", x=9, y=6, rot=0)["code"] == "place.none_left"
    assert game.give(do="undo")["code"] == "place.none_left", "nor does it come back"
    assert game.now.site.placed("decode_core") == 2
    again = replay(LEVEL, 1, game.now.commands, game.now.now)
    assert again.state_hash() == game.now.state_hash()


def test_a_grant_can_be_for_a_kind_that_the_level_did_not_allow() -> None:
    level = attrs.evolve(LEVEL, allowed={"prefill_core": 1}, reference={})
    game = Simulation(level, 1)
    do(game, "start")
    with pytest.raises(EngineError, match=r"place\.not_allowed"):
        place(game, "decode_core", 6, 4)
    happen(game, {"is": "Grant", "kind": "decode_core", "count": 2})
    place(game, "decode_core", 6, 4)
    happen(game, {"is": "Take", "kind": "decode_core", "count": 5})
    assert game.site.allowed["decode_core"] == 0
    assert [params for _, code, params in game.floor.events if code == "grant"] == [
        {"kind": "decode_core", "count": 2},
        {"kind": "decode_core", "count": -2},
    ]


def test_what_a_hook_remembers_is_there_at_its_next_call() -> None:
    assert WHOLE.hook_state.memories["count"]["calls"] == 34
    restored = Simulation.restore(LEVEL, WHOLE.checkpoints[-1])
    assert restored.hook_state.memories["count"]["calls"] == 29


# -- what they may not do --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "effect",
    [
        {"is": "BreakPad", "pad": 2},
        {"is": "BreakPad", "pad": -1},
        {"is": "BreakPad", "pad": 1.0},
        {"is": "Grant", "kind": "token_dock", "count": 1},
        {"is": "Grant", "kind": "draft_model", "count": 1},
        {"is": "Grant", "kind": "decode_core", "count": 10**9},
        {"is": "Message", "text": "run.won"},
        {"is": "Message", "text": {"en": "\x1b[31m"}},
        {"is": "Message", "text": "message.hooked.x", "params": {"n": float("inf")}},
        {"is": "ChangeTraffic", "traffic": {"is": "TraceTraffic", "arrivals": []}},
        {"is": "ChangeTraffic", "traffic": {"is": "TraceTraffic", "arrivals": [[0, 1]]}},
        {"is": "Reboot"},
        {},
        None,
    ],
)
def test_an_effect_that_cannot_be_is_refused_with_all_that_came_with_it(effect: Any) -> None:
    game = running()
    game.advance(seconds(10))
    before = game.state_hash()
    with pytest.raises(EngineError):
        happen(game, {"is": "BreakPad", "pad": 0}, effect)
    assert game.state_hash() == before


@pytest.mark.parametrize("memory", [{"a": float("nan")}, {"a": "x" * MOST_MEMORY}, {1: 2}, {"a": {1}}, {"a": 2**70}])
def test_a_memory_that_cannot_be_kept_is_refused(memory: Any) -> None:
    game = running()
    with pytest.raises(EngineError):
        happen(game, memory=memory)


def test_the_player_gives_no_commands_of_hooks() -> None:
    game = Game()
    effects = [{"is": "Grant", "kind": "decode_core", "count": 5}]
    answer = game.give(do="hook", name="fail", t_s=0, effects=effects, memory={})
    assert answer["code"] == "message.unknown"
    assert game.give(do="hook_stopped", name="fail", code="x", params={})["code"] == "message.unknown"


def test_commands_of_hooks_have_to_be_of_this_level_and_second() -> None:
    game = running()
    game.advance(seconds(10))
    for name, second in (("nobody", 10), ("fail", 9), ("fail", 11)):
        with pytest.raises(EngineError, match=r"hook\."):
            do(game, "hook", name=name, t_s=second, effects=[], memory={})
    with pytest.raises(EngineError, match=r"hook\.over"):
        do(Simulation(LEVEL, 1), "hook", name="fail", t_s=0, effects=[], memory={})


def test_a_hook_that_fails_is_named_and_the_game_goes_on_without_hooks() -> None:
    def bad(run: Run) -> list[Effect]:
        if run.t_s == 20:
            raise KeyError("oops")
        return [Message({"en": "fine"})]

    level = attrs.evolve(LEVEL, hooks=[Every(10, bad), Every(10, hook_level.count)])
    game = play(level, 1, REFERENCE)
    assert game.phase == ENDED
    assert codes(game) == ["hook.message", "hook.stopped"]
    told = game.floor.events[-1][2]
    assert (told["mod"], told["name"], told["code"]) == ("hooked", "bad", "hook.failed")
    assert told["params"]["line"] > 1
    assert told["params"]["file"] == __file__
    assert told["params"]["detail"] == "KeyError: 'oops'"
    assert replay(level, 1, game.commands, game.end_ps).state_hash() == game.state_hash()


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
EFFECT = st.fixed_dictionaries(
    {"is": st.sampled_from(["Message", "BreakPad", "RepairPad", "Grant", "Take", "ChangeTraffic"])},
    optional={
        "pad": st.integers(-1, 2),
        "kind": st.sampled_from(["decode_core", "draft_model", "x"]),
        "count": st.integers(-1, 300),
        "text": st.text(max_size=5) | st.dictionaries(st.sampled_from(["en", "de"]), st.text(max_size=9)),
        "params": ANY,
    },
)
ANSWER = st.fixed_dictionaries(
    {}, optional={"name": ANY, "effects": st.lists(EFFECT | ANY, max_size=3) | ANY, "memory": ANY, "code": ANY}
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(ANSWER | ANY, max_size=3) | ANY, min_size=1, max_size=6))
def test_whatever_is_answered_the_game_goes_on_and_is_its_replay(answers: list[Any]) -> None:
    class Liar(LocalHooks):
        def answer(self) -> Any:
            answer = answers.pop(0) if answers else []
            return [] if answer is None else answer

    game = running()
    HookRunner(Liar(LEVEL)).attach(game)
    game.advance(seconds(60))
    assert (game.now, game.waits) == (seconds(60), False)
    msgpack.packb(game.commands)
    assert replay(LEVEL, 1, game.commands, game.now).state_hash() == game.state_hash()


# -- what looks ahead --------------------------------------------------------------------------------------------------


def test_what_would_help_is_found_in_the_world_that_hooks_have_made() -> None:
    """With the second card broken, the present layout delivers little; forecasts say so, and the card is named."""
    hooks = [hook for hook in LEVEL.hooks if hook.name in ("fail", "thanks")]
    game = Game(attrs.evolve(LEVEL, hooks=hooks))
    tab = game.session.tab
    assert tab is not None
    whole = tab.diagnosis.what_if.run(tab.simulation.site.layout())
    whole.work(lambda: False)
    game.play_to(60)
    shot = game.look()
    tab.diagnosis.news(tab.simulation, True)
    run = tab.diagnosis.what_if.run(tab.simulation.site.layout())
    run.work(lambda: False)
    assert run.outcome is not None
    assert whole.outcome is not None
    assert run.outcome.values["tps"] < whole.outcome.values["tps"] / 4  # type: ignore[operator]
    assert shot["phase"] == "running"
    told = tab.diagnosis.news(tab.simulation, True)["bottleneck"]
    assert (told["code"], told["params"]) == ("bottleneck.broken", {"kind": "decode_core", "pad": 1})


def test_a_forecast_may_use_what_was_granted() -> None:
    game = Game(LEVEL, {"do": "place", "kind": "decode_core", "x": 8, "y": 6, "rot": 0})
    game.play_to(76)
    assert game.give(do="place", kind="decode_core", x=9, y=6, rot=0)["ok"]
    tab = game.session.tab
    assert tab is not None
    tab.diagnosis.news(tab.simulation, True)
    run = tab.diagnosis.what_if.run(tab.simulation.site.layout())
    run.work(lambda: False)
    assert run.outcome is not None
    assert run.outcome.refusal is None
