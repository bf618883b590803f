"""The report of a what-if run on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from engine.what_if.extra import package
from engine.what_if.page import STATISTICS, measured_rows, number, overview, tenant_rows
from engine.what_if.plots import EXTRA

_WIDTH = 110
"""Of what is not a terminal."""
_BAR = 40


def show(result: Mapping[str, Any]) -> None:
    """Print it."""
    console = package("rich.console", EXTRA).Console(
        width=None if sys.stdout.isatty() else _WIDTH, markup=False, highlight=False, emoji=False
    )
    trace = result["trace"]
    console.print(f"{trace['name'] if trace else 'own traffic'} on {result['level']}", style="bold")
    console.print(_table(["", ""], overview(result), head=False))
    latency = [[name.upper(), *(number(values[one]) for one in STATISTICS)] for name, values in _latency(result)]
    console.print(_table(["seconds", *STATISTICS], latency))
    if result["by_tenant"]:
        console.print(_table(*tenant_rows(result["by_tenant"])))
    if trace and trace["measured"]:
        console.print(_table(*measured_rows(trace["measured"])))
    total = sum(result["waterfall"]["total_ps"].values())
    falls = [(name, ps / total) for name, ps in result["waterfall"]["total_ps"].items() if total and ps * 200 >= total]
    console.print(_table(["where a request's time goes", ""], [[name, _bar(share)] for name, share in falls]))
    cards = [
        [f"card {index}: {pad['gpu']}", _bar(pad["utilisation"] or 0.0), _shares(pad["memory"])]
        for index, pad in enumerate(result["pads"])
    ]
    console.print(_table(["card", "busy", "KV memory"], cards))
    console.print("vLLM", style="bold")
    for line in result["vllm"]:
        console.print(line, soft_wrap=True)


def _latency(result: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float | None]]]:
    return list(result["latency_s"].items())


def _bar(share: float) -> str:
    return f"{'█' * round(share * _BAR)} {share:.0%}"


def _shares(memory: Mapping[str, float] | None) -> str:
    return (
        "-" if memory is None else ", ".join(f"{name} {share:.0%}" for name, share in memory.items() if share >= 0.005)
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], head: bool = True) -> Any:
    """A table whose cells are text, whatever stands in them."""
    text = package("rich.text", EXTRA).Text
    drawn = package("rich.table", EXTRA).Table(box=None, show_header=head, pad_edge=False, header_style="dim")
    for place, name in enumerate(header):
        drawn.add_column(text(name), justify="left" if place == 0 or len(header) < 4 else "right")
    for row in rows:
        drawn.add_row(*(text(cell) for cell in row))
    return drawn
