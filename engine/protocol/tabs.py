"""Layouts of one level side by side: each tab is a game of its own, with its own time and its own past."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from engine.diagnosis.diagnosis import Diagnosis
from engine.diagnosis.what_if import WhatIf
from engine.errors import EngineError
from engine.floor.layout import Layout, layout_hash, layout_to_data
from engine.floor.machines.core import Core
from engine.level.hooks import CallerOf, HookRunner
from engine.level.spec import Level
from engine.metrics.history import Recorder
from engine.physics.money import usd_per_million_tokens
from engine.protocol.arrays import reals
from engine.protocol.asks.question import Nothing
from engine.protocol.branches import Branches, Course
from engine.protocol.commands import FROM_HOOKS, give
from engine.protocol.comparing import Comparing
from engine.protocol.following import Following
from engine.protocol.snapshot import Snapshots, goal_data
from engine.protocol.timeline import Replay
from engine.protocol.trail import Trail
from engine.protocol.undo import Undo
from engine.simulation import BUILD, ENDED, RUNNING, Simulation
from engine.units import PS_PER_S, as_seconds

MOST_TABS = 2


class Tab:
    """A game, what the view is told of it, and how to get to another moment of it."""

    def __init__(self, simulation: Simulation, undo: Undo | None = None, what_if: WhatIf | None = None) -> None:
        self.simulation, self.undo = simulation, undo or Undo()
        self.branches = Branches()
        self.replay: Replay | None = None
        self.borrowed = False
        """Whether it came from elsewhere, ended: somebody else's run."""
        self.recorded: str | None = None
        """The state hash at the end of the recording that was opened here."""
        self.following: Following | None = None
        """That recording, while it is watched."""
        self._hashed: tuple[tuple[Simulation, int], str] | None = None
        self.recorder, self.trail = Recorder(), Trail(simulation.floor)
        simulation.floor.watch(self.trail)
        self.diagnosis = Diagnosis(what_if or WhatIf(simulation.level, simulation.seed))
        self.recorder.lookers.append(self.diagnosis.evidence)
        self.recorder.attach(simulation)
        self.comparing: Comparing = Comparing(simulation.level)
        self._hooks: HookRunner | None = None
        self._picture()

    @classmethod
    def again(cls, old: Tab) -> Tab:
        """A fresh game with the layout of another tab."""
        fresh = Simulation(old.simulation.level, old.simulation.seed)
        layout = old.simulation.site.layout()
        if layout != Layout():
            give(fresh, {"v": 1, "do": "layout", "layout": layout_to_data(layout)})
        return cls(fresh, old.undo.again(fresh), old.diagnosis.what_if)

    @classmethod
    def resumed(cls, level: Level, seed: int, course: Course, branches: list[Course], longest_belt: int) -> Tab:
        """A saved game: it comes to the end of `course` as it works, like one that is rewound to there."""
        tab = cls(Simulation(level, seed))
        tab.branches.kept = list(branches)
        tab.replay = Replay(level, seed, course, course.reached_ps, tab.recorder.lookers, longest_belt)
        return tab

    def call_hooks(self, caller_of: CallerOf) -> None:
        """From now on the level's hooks are called as the game goes on, in whichever simulation it does."""
        simulation = self.simulation
        if not simulation.level.hooks or simulation.hooks is not None or simulation.phase != RUNNING:
            return
        if self.following is not None:
            return
        if self._hooks is None:
            caller = caller_of(simulation.level)
            if caller is None:
                return
            self._hooks = HookRunner(caller)
        self._hooks.attach(simulation)

    def take_hooks(self, other: Tab) -> None:
        """Go on with whoever calls the hooks of another tab, which is played no more."""
        self._hooks, other._hooks = other._hooks, None

    def close(self) -> None:
        """It is played no more."""
        if self._hooks is not None:
            self._hooks.close()

    def longest_belt(self) -> int:
        """In tiles."""
        return max((len(belt.tiles) for belt in self.simulation.floor.belts.values()), default=0)

    def layout_hash(self) -> str:
        """That of the layout, found anew only when it has changed."""
        now = self.simulation, self.simulation.site.revision
        if self._hashed is None or self._hashed[0] != now:
            self._hashed = now, layout_hash(self.simulation.site.layout())
        return self._hashed[1]

    # -- time --------------------------------------------------------------------------------------------------------

    def single_step(self) -> None:
        """Go on to the end of the next step of any core, or to the end of the run."""
        simulation = self.simulation
        _check_started(simulation)
        if simulation.phase == ENDED:
            raise EngineError("run.ended")
        simulation.advance(simulation.now)  # what hooks have answered by now
        floor = simulation.floor
        cores = [machine for machine in floor.machines.values() if isinstance(machine, Core)]
        before = [core.stepper.steps for core in cores]
        while not self.stands and [core.stepper.steps for core in cores] == before:
            ends = [core.stepper.due_ps(step_by_step=True) for core in cores]
            acts = [process.due_ps for process in (*floor.machines.values(), *floor.belts.values())]
            due = [end for end in ends if end is not None and end > simulation.now]
            due += [act + 1 for act in acts if act is not None]  # what acts at a time is over right after it
            self.advance(min([*due, simulation.end_ps]))

    def advance(self, to_ps: int) -> None:
        """Go on to a time, or on the way there to where a recording has its next command."""
        if self.following is None:
            self.simulation.advance(to_ps)
        else:
            self.following.advance(self.simulation, to_ps)

    @property
    def stands(self) -> bool:
        """Whether it cannot go on now: hooks think, or the recording is over."""
        over = self.following is not None and self.following.at_end(self.simulation)
        return self.simulation.phase != RUNNING or self.simulation.waits or over

    def watch(self) -> None:
        """Play the recording that was opened here from its beginning."""
        if self.recorded is None:
            raise EngineError("recording.not_open")
        course = Course.of(self.simulation, self.undo)
        self.following, self.recorded = Following(course.commands, course.reached_ps, self.recorded), None
        if self.simulation.phase == BUILD:
            self.following.advance(self.simulation, 0)
        else:
            self._go(course, 0)

    def take_over(self) -> None:
        """From now on it is the player's own game."""
        self.following = None

    def rewind(self, to_ps: int) -> None:
        """Go back to a moment of this game."""
        _check_started(self.simulation)
        self._go(Course.of(self.simulation, self.undo), to_ps)

    def branch(self, index: int, to_ps: int | None) -> None:
        """Go to a moment of a course that was left, or to where it was left."""
        if not 0 <= index < len(self.branches.kept):
            raise EngineError("branch.unknown", index=index)
        course = self.branches.kept[index]
        self._go(course, course.reached_ps if to_ps is None else to_ps)

    def work(self, overdue: Callable[[], bool]) -> None:
        """Go on with what `rewind` or `branch` has begun, until it is `overdue` or done."""
        if self.replay is not None and self.replay.work(overdue):
            self._arrive(self.replay)

    def _go(self, course: Course, to_ps: int) -> None:
        if not 0 <= to_ps <= course.reached_ps:
            raise EngineError("time.not_reached")
        level, seed = self.simulation.level, self.simulation.seed
        self.replay = Replay(level, seed, course, to_ps, self.recorder.lookers, self.longest_belt())

    def _arrive(self, replay: Replay) -> None:
        left, self.replay = Course.of(self.simulation, self.undo), None
        replay.trail.basis = self.trail.basis
        self.simulation, self.recorder, self.trail = replay.simulation, replay.recorder, replay.trail
        self.undo = replay.course.undo.cut(len(self.simulation.commands))
        self._picture()
        self.branches.leave(left)
        self.branches.enter(Course.of(self.simulation, self.undo))

    def _picture(self) -> None:
        self.snapshots = Snapshots(self.simulation, self.recorder, self.trail, self.undo)


def _check_started(simulation: Simulation) -> None:
    if simulation.phase == BUILD:
        raise EngineError("run.not_started")


# -- questions -------------------------------------------------------------------------------------------------------


@frozen
class _History:
    from_s: int = 1


def _timeline(tab: Tab) -> dict[str, Any]:
    simulation, recorder = tab.simulation, tab.recorder
    present = Course.of(simulation, tab.undo)
    marks = [{"t_ps": mark.t_ps, "code": mark.code, "params": mark.params} for mark in recorder.marks]
    marks += [{"t_ps": at, "code": "layout.changed", "params": {}} for at in _built(simulation)]
    kept = tab.branches.kept
    return {
        "t_ps": simulation.now,
        "reached_ps": max([simulation.now, *(course.reached_ps for course in kept)]),
        "end_ps": simulation.end_ps,
        "warmup_ps": simulation.level.warmup_s * PS_PER_S,
        "marks": sorted(marks, key=lambda mark: mark["t_ps"]),
        "branches": [
            {"index": index, "forked_ps": present.forks_ps(course), "reached_ps": course.reached_ps}
            for index, course in enumerate(kept)
            if not course.begins(present)
        ],
    }


def _built(simulation: Simulation) -> list[int]:
    """When the player built after the start."""
    started = False
    times: list[int] = []
    for at, message in simulation.commands:
        if started and message["do"] not in FROM_HOOKS and (not times or times[-1] != at):
            times.append(at)
        started = started or message["do"] == "start"
    return times


def _history(tab: Tab, asked: _History) -> dict[str, Any]:
    simulation = tab.simulation
    first = min(max(asked.from_s, 1), len(tab.recorder.seconds) + 1)
    seconds = tab.recorder.seconds[first - 1 :]
    targets = {goal.name: goal.target for goal in simulation.level.goals}
    pads = list(simulation.floor.pads)
    return {
        "from_s": first,
        "count": len(seconds),
        "tps": reals([second.tps for second in seconds]),
        "ttft": reals([second.ttft_s for second in seconds]),
        "queue": reals([second.queue for second in seconds]),
        "acceptance": reals([second.acceptance for second in seconds]),
        "vram": {
            "id": pads,
            "bytes": [reals([second.vram_bytes[place] for second in seconds]) for place in range(len(pads))],
        },
        "targets": {"tps": targets.get("tps"), "ttft": targets.get("ttft_p95")},
    }


def tabs(all_tabs: list[Tab], shown: int) -> dict[str, Any]:
    """All tabs side by side."""
    return {"current": shown, "tabs": [_tab(index, tab) for index, tab in enumerate(all_tabs)]}


def _tab(index: int, tab: Tab) -> dict[str, Any]:
    simulation, score = tab.simulation, tab.simulation.score()
    return {
        "index": index,
        "phase": simulation.phase,
        "t_ps": simulation.now,
        "layout_hash": tab.layout_hash(),
        "passed": simulation.passed,
        "goals": [goal_data(judgement) for judgement in tab.recorder.judgements],
        "tps": score.tps,
        "ttft": None if score.ttft_p95_ps is None else as_seconds(score.ttft_p95_ps),
        "machines": len(simulation.floor.machines) - len(simulation.site.fixed),
        "usd_per_mtok": usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens()),
    }


def _state(tab: Tab) -> dict[str, Any]:
    return {"t_ps": tab.simulation.now, "hash": tab.simulation.state_hash()}


QUESTIONS: dict[str, tuple[type[Any], Callable[[Tab, Any], dict[str, Any]]]] = {
    "timeline": (Nothing, lambda tab, _: _timeline(tab)),
    "history": (_History, _history),
    "state": (Nothing, lambda tab, _: _state(tab)),
}
