"""Going to another moment of a game: the nearest checkpoint before it, and from there the commands again, in slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.errors import EngineError
from engine.level.spec import Level
from engine.metrics.history import Looker, Recorder
from engine.protocol.branches import Course
from engine.protocol.commands import give
from engine.protocol.trail import SHOWN_PS, Trail
from engine.simulation import RUNNING, Simulation
from engine.units import PS_PER_S

_SLICE_PS = PS_PER_S
"""Simulated between two looks at the clock."""
_COMMANDS_A_SLICE = 20
_WATCHED_PS = 10 * PS_PER_S
"""What is measured at a moment depends on so much before it; what is drawn, on the time that the longest belt takes."""


class Replay:
    """`simulation` is at `to_ps` when `work` is done, with a trail that has seen what moves and a recorder."""

    def __init__(
        self, level: Level, seed: int, course: Course, to_ps: int, lookers: list[Looker], longest_belt: int
    ) -> None:
        self.to_ps = to_ps
        self.share = 0.0
        """How much of the way has been gone."""
        self.refused = 0
        """Commands that were not taken: none, unless the course comes from another version or from elsewhere."""
        self._given = 0
        self.course, self._level, self._seed = course, level, seed
        watch_ps = (to_ps - max(_WATCHED_PS, SHOWN_PS * longest_belt)) // PS_PER_S * PS_PER_S
        self._watch_ps = max(min(watch_ps, len(course.seconds) * PS_PER_S), 0)
        self.recorder = Recorder(course.seconds, course.marks, lookers)
        self._slices = self._run()

    def work(self, overdue: Callable[[], bool]) -> bool:
        """Go on until it is `overdue`, at least one slice; whether the moment has been reached."""
        for share in self._slices:
            self.share = share
            if overdue():
                return False
        return True

    def _run(self) -> Iterator[float]:
        course = self.course
        known = [checkpoint for checkpoint in course.checkpoints if checkpoint.time_ps <= self._watch_ps]
        if known:
            self.simulation = Simulation.restore(self._level, known[-1])
            self.simulation.commands = course.commands[: known[-1].commands]
            self._given = known[-1].commands
            self.simulation.checkpoints = known
        else:
            self.simulation = Simulation(self._level, self._seed)
        start_ps = self.simulation.now
        way_ps = max(self.to_ps - start_ps, 1)
        for now in self._play(self._watch_ps - 1):
            yield (now - start_ps) / way_ps
        self.simulation.advance(self._watch_ps)
        self.trail = Trail(self.simulation.floor)
        self.simulation.floor.watch(self.trail)
        self.recorder.attach(self.simulation)
        for now in self._play(self.to_ps):
            yield (now - start_ps) / way_ps

    def _play(self, to_ps: int) -> Iterator[int]:
        """Give the commands up to a time, and go on to it."""
        for time_ps, message in self.course.commands[self._given :]:
            if time_ps > to_ps:
                break
            yield from self._advance(time_ps)
            self._given += 1
            try:
                give(self.simulation, message)
            except EngineError:
                self.refused += 1
            if self._given % _COMMANDS_A_SLICE == 0:
                yield self.simulation.now
        yield from self._advance(to_ps)

    def _advance(self, to_ps: int) -> Iterator[int]:
        while self.simulation.now < to_ps and self.simulation.phase == RUNNING:
            self.simulation.advance(min(self.simulation.now + _SLICE_PS, to_ps))
            yield self.simulation.now
