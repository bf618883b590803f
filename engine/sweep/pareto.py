"""Which points of a grid are not beaten: more tokens per second only by more latency, or at a higher price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from attrs import frozen

from engine.sweep.grid import Grid, Value
from engine.sweep.job import ERROR, Row
from engine.what_if.page import figures_of, number, page, table
from engine.what_if.plots import figure

THROUGHPUT, COST = "tokens_per_s", "usd_per_mtok"
LATENCIES = tuple(
    f"{metric}_{statistic}_s"
    for metric in ("ttft", "tpot", "e2e", "pause")
    for statistic in ("mean", "p50", "p95", "p99")
)
LABELS = {THROUGHPUT: "tokens per second", COST: "US dollars per million tokens"}


@frozen
class Mean:
    """A point of the grid: the means over its seeds."""

    values: dict[str, Value]
    seeds: int
    throughput: float
    latency: float
    cost: float

    def told(self) -> str:
        """Its settings in words."""
        return ", ".join(f"{name} {value}" for name, value in self.values.items()) or "as it is"


def means(rows: Iterable[Row], grid: Grid, latency: str) -> list[Mean]:
    """The means of all points whose runs have figures on every seed."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(name) for name in grid.axes), []).append(row)
    result = []
    for values, runs in found.items():
        columns = [[row.get(name) for row in runs] for name in (THROUGHPUT, latency, COST)]
        if any(row.get(ERROR) for row in runs) or any(value is None for column in columns for value in column):
            continue
        ours = [_mean([float(value) for value in column if value is not None]) for column in columns]
        result.append(Mean(dict(zip(grid.axes, values, strict=True)), len(runs), *ours))
    return result


def front(points: Sequence[Mean], price: str) -> list[Mean]:
    """The points that no other beats in throughput and in `latency` or `cost`, from the least of it to the most."""
    best, kept = float("-inf"), []
    for point in sorted(points, key=lambda point: (getattr(point, price), -point.throughput)):
        if point.throughput > best:
            best = point.throughput
            kept.append(point)
    return kept


def pareto_page(title: str, points: Sequence[Mean], latency: str) -> str:
    """Both fronts as plots, and as tables."""
    fronts = {"latency": front(points, "latency"), "cost": front(points, "cost")}
    names = {"latency": latency.removesuffix("_s").replace("_", " ").upper() + ", seconds", "cost": LABELS[COST]}
    plots = [_plot(points, fronts[price], price, names[price]) for price in fronts]
    parts = [f"<p>{len(points):,} points; each is the mean over its seeds.</p>", figures_of(plots)]
    for price, kept in fronts.items():
        parts.append(f"<h2>Not beaten in tokens per second and {escape(price)}</h2>")
        parts.append(table(["", LABELS[THROUGHPUT], names["latency"], names["cost"]], front_rows(kept)))
    return page(title, parts)


def front_rows(points: Sequence[Mean]) -> list[list[str]]:
    """A row a point: what it is, throughput, latency, cost."""
    return [[point.told(), *(number(v) for v in (point.throughput, point.latency, point.cost))] for point in points]


def _plot(points: Sequence[Mean], kept: Sequence[Mean], price: str, name: str) -> Any:
    plot = figure(f"Throughput against {price}", name, LABELS[THROUGHPUT])
    for what, shown, mode in (("all points", points, "markers"), ("not beaten", kept, "lines+markers")):
        plot.add_scatter(
            x=[getattr(point, price) for point in shown],
            y=[point.throughput for point in shown],
            name=what,
            mode=mode,
            line={"shape": "hv"},
            text=[escape(point.told()) for point in shown],
            hovertemplate="%{text}<br>%{y:,.4g} tokens/s, %{x:,.4g}<extra></extra>",
        )
    plot.update_layout(legend={"orientation": "h", "y": 1.12})
    return plot


def _mean(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / len(values)
