"""An attempt as it is kept, and where one stands among all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from engine.floor.layout import layout_hash
from engine.results.stars import metric_of, stars
from engine.simulation import Simulation

BINS = 12
METRICS = {"usd_per_mtok": "usd_per_mtok", "ttft_p95": "s", "j_per_token": "j_per_token", "cards": "count"}
"""What histograms show, and in which unit."""


@frozen
class Attempt:
    """The figures of a run that has ended. None where a run has no such figure."""

    level: str
    seed: int
    layout: str
    """Its hash."""
    run: str
    """The hash of how it went: equal for the same run."""
    date: str
    """As the host says it: YYYY-MM-DD."""
    passed: bool
    stars: list[str]
    cards: int
    """Cards with a machine on them."""
    usd_per_mtok: float | None
    ttft_p95: float | None
    j_per_token: float | None
    tps: float | None


def attempt_of(simulation: Simulation, date: str) -> Attempt:
    """The figures of a run that has ended."""
    return Attempt(
        level=simulation.level.id,
        seed=simulation.seed,
        layout=layout_hash(simulation.site.layout()),
        run=simulation.state_hash(),
        date=date,
        passed=simulation.passed,
        stars=[star.name for star in stars(simulation) if star.reached],
        cards=cards_used(simulation),
        usd_per_mtok=metric_of("usd_per_mtok", simulation),
        ttft_p95=metric_of("ttft_p95", simulation),
        j_per_token=metric_of("j_per_token", simulation),
        tps=metric_of("tps", simulation),
    )


def cards_used(simulation: Simulation) -> int:
    """Cards with a machine on them."""
    return len({machine.pad.id for machine in simulation.floor.machines.values() if machine.pad is not None})


def histograms(attempts: Sequence[Attempt], present: Attempt | None) -> list[dict[str, Any]]:
    """Per metric how many attempts lie in each bin, and in which the present one does.

    The bins span the attempts that met their goals (all, where none did); the outer ones hold what lies beyond, so that
    one bad run does not press all others into one bin. Whole numbers get a bin each.
    """
    return [_histogram(metric, unit, attempts, present) for metric, unit in METRICS.items()]


def _histogram(metric: str, unit: str, attempts: Sequence[Attempt], present: Attempt | None) -> dict[str, Any]:
    all_values = [value for one in attempts if (value := getattr(one, metric)) is not None]
    won = [value for one in attempts if one.passed and (value := getattr(one, metric)) is not None]
    mine = None if present is None else getattr(present, metric)
    span = won or all_values
    if mine is not None:
        span = [*span, mine]
    if not span:
        return {"code": f"histogram.{metric}", "unit": f"unit.{unit}", "bins": 0}
    low, high = min(span), max(span)
    whole = all(isinstance(value, int) for value in span)
    bins = high - low + 1 if whole and high - low < BINS else BINS if high > low else 1
    counts, passed = [0] * bins, [0] * bins
    width = 1 if whole and bins == high - low + 1 else (high - low) / bins

    def place(value: float) -> int:
        return min(max(int((value - low) / width), 0), bins - 1) if width else 0

    for value in all_values:
        counts[place(value)] += 1
    for value in won:
        passed[place(value)] += 1
    return {
        "code": f"histogram.{metric}",
        "unit": f"unit.{unit}",
        "bins": bins,
        "low": low,
        "high": high,
        "counts": counts,
        "passed": passed,
        "mine": mine,
        "bin": None if mine is None else place(mine),
        "best": min(won, default=None),
    }
