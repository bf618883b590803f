"""How a run went, second by second; and that being recorded changes nothing."""

import msgpack
import numpy as np
import pytest
from factories import LEVEL_1, LEVELS, do, new, reference, slots

from engine.level.spec import Level
from engine.metrics.history import LOOKS_PER_S, NOTHING, QUEUE_OVERFLOW, Recorder
from engine.protocol.session import Session
from engine.simulation import Simulation
from engine.units import PS_PER_S, as_seconds


class Counter:
    """Counts its looks."""

    def __init__(self) -> None:
        self.times: list[int] = []

    def look(self, simulation: Simulation) -> None:
        self.times.append(simulation.now)

    def rewound(self, simulation: Simulation) -> None:
        self.times.clear()


def recorded(level: Level, layout: str = "reference") -> tuple[Simulation, Recorder]:
    game, recorder = new(level=level), Recorder()
    recorder.attach(game)
    do(game, "layout", layout=getattr(level, layout))
    do(game, "start")
    game.advance(game.end_ps)
    return game, recorder


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
@pytest.mark.parametrize("looks", [False, True])
def test_being_recorded_changes_nothing(level: Level, looks: bool) -> None:
    game, watched, recorder = new(level=level), new(level=level), Recorder()
    if looks:
        recorder.lookers.append(Counter())
    recorder.attach(watched)
    for one in (game, watched):
        reference(one)
        do(one, "start")
        one.advance(one.end_ps)
    assert watched.state_hash() == game.state_hash()
    assert watched.checkpoints == game.checkpoints


def test_a_looker_looks_five_times_a_second_whatever_the_frames() -> None:
    game, recorder, counter = new(), Recorder(), Counter()
    recorder.lookers.append(counter)
    recorder.attach(game)
    do(game, "start")
    for frame in range(1, 200):
        game.advance(frame * PS_PER_S // 30)
    between = PS_PER_S // LOOKS_PER_S
    assert counter.times == [between * n + between // 2 for n in range(len(counter.times))]
    assert not any(time % PS_PER_S == 0 for time in counter.times), "whole seconds have enough to do"
    assert len(counter.times) == 33


def test_every_second_has_the_figures_of_that_second() -> None:
    game, recorder = recorded(LEVEL_1)
    assert len(recorder.seconds) == LEVEL_1.end_s
    delivered = game.floor.ledger.delivered
    for second in (5, 10, 77, 200):
        span = min(second, 10)
        assert recorder.seconds[second - 1].tps == delivered.total(second - span, second) / span
    assert 30 < recorder.seconds[-1].tps < 45
    assert recorder.seconds[-1].vram_bytes[0] < 24 * 2**30
    assert {second.acceptance for second in recorder.seconds} == {NOTHING}
    settled = [second.ttft_s for second in recorder.seconds[30:]]
    p95 = as_seconds(game.score().ttft_p95_ps or 0)
    assert min(settled) < p95 <= max(settled)


def test_acceptance_is_the_share_of_drafts_that_were_right() -> None:
    game, recorder = recorded(LEVELS[2])
    cores = [machine for machine in game.floor.machines.values() if hasattr(machine, "stepper")]
    proposed = sum(core.stepper.drafted for core in cores)
    accepted = sum(core.stepper.accepted for core in cores)
    assert sum(second.proposed for second in recorder.seconds) == proposed > 1000
    assert sum(second.accepted for second in recorder.seconds) == accepted
    shares = [second.acceptance for second in recorder.seconds if second.acceptance != NOTHING]
    assert np.mean(shares) == pytest.approx(accepted / proposed, abs=0.02)


def test_marks_tell_what_happened_and_when() -> None:
    game, recorder = recorded(LEVELS[1], "naive")
    codes = [mark.code for mark in recorder.marks]
    assert codes[0] == "memory.out"
    assert recorder.marks[0].t_ps == game.floor.events[0][0]
    assert codes[-1] == "run.lost"
    overflow = next(mark for mark in recorder.marks if mark.code == "queue.overflow")
    assert overflow.params == {"machine": 3, "waiting": QUEUE_OVERFLOW + 1}
    assert "goal.met" in codes
    assert all(mark.t_ps >= 120 * PS_PER_S for mark in recorder.marks if mark.code.startswith("goal."))


def test_goals_are_marked_when_they_are_met_and_when_they_are_lost() -> None:
    game, recorder = new(), Recorder()
    recorder.attach(game)
    reference(game)
    do(game, "start")
    game.advance(60 * PS_PER_S)
    slots(game, 4, 1)
    game.advance(game.end_ps)
    about = [mark.code for mark in recorder.marks if mark.params.get("metric") == "ttft_p95"]
    assert about == ["goal.met", "goal.lost"]
    overflows = [mark for mark in recorder.marks if mark.code == "queue.overflow"]
    assert len(overflows) == 1, "once, as long as the queue stays long"
    assert [judgement.met for judgement in recorder.judgements] == [judgement.met for judgement in game.judge()]


def test_the_history_over_the_bridge_can_be_asked_for_from_a_second_on() -> None:
    session = Session()

    def call(**message: object) -> dict[str, object]:
        entry = session.ask if "ask" in message else session.command
        return dict(msgpack.unpackb(entry(msgpack.packb({"v": 1, **message}))))

    call(do="open", level="2", seed=1)
    assert call(ask="history")["count"] == 0
    call(do="layout", layout=LEVELS[1].reference)
    call(do="start")
    session.step(40.0)
    told = call(ask="history", from_s=31)
    assert (told["from_s"], told["count"], told["targets"]) == (31, 10, {"tps": 60.0, "ttft": None})
    assert len(told["tps"].data) == len(told["vram"]["bytes"][0].data) == 8 + 40  # type: ignore[attr-defined, index]
    assert call(ask="history", from_s=10**9)["count"] == 0
