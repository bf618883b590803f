"""Judging a level's goals."""

from __future__ import annotations

from attrs import frozen

from engine.level.spec import Goal
from engine.metrics.ledger import Score
from engine.units import as_seconds

METRICS = ("tps", "user_tps", "ttft_p95", "pause_p95", "out_of_memory", "refused")
"""What a goal may be about."""


@frozen
class Judgement:
    """A goal and how it stands; `value` is None while nothing can be said."""

    goal: Goal
    value: float | None

    @property
    def met(self) -> bool:
        """Whether the goal is reached."""
        if self.value is None:
            return False
        return self.value >= self.goal.target if self.goal.at_least else self.value <= self.goal.target


def judge(goals: list[Goal], score: Score) -> list[Judgement]:
    """How each goal stands."""
    return [Judgement(goal, measured(goal.metric, score)) for goal in goals]


def measured(metric: str, score: Score) -> float | None:
    """The value of a metric by its name in goals."""
    match metric:
        case "tps":
            return score.tps
        case "ttft_p95":
            return None if score.ttft_p95_ps is None else as_seconds(score.ttft_p95_ps)
        case "user_tps":
            return score.user_tps
        case "out_of_memory":
            return float(score.out_of_memory)
        case "refused":
            return float(score.refused)
        case "pause_p95":
            return None if score.pause_p95_ps is None else as_seconds(score.pause_p95_ps)
    raise ValueError(f"no metric {metric!r}")
