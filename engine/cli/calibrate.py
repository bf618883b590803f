"""`calibrate`: the constants with which a replay comes closest to a measured vLLM run."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from engine.catalog.gpu import Gpu
from engine.cli.serving import add_deployment
from engine.errors import EngineError
from engine.physics.fit import minimum
from engine.physics.kv_cache import kv_bytes_per_token
from engine.physics.roofline import Deployment
from engine.serving.figures import METRICS, STATISTICS, accuracy
from engine.serving.measured import CLOCK, Meta, read_meta, read_run
from engine.serving.replay import replay
from engine.serving.settings import Settings, deploy
from engine.units import MIB

HELP = "fit a card's constants to a measured vLLM run"
_EVALUATIONS = 80
_LARGEST_SHARE = 1.5
_WEIGHTS = {"mean": 1.0, "p50": 0.3, "p90": 0.3, "p99": 1.0}
_THROUGHPUT = 1.5


@frozen
class Constant:
    """A constant that can be fitted: where a card has it, and its unit."""

    attribute: str
    per_unit: float = 1.0
    """The attribute is the constant times this."""
    most: float = float("inf")


CONSTANTS = {
    "bandwidth_efficiency": Constant("bandwidth_efficiency", most=_LARGEST_SHARE),
    "compute_efficiency": Constant("compute_efficiency", most=_LARGEST_SHARE),
    "us_per_layer": Constant("s_per_layer", 1e-6),
    "host_ms_per_step": Constant("host_s_per_step", 1e-3),
    "host_us_per_sequence": Constant("host_s_per_sequence", 1e-6),
}
CARD = ("bandwidth_efficiency", "compute_efficiency")

Errors = Mapping[str, float]
"""Metric and statistic (`ttft mean`, ..., `throughput`) -> error in per cent."""


@frozen
class Calibration:
    """Constants, and the errors that a replay with them has."""

    constants: dict[str, float]
    errors: dict[str, float]
    replays: int


def calibrate(
    replayed: Callable[[Mapping[str, float]], Errors], start: Mapping[str, float], evaluations: int = _EVALUATIONS
) -> Calibration:
    """The constants near `start` for which `replayed` (constants -> errors) is least wrong: weighted squares."""
    names = list(start)
    count = 0

    def loss(point: tuple[float, ...]) -> float:
        nonlocal count
        constants = dict(zip(names, point, strict=True))
        if any(not 0 < constants[name] < CONSTANTS[name].most for name in names):
            return float("inf")
        count += 1
        return _loss(replayed(constants))

    best, _ = minimum(loss, list(start.values()), evaluations)
    constants = dict(zip(names, best, strict=True))
    return Calibration(constants, dict(replayed(constants)), count)


def _loss(errors: Errors) -> float:
    total = 0.0
    for name, error in errors.items():
        weight = _THROUGHPUT if name == "throughput" else _WEIGHTS[name.split()[1]]
        total += weight * error * error
    return total


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """RUN and the options."""
    parser.add_argument("run", metavar="RUN.jsonl", help="a measured run, a JSON object per request")
    add_deployment(parser)
    parser.add_argument("--meta", metavar="FILE", help="the engine's settings (default: RUN.meta.json beside the run)")
    parser.add_argument(
        "--fit",
        default=",".join(CARD),
        metavar="NAMES",
        help=f"what to fit, by commas, of {', '.join(CONSTANTS)} (default: the card's own, the first two)",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Fit and print."""
    names = list(dict.fromkeys(parsed.fit.split(",")))
    for name in names:
        if name not in CONSTANTS:
            raise EngineError("calibrate.constant", name=name, known=", ".join(CONSTANTS))
    path = Path(parsed.run)
    measured = read_run(path)
    meta = _meta(path, parsed.meta)
    deployment = deploy(parsed.gpu, parsed.model, meta.tensor_parallel if parsed.tp is None else parsed.tp, parsed.link)

    def replayed(constants: Mapping[str, float]) -> Errors:
        served = replay(
            measured.trace, on(deployment, with_constants(deployment.gpu, constants)), meta.settings, measured=True
        )
        return _errors(accuracy(served.records, measured))

    start = {name: _shipped(deployment.gpu, name) for name in names}
    found = calibrate(replayed, start)
    result: dict[str, Any] = {
        "run": path.name,
        "gpu": deployment.gpu.id,
        "model": deployment.model.id,
        "clock": CLOCK,
        "constants": found.constants,
        "shipped": start,
        "overhead_mib": overhead_mib(deployment, meta.settings),
        "error_pct": found.errors,
        "shipped_error_pct": dict(replayed(start)),
        "replays": found.replays,
    }
    print(json.dumps(result, indent=2) if parsed.json else _text(result))
    return 0


def with_constants(gpu: Gpu, constants: Mapping[str, float]) -> Gpu:
    """The card with other constants."""
    changes: dict[str, Any] = {
        CONSTANTS[name].attribute: value * CONSTANTS[name].per_unit for name, value in constants.items()
    }
    return evolve(gpu, **changes)


def on(deployment: Deployment, gpu: Gpu) -> Deployment:
    """The deployment on another card."""
    return Deployment(gpu, deployment.model, deployment.tensor_parallel, deployment.link, deployment.launch_s_per_layer)


def overhead_mib(deployment: Deployment, settings: Settings) -> float | None:
    """What of a card's share is neither weights nor KV, if the run says how many blocks it had."""
    if settings.num_gpu_blocks is None:
        return None
    gpu, model, cards = deployment.gpu, deployment.model, deployment.tensor_parallel
    kv = settings.num_gpu_blocks * settings.block_size * kv_bytes_per_token(model) * model.kv_share(cards)
    return (gpu.vram_bytes * settings.gpu_memory_utilization - model.weight_bytes / cards - kv) / MIB


def _shipped(gpu: Gpu, name: str) -> float:
    constant = CONSTANTS[name]
    value: float = getattr(gpu, constant.attribute)
    return max(value / constant.per_unit, 1e-3)


def _meta(run: Path, named: str | None) -> Meta:
    if named is not None:
        return read_meta(Path(named))
    beside = run.with_name(run.name.removesuffix(".jsonl") + ".meta.json")
    return read_meta(beside) if beside.exists() else Meta(Settings(), 1)


def _errors(figures: Mapping[str, Any]) -> dict[str, float]:
    errors = {f"{metric} {statistic}": figures[metric][statistic] for metric in METRICS for statistic in STATISTICS}
    errors["throughput"] = figures["throughput"]
    return {name: entry["error_pct"] for name, entry in errors.items() if entry["error_pct"] is not None}


def _text(result: dict[str, Any]) -> str:
    lines = [f"{result['run']}: {result['model']} on {result['gpu']}, {result['replays']} replays", ""]
    lines.append(f"{'':24}{'shipped':>10}{'fitted':>10}")
    for name, value in result["constants"].items():
        lines.append(f"{name:24}{result['shipped'][name]:>10.3f}{value:>10.3f}")
    if result["overhead_mib"] is not None:
        lines.append(f"{'overhead_mib':24}{'':>10}{result['overhead_mib']:>10.0f}")
    lines += ["", f"{'error':24}{'shipped':>10}{'fitted':>10}"]
    for name, error in result["error_pct"].items():
        lines.append(f"{name:24}{result['shipped_error_pct'][name]:>+8.1f} %{error:>+8.1f} %")
    return "\n".join(lines)
