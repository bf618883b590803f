"""The run so far: tokens, latencies, queues and how busy the machines were."""

from __future__ import annotations

from collections.abc import Callable

from engine.codex.figures.factory import worker
from engine.codex.figures.figure import Figure, Of, Value
from engine.metrics import report
from engine.metrics.ledger import Score
from engine.metrics.seconds import recent
from engine.simulation import Simulation
from engine.units import PS_PER_MS, PS_PER_S, as_seconds


def _seconds(time: Callable[[Score], int | None]) -> Of:
    """A time of the score, in seconds."""

    def value(simulation: Simulation) -> Value:
        ps = time(simulation.score())
        return None if ps is None else as_seconds(ps)

    return value


def _tpot_ms(simulation: Simulation) -> float | None:
    ps = simulation.score().tpot_mean_ps
    return None if ps is None else ps / PS_PER_MS


def _recent_tps(simulation: Simulation) -> float:
    first_s, window_ps = recent(simulation.now)
    delivered = simulation.floor.ledger.delivered
    return delivered.total(first_s, -(-simulation.now // PS_PER_S)) * PS_PER_S / window_ps


def _goodput(simulation: Simulation) -> float | None:
    score = simulation.score()
    limits = report.deadlines(simulation.level.goals)
    found: float | None = report.goodput(report.in_window(simulation), limits, score.window_ps)["requests_per_s"]
    return found


def _queue(simulation: Simulation) -> int:
    total = 0
    for machine in simulation.floor.machines.values():
        total += machine.queue_length()
    return total


def _busy(kind: str) -> Of:
    """Per cent of the last ten seconds that machines of a kind worked, the busiest of them."""

    def value(simulation: Simulation) -> Value:
        first_s, window_ps = recent(simulation.now)
        shares = [
            min(machine.busy_ps(first_s, simulation.now) / window_ps, 1.0) * 100
            for machine in simulation.floor.machines.values()
            if machine.stand.kind.name == worker(simulation, kind)
        ]
        return max(shares, default=None)

    return value


FIGURES = {
    "tps": Figure("tokens_per_s", lambda simulation: simulation.score().tps),
    "tps_recent": Figure("tokens_per_s", _recent_tps),
    "user_tps": Figure("tokens_per_s", lambda simulation: simulation.score().user_tps),
    "ttft_p50_s": Figure("s", _seconds(lambda score: score.ttft_p50_ps)),
    "ttft_p95_s": Figure("s", _seconds(lambda score: score.ttft_p95_ps)),
    "pause_p95_s": Figure("s", _seconds(lambda score: score.pause_p95_ps)),
    "tpot_ms": Figure("ms", _tpot_ms),
    "goodput": Figure("requests_per_s", _goodput),
    "queue": Figure("count", _queue),
    "prefill_busy": Figure("percent", _busy("prefill_core")),
    "decode_busy": Figure("percent", _busy("decode_core")),
}
