"""`validate`: a measured vLLM run, served again, and how far we are from it."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from attrs import asdict

from engine.cli.serving import add_deployment
from engine.serving.figures import METRICS, STATISTICS, accuracy
from engine.serving.measured import CLOCK, Meta, read_meta, read_run
from engine.serving.replay import replay
from engine.serving.settings import Settings, deploy

HELP = "replay a measured vLLM run and compare"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN and the options."""
    parser.add_argument("run", metavar="RUN.jsonl", help="a measured run, a JSON object per request")
    add_deployment(parser)
    parser.add_argument("--meta", metavar="FILE", help="the engine's settings (default: RUN.meta.json beside the run)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Read, replay, compare and print."""
    start = time.perf_counter()
    path = Path(parsed.run)
    measured = read_run(path)
    meta = _meta(path, parsed.meta)
    cards = meta.tensor_parallel if parsed.tp is None else parsed.tp
    deployment = deploy(parsed.gpu, parsed.model, cards, parsed.link)
    served = replay(measured.trace, deployment, meta.settings, measured=True)
    result = {
        "run": path.name,
        "gpu": deployment.gpu.id,
        "model": deployment.model.id,
        "tensor_parallel_size": cards,
        "link": None if deployment.link is None else deployment.link.id,
        "clock": CLOCK,
        "unit": "ms",
        **asdict(meta.settings),
        "num_gpu_blocks": served.num_gpu_blocks,
        "num_gpu_blocks_derived": meta.settings.num_gpu_blocks is None,
        "requests": len(measured.trace),
        "preemptions": served.preemptions,
        "steps": served.steps,
        **accuracy(served.records, measured),
        "wall_s": time.perf_counter() - start,
    }
    print(json.dumps(result, indent=2) if parsed.json else _text(result))
    return 0


def _meta(run: Path, named: str | None) -> Meta:
    if named is not None:
        return read_meta(Path(named))
    beside = run.with_name(run.name.removesuffix(".jsonl") + ".meta.json")
    return read_meta(beside) if beside.exists() else Meta(Settings(), 1)


def _text(result: dict[str, Any]) -> str:
    cards = f"{result['tensor_parallel_size']} x " if result["tensor_parallel_size"] > 1 else ""
    link = f" over {result['link']}" if result["link"] else ""
    derived = "derived" if result["num_gpu_blocks_derived"] else "as measured"
    lines = [
        f"{result['run']}: {result['requests']} requests, {result['model']} on {cards}{result['gpu']}{link}",
        f"max_num_seqs {result['max_num_seqs']}, max_num_batched_tokens {result['max_num_batched_tokens']}, "
        f"{result['num_gpu_blocks']} KV blocks of {result['block_size']} ({derived}); "
        f"{result['preemptions']} preemptions, {result['steps']} steps",
        f"clock: {result['clock']}, when the engine took a request in (what came before is left out)",
        "",
        f"{'':12}{'measured':>12}{'simulated':>12}{'error':>9}",
    ]
    for metric in METRICS:
        for statistic in STATISTICS:
            lines.append(_row(f"{metric.upper()} {statistic}", "ms", result[metric][statistic]))
    lines.append(_row("throughput", "tokens/s", result["throughput"]))
    return "\n".join([*lines, "", f"replayed in {result['wall_s']:.2f} s"])


def _row(name: str, unit: str, figures: dict[str, float | None]) -> str:
    measured, simulated, error = (figures[key] for key in ("measured", "simulated", "error_pct"))
    if measured is None or simulated is None:
        return f"{name:12}{'-':>12}"
    shown = "-" if error is None else f"{error:+.1f} %"
    return f"{name:12}{measured:>12,.1f}{simulated:>12,.1f}{shown:>9}  {unit}"
