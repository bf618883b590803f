"""The figures of a run that an engineer asked for, beyond those of the game: by tenant, and against a measured run."""

from __future__ import annotations

from typing import Any

from engine.floor.layout import Layout
from engine.level.spec import Level
from engine.metrics.report import in_window, latencies, report, statistics, waterfall
from engine.metrics.tenants import NOBODY, accounts
from engine.serving.figures import compare
from engine.serving.figures import statistics as in_ms
from engine.serving.measured import Measured
from engine.simulation import Simulation
from engine.traffic.request import Request
from engine.units import NUSD_PER_USD, PS_PER_MS, PS_PER_S, as_seconds
from engine.what_if.changes import Changes, described
from engine.what_if.commands import commands
from engine.what_if.play import Watch
from engine.what_if.traced import Recorded


def figures(
    simulation: Simulation, layout: Layout, watch: Watch, changes: Changes, recorded: Recorded | None
) -> dict[str, Any]:
    """All that a report says, as plain data."""
    result = report(simulation, watch.memory)
    result["what_if"] = described(changes)
    if not simulation.level.goals:
        result["passed"] = None
    result["trace"] = None if recorded is None else _traced(simulation, recorded)
    result["by_tenant"] = by_tenant(simulation)
    result["vllm"] = commands(simulation.level, layout)
    if recorded is not None:
        result["per_second"] = _per_second(simulation, watch)
    return result


def _traced(simulation: Simulation, recorded: Recorded) -> dict[str, Any]:
    """What became of a trace; rates are those until its last token."""
    requests = list(simulation.floor.requests.values())
    last_ps = max((request.last_token_ps for request in requests), default=0)
    done = [request for request in requests if request.done]
    tokens = 0
    for request in done:
        tokens += request.output_tokens
    return {
        "name": recorded.trace.name,
        "requests": len(recorded.trace),
        "arrived": len(requests),
        "finished": len(done),
        "never_finished": sum(not (request.done or request.refused) for request in requests),
        "last_token_s": as_seconds(last_ps),
        "output_tokens_per_s": tokens * PS_PER_S / last_ps if last_ps > 0 else None,
        "requests_per_s": len(done) * PS_PER_S / last_ps if last_ps > 0 else None,
        "measured": None if recorded.measured is None else _against(done, recorded.measured, tokens, last_ps),
    }


def _per_second(simulation: Simulation, watch: Watch) -> dict[str, Any]:
    """What was seen at the end of each simulated second: tokens in it, requests that wait, bytes taken on each card."""
    delivered = simulation.floor.ledger.delivered
    tokens = [delivered.total(second - 1, second) for second in watch.seconds]
    return {"t_s": watch.seconds, "tokens": tokens, "queue": watch.queue, "used_bytes": watch.used_bytes}


def _against(done: list[Request], measured: Measured, tokens: int, last_ps: int) -> dict[str, Any]:
    """Per metric what was measured, what was simulated, and the error in per cent; ms and tokens per second."""
    ours = latencies(done, last_ps)
    theirs = {"ttft": measured.ttft_s, "tpot": measured.tpot_s, "e2e": measured.e2e_s}
    result: dict[str, Any] = {}
    for name, values in theirs.items():
        was, simulated = in_ms([value * 1e3 for value in values]), in_ms([ps / PS_PER_MS for ps in ours[name]])
        result[name] = {statistic: compare(was[statistic], simulated[statistic]) for statistic in was}
    was_per_s = measured.output_tokens / measured.span_s if measured.span_s else None
    result["throughput"] = compare(was_per_s, tokens * PS_PER_S / last_ps if last_ps > 0 else None)
    return result


def by_tenant(simulation: Simulation) -> list[dict[str, Any]]:
    """A row for each tenant; nothing where there are none."""
    rows, score = [], simulation.score()
    for account in accounts(simulation) if simulation.level.tenants else []:
        if account.tenant == NOBODY:
            continue
        tenant = simulation.level.tenants[account.tenant].id
        mine = [request for request in in_window(simulation) if request.tenant == account.tenant]
        latency = {name: statistics(values) for name, values in latencies(mine, simulation.now).items()}
        rows.append(
            {
                "tenant": tenant,
                "requests": account.requests,
                "finished": account.finished,
                "refused": account.refused,
                "on_time": score.tenants[tenant].on_time,
                "verdicts": score.tenants[tenant].judged,
                "prompt_tokens": account.prompt_tokens,
                "output_tokens": account.output_tokens,
                "gpu_s": as_seconds(account.gpu_ps),
                "usd": account.nusd / NUSD_PER_USD,
                "latency_s": latency,
                "waterfall": waterfall(mine)["mean_s"],
            }
        )
    return rows


def row(simulation: Simulation, level: Level) -> dict[str, float | int | str | bool | None]:
    """A run in one line of a table: what sweeps keep."""
    result = report(simulation)
    bill, tokens, end = result["bill"], simulation.tokens(), simulation.now
    latency = result["latency_s"]
    told: dict[str, float | int | str | bool | None] = {
        "passed": result["passed"] if level.goals else None,
        "tokens_per_s": tokens * PS_PER_S / end if end else None,
        "window_tokens_per_s": result["tps"],
        "user_tokens_per_s": result["user_tps"],
    }
    for metric in ("ttft", "tpot", "e2e", "pause"):
        told |= {f"{metric}_{statistic}_s": latency[metric][statistic] for statistic in ("mean", "p50", "p95", "p99")}
    goals = {f"goal.{judgement.goal.name}": judgement.value for judgement in simulation.judge()}
    return (
        told
        | goals
        | {
            "goodput_per_s": result["goodput"]["requests_per_s"],
            "requests": result["requests"],
            "finished": result["finished"],
            "refused": result["refused"],
            "out_of_memory": result["out_of_memory"],
            "preemptions": result["preemptions"],
            "usd": bill["usd"],
            "usd_per_mtok": bill["usd"] * 1e6 / tokens if tokens else None,
            "j_per_token": result["energy"]["j_per_token"],
            "sim_seconds": result["sim_seconds"],
            "hash": result["hash"],
        }
    )
