"""Stars: one for the goals, and beyond them one for latency and one for cost."""

from __future__ import annotations

from attrs import frozen

from engine.level.goals import value_of
from engine.level.spec import Goal
from engine.metrics.report import energy
from engine.physics.money import usd_per_million_tokens
from engine.simulation import Simulation

GOAL, LATENCY, COST = "goal", "latency", "cost"


@frozen
class Star:
    """A star, and the bar that it asks for; the star for the goals has none of its own."""

    name: str
    reached: bool
    bar: Goal | None = None
    value: float | None = None


def stars(simulation: Simulation) -> list[Star]:
    """The stars of a run that has ended; none is reached without the goals."""
    passed, bars = simulation.passed, simulation.level.stars
    found = [Star(GOAL, passed)]
    if bars is not None:
        for name, bar in ((LATENCY, bars.latency), (COST, bars.cost)):
            value = figure_of(bar, simulation)
            found.append(Star(name, passed and _meets(bar, value), bar, value))
    return found


def figure_of(bar: Goal, simulation: Simulation) -> float | None:
    """What a bar is about, of the run so far: a metric of goals, `usd_per_mtok` or `j_per_token`."""
    match bar.metric:
        case "usd_per_mtok":
            return usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens())
        case "j_per_token":
            found: float | None = energy(simulation)["j_per_token"]
            return found
    return value_of(bar, simulation.score())


def metric_of(metric: str, simulation: Simulation) -> float | None:
    """The same of all tenants together."""
    return figure_of(Goal(metric, 0), simulation)


def _meets(bar: Goal, value: float | None) -> bool:
    if value is None:
        return False
    return value >= bar.target if bar.at_least else value <= bar.target
