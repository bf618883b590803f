"""The courses that a game took: going back in time cuts the list of commands, and keeps the course that was left."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine.metrics.history import Mark, Second
from engine.protocol.undo import Undo
from engine.simulation import Checkpoint, Simulation

MOST_BRANCHES = 20

GivenCommand = tuple[int, dict[str, Any]]
"""When it was given, and the message."""


@frozen
class Course:
    """All that is needed to go to any moment of a game that has been played, up to `reached_ps`."""

    commands: list[GivenCommand]
    checkpoints: list[Checkpoint]
    seconds: list[Second]
    marks: list[Mark]
    undo: Undo
    reached_ps: int

    @classmethod
    def of(cls, simulation: Simulation, undo: Undo) -> Course:
        """The course that a simulation with a recorder took until now."""
        recorder = simulation.recorder
        assert recorder is not None
        return cls(
            list(simulation.commands),
            list(simulation.checkpoints),
            list(recorder.seconds),
            list(recorder.marks),
            undo,
            simulation.now,
        )

    def forks_ps(self, other: Course) -> int:
        """Up to when it was the same as another course."""
        agreed = min(self.reached_ps, other.reached_ps)
        for mine, others in zip(self.commands, other.commands, strict=False):
            if mine != others:
                return min(agreed, mine[0], others[0])
        both = min(len(self.commands), len(other.commands))
        for more in (self.commands[both:], other.commands[both:]):
            if more:
                agreed = min(agreed, more[0][0])
        return agreed

    def begins(self, other: Course) -> bool:
        """Whether another course is the same, and goes on."""
        return (
            self.reached_ps <= other.reached_ps
            and len(self.commands) <= len(other.commands)
            and self.forks_ps(other) == self.reached_ps
            and self.commands == other.commands[: len(self.commands)]
        )


class Branches:
    """Courses that were left, oldest first; none is the beginning of another one."""

    def __init__(self) -> None:
        self.kept: list[Course] = []

    def leave(self, course: Course) -> None:
        """Keep a course that is left now, unless another one goes on where it ends."""
        if any(course.begins(other) for other in self.kept):
            return
        self.kept = [other for other in self.kept if not other.begins(course)]
        self.kept = [*self.kept, course][-MOST_BRANCHES:]

    def enter(self, course: Course) -> None:
        """A course is the present one now: what it goes on with is no branch of it any more."""
        self.kept = [other for other in self.kept if not other.begins(course)]
