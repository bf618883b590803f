"""Judging a level's goals."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from engine.level.spec import Goal
from engine.metrics.fairness import jain
from engine.metrics.ledger import Score
from engine.units import as_seconds


def _s(ps: int | None) -> float | None:
    return None if ps is None else as_seconds(ps)


_MEASURED: dict[str, Callable[[Score], float | None]] = {
    "tps": lambda score: score.tps,
    "user_tps": lambda score: score.user_tps,
    "ttft_p95": lambda score: _s(score.ttft_p95_ps),
    "pause_p95": lambda score: _s(score.pause_p95_ps),
    "out_of_memory": lambda score: float(score.out_of_memory),
    "refused": lambda score: float(score.refused),
    "pause_p99": lambda score: _s(score.pause_p99_ps),
    "e2e_p95": lambda score: _s(score.e2e_p95_ps),
    "finished": lambda score: score.finished_per_min,
    "on_time": lambda score: score.on_time,
    "worst_on_time": lambda score: min(score.shares, default=None),
    "fairness": lambda score: jain(score.shares) if score.shares else None,
    "goodput": lambda score: score.goodput,
    "usd_per_task": lambda score: score.usd_per_task,
}
METRICS = tuple(_MEASURED)
"""What a goal may be about."""
OF_TENANTS = ("on_time", "worst_on_time", "fairness", "goodput")
"""Those that only levels with tenants have."""
OF_A_TENANT = (
    "user_tps",
    "ttft_p95",
    "pause_p95",
    "refused",
    "pause_p99",
    "e2e_p95",
    "finished",
    "on_time",
    "goodput",
)
"""Those that may be about one tenant alone."""


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
    return [Judgement(goal, value_of(goal, score)) for goal in goals]


def value_of(goal: Goal, score: Score) -> float | None:
    """The value of what a goal is about."""
    return measured(goal.metric, score.tenants[goal.tenant] if goal.tenant else score)


def measured(metric: str, score: Score) -> float | None:
    """The value of a metric by its name in goals."""
    return _MEASURED[metric](score)
