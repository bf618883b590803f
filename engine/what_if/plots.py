"""The plots of a report, drawn with plotly. What comes from outside is escaped: plotly reads some HTML in its texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from engine.metrics.report import in_window, latencies
from engine.simulation import Simulation
from engine.traffic.request import Request
from engine.units import PS_PER_S
from engine.what_if.extra import package
from engine.what_if.play import Watch

EXTRA = "report"
COLOURS = ("#2a78b8", "#d9822b", "#3f9142", "#b8428c", "#6b5bb5", "#8a6d3b")
_POINTS = 1_500
"""Of a line over time, at most."""
_MEAN_S = 10
_GIB = 2**30


def figure(title: str, x: str, y: str) -> Any:
    """An empty plot."""
    go = package("plotly.graph_objects", EXTRA)
    return go.Figure(
        layout={
            "template": "plotly_white",
            "title": {"text": title, "y": 0.98, "yanchor": "top"},
            "xaxis": {"title": {"text": x}},
            "yaxis": {"title": {"text": y}, "rangemode": "tozero"},
            "colorway": list(COLOURS),
            "margin": {"l": 70, "r": 20, "t": 70, "b": 50},
            "height": 380,
            "hovermode": "closest",
        }
    )


def throughput(simulation: Simulation, watch: Watch) -> Any:
    """Tokens per second, the mean of ten seconds, and how many requests wait."""
    plot = figure("Throughput", "simulated time, s", "tokens per second")
    buckets = simulation.floor.ledger.delivered.buckets
    upto = [0]
    for tokens in buckets:
        upto.append(upto[-1] + tokens)
    times, rates = [], []
    for second in watch.seconds:
        end, start = min(second, len(buckets)), min(max(second - _MEAN_S, 0), len(buckets))
        times.append(second)
        rates.append((upto[end] - upto[start]) / min(second, _MEAN_S))
    plot.add_scatter(x=_thin(times), y=_thin(rates), name="tokens per second (10 s)", mode="lines")
    plot.add_scatter(x=_thin(times), y=_thin(watch.queue), name="requests that wait", mode="lines", yaxis="y2")
    plot.update_layout(
        yaxis2={"overlaying": "y", "side": "right", "showgrid": False, "rangemode": "tozero", "title": {"text": "wait"}}
    )
    plot.update_layout(legend={"orientation": "h", "y": 1.12}, margin={"r": 70})
    return plot


def distribution(simulation: Simulation, metric: str, title: str) -> Any:
    """Which share of the requests has at most so many seconds, for each tenant."""
    plot = figure(title, "seconds", "share of requests")
    for name, requests in _by_tenant(simulation).items():
        values = sorted(latencies(requests, simulation.now)[metric])
        shares = [place / len(values) for place in range(len(values) + 1)]
        seconds = [value / PS_PER_S for value in (values[:1] + values)]
        plot.add_scatter(x=_thin(seconds), y=_thin(shares), name=escape(name), mode="lines", line={"shape": "hv"})
    plot.update_layout(yaxis={"tickformat": ".0%", "range": [0, 1.02]})
    return plot


def _by_tenant(simulation: Simulation) -> dict[str, list[Request]]:
    requests = in_window(simulation)
    tenants = simulation.level.tenants
    if not tenants:
        return {"all requests": requests}
    found = {tenant.id: [one for one in requests if one.tenant == index] for index, tenant in enumerate(tenants)}
    return {name: theirs for name, theirs in found.items() if theirs}


def memory(simulation: Simulation, watch: Watch) -> Any:
    """What is taken of each card's memory, weights and all."""
    plot = figure("GPU memory: weights, overhead and KV", "simulated time, s", "GiB")
    for index, pad in enumerate(simulation.floor.pads.values()):
        used = [seen[index] / _GIB for seen in watch.used_bytes]
        name = f"card {index}: {pad.gpu.id} ({pad.gpu.vram_bytes / _GIB:.1f} GiB)"
        plot.add_scatter(x=_thin(watch.seconds), y=_thin(used), name=escape(name), mode="lines")
    plot.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.12})
    return plot


def waterfall(mean_s: Mapping[str, float | None]) -> Any:
    """Where the time of a finished request goes, cause by cause up to its end."""
    plot = figure("Where a request's time goes", "", "seconds, mean of finished requests")
    causes = {name: value for name, value in mean_s.items() if value}
    plot.add_waterfall(
        x=[*causes, "end to end"],
        y=[*causes.values(), 0],
        measure=[*["relative"] * len(causes), "total"],
        text=[f"{value:.3g}" for value in causes.values()] + [f"{sum(causes.values()):.3g}"],
        textposition="outside",
        cliponaxis=False,
    )
    return plot


def cost(bill: Mapping[str, Any]) -> Any:
    """The bill of the run, card by card and API by API."""
    plot = figure("Cost of the run", "", "US dollars")
    names = [f"card {paid['pad']}: {paid['gpu']} ({paid['way']})" for paid in bill["pads"]]
    for part in ("rent", "purchase", "electricity", "management"):
        values = [paid[f"{part}_nusd"] / 1e9 for paid in bill["pads"]]
        if any(values):
            plot.add_bar(x=[escape(name) for name in names], y=values, name=part)
    for paid in bill["apis"]:
        plot.add_bar(x=[escape(str(paid["api"]))], y=[paid["total_nusd"] / 1e9], name="API")
    plot.update_layout(barmode="stack", showlegend=True)
    return plot


def _thin(values: Sequence[Any]) -> list[Any]:
    """Every so many values, so that a page stays small, and the last one."""
    step = max(-(-len(values) // _POINTS), 1)
    thin = list(values[::step])
    return thin if step == 1 else [*thin, values[-1]]
