"""`simulate`: a trace of requests, served by an engine of your choice."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from attrs import asdict

from engine.cli.serving import add_deployment
from engine.errors import EngineError
from engine.serving.figures import METRICS, STATISTICS, goodput, latencies, output_tokens_per_s, waterfall
from engine.serving.replay import replay
from engine.serving.settings import Settings, deploy
from engine.serving.trace import read_trace
from engine.units import PS_PER_S, as_seconds

HELP = "serve a trace of requests and report what came of it"
_DEFAULTS = Settings()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """TRACE and the options, by vLLM's names."""
    parser.add_argument("trace", metavar="TRACE.csv", help="arrivals and lengths (Azure's or Mooncake's columns)")
    add_deployment(parser)
    for name in ("max_num_seqs", "max_num_batched_tokens", "block_size", "gpu_memory_utilization", "num_gpu_blocks"):
        default = getattr(_DEFAULTS, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=float if isinstance(default, float) else int,
            default=default,
            metavar="N",
            help=f"default: {'what fits' if default is None else default}",
        )
    parser.add_argument(
        "--async-scheduling",
        action=argparse.BooleanOptionalAction,
        default=_DEFAULTS.async_scheduling,
        help="plan a step while the one before it runs (default: yes)",
    )
    parser.add_argument(
        "--goodput",
        nargs="+",
        default=[],
        metavar="METRIC:MS",
        help="count requests within these limits, for instance ttft:500 tpot:50",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Read, serve and print."""
    start = time.perf_counter()
    settings = Settings(
        max_num_seqs=parsed.max_num_seqs,
        max_num_batched_tokens=parsed.max_num_batched_tokens,
        block_size=parsed.block_size,
        gpu_memory_utilization=parsed.gpu_memory_utilization,
        num_gpu_blocks=parsed.num_gpu_blocks,
        async_scheduling=parsed.async_scheduling,
    )
    limits = _limits(parsed.goodput)
    deployment = deploy(parsed.gpu, parsed.model, 1 if parsed.tp is None else parsed.tp, parsed.link)
    trace = read_trace(Path(parsed.trace))
    served = replay(trace, deployment, settings)
    records = served.records
    finished = len(records.e2e_ps)
    if not finished:
        raise EngineError("serving.all_refused", capacity=served.num_gpu_blocks * settings.block_size)
    result = {
        "trace": trace.name,
        "gpu": deployment.gpu.id,
        "model": deployment.model.id,
        "tensor_parallel_size": deployment.tensor_parallel,
        "link": None if deployment.link is None else deployment.link.id,
        **asdict(settings),
        "num_gpu_blocks": served.num_gpu_blocks,
        "unit": "ms",
        "requests": len(trace),
        "refused": served.refused,
        "preemptions": served.preemptions,
        "steps": served.steps,
        "simulated_s": as_seconds(records.last_ps),
        "throughput": {
            "output_tokens_per_s": output_tokens_per_s(records),
            "prompt_tokens_per_s": records.prompt_tokens * PS_PER_S / records.last_ps,
            "requests_per_s": finished * PS_PER_S / records.last_ps,
        },
        **latencies(records),
        "goodput": {"limits_ms": limits, **goodput(records, limits)} if limits else None,
        "waterfall": waterfall(records),
    }
    result["wall_s"] = time.perf_counter() - start
    result["requests_per_s"] = len(trace) / result["wall_s"]
    print(json.dumps(result, indent=2) if parsed.json else _text(result))
    return 0


def _limits(texts: list[str]) -> dict[str, float]:
    limits = {}
    for text in texts:
        name, _, value = text.partition(":")
        try:
            limit = float(value)
        except ValueError:
            limit = -1.0
        if name not in METRICS or not 0 < limit < 1e12:
            raise EngineError("serving.goodput", text=text, known=", ".join(METRICS))
        limits[name] = limit
    return limits


def _text(result: dict[str, Any]) -> str:
    cards = f"{result['tensor_parallel_size']} x " if result["tensor_parallel_size"] > 1 else ""
    link = f" over {result['link']}" if result["link"] else ""
    per_s = result["throughput"]
    lines = [
        f"{result['trace']}: {result['requests']:,} requests, {result['model']} on {cards}{result['gpu']}{link}",
        f"max_num_seqs {result['max_num_seqs']}, max_num_batched_tokens {result['max_num_batched_tokens']}, "
        f"{result['num_gpu_blocks']:,} KV blocks of {result['block_size']}",
        f"{result['simulated_s']:,.1f} s, {result['steps']:,} steps, {result['preemptions']:,} preemptions, "
        f"{result['refused']:,} refused (longer than all KV memory)",
        f"{per_s['output_tokens_per_s']:,.1f} output tokens/s, {per_s['prompt_tokens_per_s']:,.1f} prompt tokens/s, "
        f"{per_s['requests_per_s']:,.2f} requests/s",
        "",
        f"{'ms':6}" + "".join(f"{statistic:>12}" for statistic in STATISTICS),
    ]
    for metric in METRICS:
        figures = (result[metric][statistic] for statistic in STATISTICS)
        lines.append(f"{metric.upper():6}" + "".join("-".rjust(12) if f is None else f"{f:>12,.1f}" for f in figures))
    if result["goodput"]:
        good = result["goodput"]
        limits = ", ".join(f"{name} within {limit:g} ms" for name, limit in good["limits_ms"].items())
        lines += ["", f"goodput ({limits}): {good['requests_per_s']:,.2f} requests/s, {good['share']:.1%} of them"]
    shares = ", ".join(f"{name} {share:.1%}" for name, share in result["waterfall"].items() if share)
    lines += ["", f"where the time went: {shares}"]
    return "\n".join([*lines, f"served in {result['wall_s']:.2f} s ({result['requests_per_s']:,.0f} requests/s)"])
