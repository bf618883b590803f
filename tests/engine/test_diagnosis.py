"""The diagnosis is true: what limits a machine is what it does, and the fix that is named helps when it is made."""

from random import Random
from typing import Any

import msgpack
import pytest
from factories import LEVEL_1, LEVELS, do, new

from engine.diagnosis.evidence import RECENT, Evidence
from engine.diagnosis.fixes import changes, improves, named_metric
from engine.diagnosis.gaps import gaps
from engine.diagnosis.limits import LIMITS, limit_of
from engine.diagnosis.search import MOST_TRIED, Search
from engine.diagnosis.sketch import Sketch
from engine.diagnosis.waits import WHOLE, place, waits
from engine.diagnosis.what_if import Outcome, Run, WhatIf
from engine.errors import EngineError
from engine.floor.layout import Layout, layout_from_data, layout_hash, layout_to_data
from engine.floor.machines import DecodeCore
from engine.level.load import BENCH, load
from engine.level.spec import Level
from engine.proof.build import Builder
from engine.proof.draw import Drawer
from engine.protocol.codes import CODES
from engine.protocol.play import play
from engine.protocol.session import Session
from engine.simulation import Simulation
from engine.units import PS_PER_S

FAST = (0, 1, 3, 4, 8, 9, 10, 15)
"""Random layouts of all three levels, whole and broken, whose fix is soon found."""
ALL = range(50)
SEED = 1


def never() -> bool:
    return False


# -- the counterfactual -----------------------------------------------------------------------------------------------

BUILDERS = {level.number: Builder(level, 20) for level in LEVELS}


def random_layout(number: int) -> tuple[Level, Layout]:
    """A layout drawn as in the proofs; of every other one, a machine or a belt or two are missing."""
    random, level = Random(number), LEVELS[number % len(LEVELS)]
    drawer = Drawer(level, None, random)
    while True:
        plan = drawer.fresh()
        layout = BUILDERS[level.number].build(plan) if plan is not None else None
        if layout is None:
            continue
        try:
            sketch = Sketch(level, layout)
        except EngineError:  # with these settings, the machines do not fit their cards
            continue
        for _ in range(random.choice((0, 0, 1, 2))):
            things = [id for id in sketch.floor.machines if id not in sketch.site.fixed] + list(sketch.floor.belts)
            if things:
                sketch.site.remove([random.choice(things)])
        return level, sketch.layout()


WHAT_IFS = {level.id: WhatIf(level, SEED) for level in LEVELS}
"""Shared, so that a layout is simulated once."""


def found(level: Level, layout: Layout) -> Search:
    search = Search(WHAT_IFS[level.id], layout)
    while not search.done:
        search.work(never)
    return search


def measured(level: Level, layout: Layout, metric: str) -> float | None:
    """A metric after a whole run of a layout on the command line's simulation."""
    return {judgement.goal.metric: judgement.value for judgement in play(level, SEED, layout).judge()}[metric]


def check_fix(number: int) -> None:
    """The named fix, made by a command, improves the named metric; where none is named, no change would."""
    level, layout = random_layout(number)
    search = found(level, layout)
    assert search.before is not None
    assert search.goal is not None
    goal, before = search.goal, measured(level, layout, search.goal.metric)
    assert search.before.values[goal.metric] == before
    if search.fix is not None:
        simulation = new(SEED, level)
        do(simulation, "layout", layout=layout_to_data(layout))
        do(simulation, "layout", layout=layout_to_data(search.fix.layout))
        do(simulation, "start")
        simulation.advance(simulation.end_ps)
        after = {judgement.goal.metric: judgement.value for judgement in simulation.judge()}[goal.metric]
        assert search.after is not None
        assert search.after.values[goal.metric] == after
        assert improves(goal, before, after), (number, search.fix.steps, before, after)
        assert all(set(step.params) == set(CODES[step.code]) for step in search.fix.steps)
        return
    assert not search.before.unmet, f"nothing found for {number}, which misses {search.before.unmet}"
    for fix in changes(level, layout, missed=False):
        if fix is not None:
            run = Run(level, SEED, fix.layout)
            run.work(never)
            outcome = run.outcome
            assert outcome is not None
            helps = outcome.refusal is None and improves(goal, before, outcome.values[goal.metric])
            assert not helps or outcome.unmet, (number, fix.steps)


@pytest.mark.parametrize("number", FAST)
def test_the_named_fix_helps(number: int) -> None:
    check_fix(number)


@pytest.mark.long
@pytest.mark.parametrize("number", sorted(set(ALL) - set(FAST)))
def test_the_named_fix_helps_on_fifty_layouts(number: int) -> None:
    check_fix(number)


def fix_of(level: Level, layout: Layout) -> list[tuple[Any, ...]]:
    search = found(level, layout)
    return [(step.code, *step.params.values()) for step in search.fix.steps] if search.fix is not None else []


def test_each_naive_layout_is_mended_by_what_its_level_teaches() -> None:
    told = [fix_of(level, layout_from_data(level.naive)) for level in LEVELS]
    assert told[0] == [("fix.move", "decode_core", 1)]
    assert told[1] == [("fix.add", "page_allocator", 1)]
    assert [step[:2] for step in told[2]] == [
        ("fix.add_floor", "validation_gate"),
        ("fix.add_draft", "draft_model"),
    ]


def test_an_empty_floor_is_told_what_to_build() -> None:
    for level in LEVELS:
        steps = fix_of(level, Layout())
        assert {"prefill_core", "decode_core"} <= {step[1] for step in steps}


def test_where_all_goals_are_met_no_fix_spoils_one() -> None:
    """A fourth sequence on level 2 brings a little more, and preempts: it isn't named."""
    search = found(LEVELS[1], layout_from_data(LEVELS[1].reference))
    assert search.before is not None
    assert search.before.unmet == ()
    assert search.fix is None
    assert search.tried > 0


def test_a_search_is_the_same_however_it_is_sliced() -> None:
    level, layout = LEVELS[1], layout_from_data(LEVELS[1].naive)
    sliced = Search(WhatIf(level, SEED), layout)
    slices = 0
    while not sliced.done:
        sliced.work(lambda: True)
        slices += 1
    whole = found(level, layout)
    assert slices > 100
    assert (sliced.fix, sliced.tried) == (whole.fix, whole.tried)
    assert whole.tried < MOST_TRIED


# -- whole runs -------------------------------------------------------------------------------------------------------


def test_a_run_in_slices_reaches_what_a_run_at_once_does() -> None:
    for level in LEVELS[:2]:
        layout = layout_from_data(level.reference)
        run = Run(level, SEED, layout)
        shares = [run.share]
        while not run.work(lambda: True):
            shares.append(run.share)
        assert shares == sorted(shares)
        assert run.share == 1.0
        assert run.outcome is not None
        for goal in level.goals:
            assert run.outcome.values[goal.metric] == measured(level, layout, goal.metric)


def test_outcomes_are_kept_by_layout() -> None:
    what_if, layout = WhatIf(LEVEL_1, SEED), layout_from_data(LEVEL_1.reference)
    assert what_if.known(layout) is None
    run = what_if.run(layout)
    assert run.work(never)
    what_if.keep(run)
    assert what_if.known(layout) is run.outcome
    assert what_if.run(layout).work(lambda: True)


def test_a_layout_that_cannot_be_built_is_refused() -> None:
    layout = layout_from_data(LEVEL_1.reference)
    layout.machines[0] = layout.machines[1]
    run = Run(LEVEL_1, SEED, layout)
    assert run.work(never)
    assert run.outcome is not None
    assert run.outcome.refusal is not None
    assert run.outcome.refusal.code == "place.occupied"


def test_the_goal_that_counts_is_the_first_that_is_missed() -> None:
    evidence = Evidence()
    assert named_metric(LEVEL_1, Outcome({}, ("pause_p95", "ttft_p95"), evidence)).metric == "ttft_p95"
    assert named_metric(LEVEL_1, Outcome({}, (), evidence)).metric == "tps"


# -- limits and waits -------------------------------------------------------------------------------------------------


def running(level: Level, data: dict[str, Any], to_s: float) -> Simulation:
    simulation = new(SEED, level)
    do(simulation, "layout", layout=data)
    do(simulation, "start")
    simulation.advance(int(to_s * PS_PER_S))
    return simulation


def test_every_request_under_way_is_counted_once() -> None:
    for level in LEVELS:
        for data in (level.reference, level.naive):
            simulation = running(level, data, 10)
            for _ in range(100):
                simulation.advance(simulation.now + PS_PER_S * 7 // 10)
                total = 0
                for _, _, amount in waits(simulation.floor):
                    total += amount
                under_way, short = 0, 0
                for request in simulation.floor.requests.values():
                    under_way += not (request.done or request.refused or request.lost_ps >= 0)
                for belt in simulation.floor.belts.values():
                    short += len(belt.requests()) if belt.packet == "prompt" else 0
                assert abs(total - WHOLE * (under_way - short)) <= 8 * max(under_way, 1), simulation.now


def test_limits_follow_what_machines_do() -> None:
    simulation = new(SEED)
    do(simulation, "layout", layout=LEVEL_1.naive)
    seen: dict[str, set[str]] = {}
    do(simulation, "start")
    for _ in range(150):
        simulation.advance(simulation.now + PS_PER_S // 5)
        for machine in simulation.floor.machines.values():
            seen.setdefault(machine.stand.kind.name, set()).add(limit_of(machine, machine.status()))
    assert seen["prefill_core"] <= {"compute", "input", "card"}
    assert seen["decode_core"] == {"bandwidth", "card", "input"}
    assert seen["prompt_dock"] == seen["token_dock"] == {"none"}
    for limits in seen.values():
        assert limits <= set(LIMITS)


def test_shares_are_of_the_last_ten_seconds_and_add_up_to_one() -> None:
    evidence, simulation = Evidence(), running(LEVEL_1, LEVEL_1.naive, 30)
    core = next(machine for machine in simulation.floor.machines.values() if isinstance(machine, DecodeCore))
    for _ in range(3 * RECENT):
        simulation.advance(simulation.now + PS_PER_S // 5)
        evidence.look(simulation)
    assert evidence.seen == len(evidence.looks) == RECENT
    shares = dict(evidence.shares(place(core)))
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["card"] == pytest.approx(0.6, abs=0.1)  # 1.1 s of prefill every 1.8 s
    assert all(amount >= 0 for amount in evidence.spent.values())
    assert evidence.seen == RECENT


# -- gaps -------------------------------------------------------------------------------------------------------------


def codes_of(simulation: Simulation) -> list[str]:
    return [gap.code for gap in gaps(simulation.floor)]


def test_whole_pipelines_have_no_gaps() -> None:
    for level in LEVELS:
        assert codes_of(running(level, level.reference, 0)) == []


def test_gaps_are_named() -> None:
    simulation = new(SEED)
    assert codes_of(simulation) == ["gap.no_machine", "gap.no_machine", "gap.no_output"]
    do(simulation, "layout", layout=LEVEL_1.reference)
    for belt, code in ((0, "gap.no_output"), (1, "gap.no_output"), (2, "gap.no_output")):
        do(simulation, "layout", layout=LEVEL_1.reference)
        do(simulation, "remove", ids=[list(simulation.floor.belts)[belt]])
        assert codes_of(simulation)[0] == code
    level = LEVELS[2]
    simulation = running(level, level.reference, 0)
    draft = next(id for id, machine in simulation.floor.machines.items() if machine.stand.kind.name == "draft_model")
    do(simulation, "remove", ids=[draft])
    assert codes_of(simulation) == ["gap.no_draft"]
    assert gaps(simulation.floor)[0].whole


# -- over the bridge --------------------------------------------------------------------------------------------------


def packed(**message: Any) -> bytes:
    return bytes(msgpack.packb({"v": 1, **message}))


class Game:
    """A session with frames, and what it last said of the bottleneck."""

    def __init__(self, level: Level, data: dict[str, Any] | None = None) -> None:
        self.session = Session()
        self.said: list[dict[str, Any]] = []
        self.do(do="open", level=level.id)
        tab = self.session.tab
        assert tab is not None
        tab.diagnosis.what_if = WHAT_IFS.get(level.id, tab.diagnosis.what_if)
        if data is not None:
            self.do(do="layout", layout=data)

    def do(self, **message: Any) -> dict[str, Any]:
        answer = msgpack.unpackb(self.session.command(packed(**message)))
        assert answer["ok"], answer
        return dict(answer)

    def ask(self, **message: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.ask(packed(**message))))

    def frames(self, count: int, delta_s: float = 0.0, think: bool = True) -> dict[str, Any]:
        snapshot: dict[str, Any] = {}
        for _ in range(count):
            snapshot = dict(msgpack.unpackb(self.session.step(delta_s)))
            if "bottleneck" in snapshot:
                self.said.append(snapshot["bottleneck"])
            if think:
                self.session.think(never)
        return snapshot

    def core(self) -> int:
        assert self.session.simulation is not None
        machines = self.session.simulation.floor.machines.values()
        return next(machine.id for machine in machines if isinstance(machine, DecodeCore))


def test_while_building_the_line_says_what_the_layout_would_do() -> None:
    game = Game(LEVEL_1, LEVEL_1.naive)
    game.frames(40)
    first, last = game.said[0], game.said[-1]
    assert (first["code"], first["looking"], first["fix"]) == ("bottleneck.looking", True, None)
    assert (last["code"], last["simulated"], last["looking"]) == ("bottleneck.card", True, False)
    assert last["machine"] == game.core()
    assert last["fix"]["metric"] == "goal.pause_p95"
    assert last["fix"]["before"] > 0.5 >= last["fix"]["after"]


def test_the_line_names_gaps_first_and_crashes_before_all() -> None:
    game = Game(LEVELS[1])
    game.frames(2)
    assert game.said[-1]["code"] == "gap.no_machine"
    game.do(do="layout", layout=LEVELS[1].naive)
    game.frames(60)
    assert game.said[-1]["code"] == "bottleneck.will_crash"
    game.do(do="start")
    game.frames(70, 1.0)
    assert game.said[-1]["code"] == "bottleneck.out_of_memory"
    assert game.said[-1]["fix"]["code"] == "fix.add"
    for said in game.said:
        assert set(said["params"]) == set(CODES[said["code"]])


def test_the_line_does_not_flicker() -> None:
    game = Game(LEVEL_1, LEVEL_1.naive)
    game.frames(40)
    game.do(do="start")
    del game.said[:]
    game.frames(120 * 4, 0.25, think=False)
    assert {said["code"] for said in game.said} == {"bottleneck.card"}
    assert len(game.said) <= 120 / 5 + 2


def test_after_the_end_the_line_says_what_held_this_run_back() -> None:
    game = Game(LEVEL_1, LEVEL_1.naive)
    game.frames(40)
    game.do(do="start")
    assert game.frames(260, 1.0)["phase"] == "ended"
    assert (game.said[-1]["code"], game.said[-1]["simulated"]) == ("bottleneck.card", False)


def test_a_factory_that_serves_all_as_it_comes_is_told_so() -> None:
    game = Game(LEVEL_1, LEVEL_1.reference)
    game.do(do="start")
    game.frames(100, 1.0)
    assert game.said[-1]["code"] == "bottleneck.none"
    assert game.said[-1]["params"] == {"tps": 36}
    assert game.said[-1]["fix"] is None


def test_a_large_factory_is_not_simulated_ahead_but_diagnosed_as_it_runs() -> None:
    game = Game(load(BENCH))
    game.do(do="layout", layout=load(BENCH).reference)
    game.frames(1)
    assert game.said[-1]["code"] == "what_if.too_large"
    game.do(do="start")
    game.frames(12, 1.0)
    assert (game.said[-1]["code"], game.said[-1]["fix"]) == ("bottleneck.card", None)
    assert game.ask(ask="what_if", id=game.core(), name="max_num_seqs", value=2)["code"] == "what_if.too_large"


def test_what_is_simulated_ahead_has_no_effect_on_the_game() -> None:
    thinking, idle = Game(LEVEL_1, LEVEL_1.naive), Game(LEVEL_1, LEVEL_1.naive)
    for game, think in ((thinking, True), (idle, False)):
        game.do(do="start")
        game.frames(100, 0.5, think=think)
        game.ask(ask="what_if", id=game.core(), name="max_num_seqs", value=2)
        game.frames(100, 0.5, think=think)
    assert thinking.session.simulation is not None
    assert idle.session.simulation is not None
    assert thinking.session.simulation.state_hash() == idle.session.simulation.state_hash()


def test_a_setting_is_asked_about_before_it_is_changed() -> None:
    game = Game(LEVEL_1, LEVEL_1.reference)
    game.session.tab.diagnosis.what_if = WhatIf(LEVEL_1, SEED)  # type: ignore[union-attr]
    question = {"ask": "what_if", "id": game.core(), "name": "max_num_seqs", "value": 1}
    first = game.ask(**question)
    assert first["pending"]
    assert 0 <= first["share"] < 1
    game.frames(1)
    told = game.ask(**question)
    values = {metric["code"]: (metric["before"], metric["after"]) for metric in told["metrics"]}
    assert list(values) == ["goal.tps", "goal.ttft_p95", "goal.pause_p95"]
    changed = layout_from_data(LEVEL_1.reference)
    changed.machines[1].settings["max_num_seqs"] = 1
    reference = layout_from_data(LEVEL_1.reference)
    for code, (before, after) in values.items():
        metric = code.removeprefix("goal.")
        assert (before, after) == (measured(LEVEL_1, reference, metric), measured(LEVEL_1, changed, metric))
    assert game.ask(ask="layout")["layout_hash"] == layout_hash(Sketch(LEVEL_1, reference).layout())


def test_a_setting_that_may_not_be_is_refused_with_its_reason() -> None:
    game = Game(LEVEL_1, LEVEL_1.reference)
    core = game.core()
    for fields, code in (
        ({"id": core, "name": "max_num_seqs", "value": 99}, "setting.range"),
        ({"id": core, "name": "colour", "value": 1}, "setting.unknown"),
        ({"id": 1, "name": "max_num_seqs", "value": 1}, "machine.fixed"),
        ({"id": 77, "name": "max_num_seqs", "value": 1}, "machine.unknown"),
    ):
        assert game.ask(ask="what_if", **fields)["code"] == code


def test_the_overlay_and_the_columns_say_the_same() -> None:
    game = Game(LEVEL_1, LEVEL_1.naive)
    game.do(do="start")
    first = game.frames(1)
    assert first["structure"]["limits"] == list(LIMITS) if "structure" in first else True
    snapshot = game.frames(200, 0.2, think=False)
    told = game.ask(ask="overlay")
    assert [LIMITS[limit] for limit in snapshot["machines"]["limit"]] == told["limit"]
    assert told["id"] == list(game.session.simulation.floor.machines)  # type: ignore[union-attr]
    shares = dict(game.ask(ask="machine", id=game.core())["limits"])
    assert sum(shares.values()) == pytest.approx(1)


def test_the_report_of_a_crash_names_fixes_that_are_true() -> None:
    game = Game(LEVELS[1], LEVELS[1].naive)
    assert game.ask(ask="out_of_memory", id=game.core())["code"] == "memory.no_report"
    game.do(do="start")
    game.frames(70, 1.0)
    report = game.ask(ask="out_of_memory", id=game.core())
    assert not report["looking"]
    assert report["free_bytes"] < report["wanted_bytes"]
    told = [(fix["code"], fix["params"], round(fix["before"]), round(fix["after"])) for fix in report["fixes"]]
    assert told == [
        ("fix.set", {"kind": "decode_core", "name": "max_num_seqs", "value": 2}, 0, 51),
        ("fix.add", {"kind": "page_allocator", "pad": 1}, 0, 65),
    ]
