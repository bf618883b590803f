"""The figures of a served trace: percentiles, throughput, goodput, the waterfall, and how far from measured ones.

Percentiles interpolate between neighbours, as numpy's default and vLLM's own benchmark do. Times are milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.metrics.causes import CAUSES
from engine.serving.measured import Measured
from engine.serving.records import NO_TPOT, Records
from engine.units import PS_PER_MS, PS_PER_S

METRICS = ("ttft", "tpot", "e2e")
STATISTICS = ("mean", "p50", "p90", "p99")


def statistics(values: ArrayLike) -> dict[str, float | None]:
    """Mean and percentiles; None for no values."""
    numbers = np.asarray(values, dtype=np.float64)
    if not numbers.size:
        return dict.fromkeys(STATISTICS)
    p50, p90, p99 = np.percentile(numbers, (50, 90, 99))
    return {"mean": float(numbers.mean()), "p50": float(p50), "p90": float(p90), "p99": float(p99)}


def latencies(records: Records) -> dict[str, dict[str, float | None]]:
    """TTFT, TPOT and E2E of a served trace in ms."""
    tpot = np.asarray(records.tpot_ps)
    columns = {"ttft": records.ttft_ps, "tpot": tpot[tpot != NO_TPOT], "e2e": records.e2e_ps}
    return {name: statistics(np.asarray(values) / PS_PER_MS) for name, values in columns.items()}


def output_tokens_per_s(records: Records) -> float:
    """Tokens of answers per second, from the first arrival (at 0) to the last token."""
    return records.output_tokens * PS_PER_S / records.last_ps


def accuracy(records: Records, measured: Measured) -> dict[str, Any]:
    """Per metric and statistic what was measured, what was simulated, and the error of it in per cent."""
    ours = latencies(records)
    theirs = {"ttft": measured.ttft_s, "tpot": measured.tpot_s, "e2e": measured.e2e_s}
    result: dict[str, Any] = {}
    for name, values in theirs.items():
        figures = statistics(np.asarray(values) * 1e3)
        result[name] = {statistic: compare(figures[statistic], ours[name][statistic]) for statistic in STATISTICS}
    per_s = measured.output_tokens / measured.span_s if measured.span_s else None
    result["throughput"] = compare(per_s, output_tokens_per_s(records))
    return result


def compare(measured: float | None, simulated: float | None) -> dict[str, float | None]:
    """Both, and the error in per cent of what was measured; None where that cannot be said."""
    error = None if not measured or simulated is None else (simulated / measured - 1) * 100
    return {"measured": measured, "simulated": simulated, "error_pct": error}


def waterfall(records: Records) -> dict[str, float]:
    """The share of each cause in all time between arrivals and last tokens."""
    total = 0
    for ps in records.causes:
        total += ps
    return {name: ps / total for name, ps in zip(CAUSES, records.causes, strict=True)}


def goodput(records: Records, limits_ms: Mapping[str, float]) -> dict[str, float]:
    """Requests, and their share, that meet every limit (ms per metric), and how many of them per second.

    An answer of one token has no TPOT to miss.
    """
    columns: Mapping[str, Sequence[int]] = {
        "ttft": records.ttft_ps,
        "tpot": records.tpot_ps,
        "e2e": records.e2e_ps,
    }
    met = np.ones(len(records.e2e_ps), dtype=bool)
    for name, limit in limits_ms.items():
        met &= np.asarray(columns[name]) <= limit * PS_PER_MS
    good = int(met.sum())
    return {"requests": good, "share": good / len(met), "requests_per_s": good * PS_PER_S / records.last_ps}
