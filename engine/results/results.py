"""All of a run's results as the view is told them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from engine.results.attempts import Attempt, attempt_of, histograms
from engine.results.production import production
from engine.results.stars import Star, stars
from engine.simulation import ENDED, Simulation


def results(simulation: Simulation, kept: Sequence[Attempt]) -> dict[str, Any]:
    """Stars, figures, histograms over the attempts that were `kept` of this level and this one, and production.

    Before the run has ended, `attempt` is nil, no star is reached, and histograms hold what was kept.
    """
    present = attempt_of(simulation, "") if simulation.phase == ENDED else None
    others = [one for one in kept if one.level == simulation.level.id]
    if present is not None and all(one.run != present.run for one in others):
        others.append(present)
    return {
        "stars": [star_data(star) for star in stars(simulation)],
        "attempt": None if present is None else attrs.asdict(present),
        "attempts": len(others),
        "histograms": histograms(others, present),
        "production": production(simulation),
    }


def star_data(star: Star) -> dict[str, Any]:
    """{code, reached, metric, tenant, value, target, at_least}; the star for the goals has no metric of its own."""
    bar = star.bar
    return {
        "code": f"star.{star.name}",
        "reached": star.reached,
        "metric": None if bar is None else f"goal.{bar.metric}",
        "tenant": None if bar is None else bar.tenant,
        "value": star.value,
        "target": None if bar is None else bar.target,
        "at_least": None if bar is None else bar.at_least,
    }
