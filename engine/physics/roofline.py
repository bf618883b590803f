"""How long a step on a GPU takes: a roofline of compute and memory bandwidth, plus host time.

    step = max(W / (BW eb), 2 P (tok + n_half) / (F ec)) + attention / (F ec) + KV read / (BW eb) + o1 + o2 batch

W weight bytes read, P parameters that each token multiplies, tok tokens in the step, BW and F the card's datasheet
figures, eb and ec the shares of them that are reached, o1 and o2 host time per step and per sequence, n_half the
tokens at which half of the compute efficiency is reached. Source of the form: Williams et al., Roofline, CACM 2009;
attention FLOPs `4 heads head_dim layers n (ctx + n/2)`: Dao, FlashAttention-2, 2023. Constants come from the catalog.

All results are integer picoseconds, rounded once per term, so that sums are exact.
"""

from __future__ import annotations

from attrs import frozen

from engine.catalog.gpu import Gpu
from engine.catalog.model import Model
from engine.physics.kv_cache import kv_bytes_per_token
from engine.units import PS_PER_S


@frozen
class DecodeCost:
    """A decode step over a batch takes `base_ps + per_kv_token_ps * kv_tokens`; exact, so a run of steps is a
    series.
    """

    base_ps: int
    per_kv_token_ps: int
    limit: str
    """What binds the step: `bandwidth` or `compute`."""

    def steps_ps(self, steps: int, kv_tokens: int, batch: int) -> int:
        """Picoseconds of `steps` steps in a row: the first reads `kv_tokens`, each later one `batch` more."""
        return steps * self.base_ps + self.per_kv_token_ps * (steps * kv_tokens + batch * (steps * (steps - 1) // 2))


@frozen
class PrefillCost:
    """What a prefill step takes, and what binds it."""

    step_ps: int
    limit: str


def _weights_s(gpu: Gpu, model: Model) -> float:
    return model.weight_bytes_read / (gpu.bandwidth_bytes_per_s * gpu.bandwidth_efficiency)


def _compute_s(gpu: Gpu, model: Model, tokens: int) -> float:
    return 2 * model.multiplied_parameters * (tokens + gpu.half_efficiency_tokens) / _reached_flops(gpu)


def _reached_flops(gpu: Gpu) -> float:
    return gpu.flops * gpu.compute_efficiency


def decode_cost(gpu: Gpu, model: Model, batch: int) -> DecodeCost:
    """Cost of a decode step over `batch` sequences, one token each."""
    weights_s, compute_s = _weights_s(gpu, model), _compute_s(gpu, model, batch)
    host_s = gpu.host_s_per_step + gpu.host_s_per_sequence * batch
    kv_s = kv_bytes_per_token(model) / (gpu.bandwidth_bytes_per_s * gpu.bandwidth_efficiency)
    return DecodeCost(
        base_ps=round((max(weights_s, compute_s) + host_s) * PS_PER_S),
        per_kv_token_ps=round(kv_s * PS_PER_S),
        limit="bandwidth" if weights_s >= compute_s else "compute",
    )


def prefill_cost(gpu: Gpu, model: Model, prompts: list[int]) -> PrefillCost:
    """Cost of one step that prefills whole prompts of the given lengths (tokens), all in parallel."""
    weights_s, compute_s = _weights_s(gpu, model), _compute_s(gpu, model, sum(prompts))
    attention = 0
    for tokens in prompts:
        attention += 2 * model.heads * model.head_dim * model.layers * tokens * tokens
    attention_s = attention / _reached_flops(gpu)
    host_s = gpu.host_s_per_step + gpu.host_s_per_sequence * len(prompts)
    return PrefillCost(
        step_ps=round((max(weights_s, compute_s) + attention_s + host_s) * PS_PER_S),
        limit="bandwidth" if weights_s >= compute_s + attention_s else "compute",
    )
