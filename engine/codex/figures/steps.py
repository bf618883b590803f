"""Prefill, a decode step, and where a card turns from reading weights to multiplying."""

from __future__ import annotations

from engine.codex.figures.factory import batch, deployment, pad, prompt, setting, step_ms
from engine.codex.figures.figure import Figure
from engine.simulation import Simulation
from engine.units import PS_PER_S, as_seconds


def _prefill_ps(simulation: Simulation) -> int:
    """Of the longest prompt."""
    return deployment(simulation, "prefill_core").prefill([prompt(simulation)]).step_ps


def _slots(simulation: Simulation) -> int:
    return setting(simulation, "decode_core", "max_num_seqs")


def _step_full_ms(simulation: Simulation) -> float:
    return step_ms(simulation, _slots(simulation))


def _ridge_tokens(simulation: Simulation) -> float:
    """Tokens a step at which multiplying takes as long as reading the weights."""
    gpu, model = pad(simulation, "decode_core").gpu, deployment(simulation, "decode_core").model
    products = 2 * (model.multiplied_parameters + model.head_parameters) / (gpu.flops * gpu.compute_efficiency)
    weights = model.weight_bytes_read / (gpu.bandwidth_bytes_per_s * gpu.bandwidth_efficiency)
    return weights / products


FIGURES = {
    "prefill_s": Figure("s", lambda simulation: as_seconds(_prefill_ps(simulation))),
    "prefill_tps": Figure("tokens_per_s", lambda simulation: prompt(simulation) * PS_PER_S / _prefill_ps(simulation)),
    "weights_gb": Figure("gb", lambda simulation: simulation.floor.model.weight_bytes_read / 1e9),
    "step_ms": Figure("ms", lambda simulation: step_ms(simulation, 1)),
    "step_full_ms": Figure("ms", _step_full_ms),
    "tps_alone": Figure("tokens_per_s", lambda simulation: 1000 / step_ms(simulation, 1)),
    "tps_full": Figure("tokens_per_s", lambda simulation: _slots(simulation) * 1000 / _step_full_ms(simulation)),
    "ridge_tokens": Figure("tokens", _ridge_tokens),
    "slots": Figure("count", _slots),
    "batch": Figure("count", batch),
}
