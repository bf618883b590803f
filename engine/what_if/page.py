"""One page of HTML with everything in it: it needs no network, and asks for none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from engine.simulation import Simulation
from engine.version import VERSION
from engine.what_if import plots
from engine.what_if.extra import package
from engine.what_if.play import Watch

_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1c2530; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid #d8dee6; text-align: right; }
th:first-child, td:first-child { text-align: left; }
pre { background: #f3f5f8; padding: 1rem; white-space: pre-wrap; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(30rem, 1fr)); gap: 1rem; margin-top: 2rem; }
.plots > div { min-width: 0; overflow: hidden; }
"""
STATISTICS = ("mean", "p50", "p95", "p99")


def report_page(result: Mapping[str, Any], simulation: Simulation, watch: Watch) -> str:
    """The report of a run."""
    trace = result["trace"]
    title = f"{trace['name'] if trace else 'own traffic'} on {result['level']}"
    drawn = [
        plots.throughput(simulation, watch),
        plots.memory(simulation, watch),
        plots.distribution(simulation, "ttft", "Time to first token (TTFT)"),
        plots.distribution(simulation, "tpot", "Time per output token (TPOT)"),
        plots.waterfall(result["waterfall"]["mean_s"]),
        plots.cost(result["bill"]),
    ]
    parts = [_list(overview(result)), latency_table(result["latency_s"])]
    if result["by_tenant"]:
        parts += ["<h2>Tenants</h2>", _tenants(result["by_tenant"])]
    if trace and trace["measured"]:
        parts += ["<h2>Against the measured run</h2>", _measured(trace["measured"])]
    parts += [figures_of(drawn), "<h2>vLLM</h2>", f"<pre>{escape(chr(10).join(result['vllm']))}</pre>"]
    return page(title, parts)


def page(title: str, parts: Sequence[str]) -> str:
    """A whole page of parts that are HTML; the title is text."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1>",
            *parts,
            f"<p>Token Factory {escape(VERSION)}: simulated, not measured; docs/fidelity.md says how near it is.</p>",
            "</body></html>\n",
        ]
    )


def figures_of(drawn: Sequence[Any]) -> str:
    """Plots side by side; the library that draws them comes with the first."""
    io = package("plotly.io", plots.EXTRA)
    options = {"displaylogo": False, "responsive": True, "showTips": False}
    shown = [
        io.to_html(plot, full_html=False, include_plotlyjs=number == 0, div_id=f"plot{number}", config=options)
        for number, plot in enumerate(drawn)
    ]
    return f'<div class="plots">{"".join(shown)}</div>'


def overview(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The figures that come first, with their names."""
    cost, energy, trace = result["bill"]["usd"], result["energy"]["j_per_token"], result["trace"]
    rate = trace["output_tokens_per_s"] if trace else result["tps"]
    told = [
        ("what if", ", ".join(f"{name} {value}" for name, value in result["what_if"].items()) or "as it is"),
        ("tokens per second", number(rate)),
        ("tokens per second and user", number(result["user_tps"])),
        ("requests", f"{result['requests']:,}, of them {result['finished']:,} finished, {result['refused']:,} refused"),
        ("preemptions, out of memory", f"{result['preemptions']:,}, {result['out_of_memory']:,}"),
        ("cost", f"${cost:.4f}, ${number(result['usd_per_mtok'])} a million tokens"),
        ("energy", f"{number(energy)} J a token"),
        ("simulated", f"{result['sim_seconds']:,.0f} s, seed {result['seed']}"),
    ]
    if trace and trace["never_finished"]:
        told.insert(4, ("never finished", f"{trace['never_finished']:,}"))
    return told


def number(value: float | None) -> str:
    """A figure with four digits; "-" for none."""
    return "-" if value is None else f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def latency_table(latency: Mapping[str, Mapping[str, float | None]]) -> str:
    """Percentiles in seconds."""
    rows = [[name.upper(), *(number(values[one]) for one in STATISTICS)] for name, values in latency.items()]
    return table(["seconds", *STATISTICS], rows)


def _list(pairs: Sequence[tuple[str, str]]) -> str:
    return table(["", ""], pairs)


def tenant_rows(tenants: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the tenants' table."""
    header = ["tenant", "requests", "finished", "on time", "tokens", "TTFT p95 s", "TPOT p95 s", "E2E p95 s", "$"]
    rows = [
        [
            str(row["tenant"]),
            f"{row['requests']:,}",
            f"{row['finished']:,}",
            "-" if row["on_time"] is None else f"{row['on_time']:.1%}",
            f"{row['output_tokens']:,}",
            *(number(row["latency_s"][name]["p95"]) for name in ("ttft", "tpot", "e2e")),
            f"{row['usd']:.4f}",
        ]
        for row in tenants
    ]
    return header, rows


def measured_rows(measured: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the comparison with a measured run."""
    rows = []
    for metric, values in measured.items():
        pairs = {"": values} if metric == "throughput" else values
        for statistic, pair in pairs.items():
            error = pair["error_pct"]
            name = "tokens/s" if metric == "throughput" else f"{metric.upper()} {statistic}, ms"
            apart = "-" if error is None else f"{error:+.1f} %"
            rows.append([name, number(pair["measured"]), number(pair["simulated"]), apart])
    return ["", "measured", "simulated", "error"], rows


def _tenants(tenants: Sequence[Mapping[str, Any]]) -> str:
    return table(*tenant_rows(tenants))


def _measured(measured: Mapping[str, Any]) -> str:
    return table(*measured_rows(measured))
