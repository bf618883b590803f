"""How long a step takes on a GPU, or on several that share a model: a roofline of compute and memory bandwidth.

    kernels = sqrt(weights^2 + products^2) + attention + KV + layers * t_layer + all-reduces
    weights   = W / (BW eb)                        reading the weights
    products  = 2 (P tok + H sampled) / (F ec)     multiplying with them
    attention = 4 heads head_dim layers n (ctx + n / 2) / (F ec)   for n prompt tokens after ctx
    KV        = KV bytes read / (BW eb KV_BANDWIDTH_SHARE)
    step      = max(kernels, layers * t_launch) + o1 + o2 * sequences

W weight bytes read, P parameters that each token multiplies, H those of the output head, which only tokens that are
sampled need; BW and F the card's datasheet figures, eb and ec the shares of them that are reached, t_layer what small
kernels and the ends of large ones take per layer, t_launch what the host needs to launch a layer where no CUDA graph
does it, o1 and o2 host time per step and per sequence. With tensor parallelism W, P, H, attention and KV are divided
among the GPUs (KV heads are copied where there are too few), and each layer adds two all-reduces.

A roofline takes the larger of reading and multiplying, as if the two overlapped perfectly. Near the ridge they do not:
measured kernels lie above the larger one, by most where both are equal. The root of the sum of squares says so without
a constant of its own, and stands for the poor use of a card by short prompts too; on the measured A100 kernels its mean
error is 4.0 % where the plain maximum has 5.7 %.

Weights of fewer bits make W smaller. Products become faster only where the card multiplies in that format (FP8); where
it does not, weights are widened to 16 bits first (w4a16: Frantar et al., MARLIN, 2024), which costs nothing here.

Sources of the form: Williams et al., Roofline, CACM 2009; Dao, FlashAttention-2, 2023 (FLOPs of attention). The
constants come from the catalog. Results are integer picoseconds, each part rounded once, so that sums are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from attrs import field, frozen

from engine.catalog.gpu import Gpu
from engine.catalog.link import Link
from engine.catalog.model import Model
from engine.physics.kv_cache import kv_bytes_per_token
from engine.units import PS_PER_S

KV_BANDWIDTH_SHARE = 0.88
"""KV lies scattered in blocks and is read by attention kernels, which reach less of the bandwidth than reading
weights does (Kwon et al., SOSP 2023, section 7.1: 20 to 26 % slower than a kernel without paging). One value for all
cards: where a card's single stream fixes its share of bandwidth and its full prefill steps fix its share of compute,
both vLLM 0.19 runs of Llama-3.1-8B ask for .87 to .9.
"""


@frozen
class DecodeCost:
    """A step over a batch of sequences, one token each: `base_ps + per_kv_token_ps * kv_tokens`.

    Exact, so that steps with the same batch are an arithmetic series. The first four parts add up to `base_ps`.
    """

    weights_ps: int
    """Reading weights and multiplying with them."""
    layers_ps: int
    all_reduce_ps: int
    host_ps: int
    per_kv_token_ps: int
    limit: str
    """What binds the step: `bandwidth` or `compute`."""
    base_ps: int = field(init=False)

    @base_ps.default
    def _base_ps(self) -> int:
        return self.weights_ps + self.layers_ps + self.all_reduce_ps + self.host_ps

    def steps_ps(self, steps: int, kv_tokens: int, batch: int) -> int:
        """Picoseconds of `steps` steps in a row: the first reads `kv_tokens`, each later one `batch` more."""
        return steps * self.base_ps + self.per_kv_token_ps * (steps * kv_tokens + batch * (steps * (steps - 1) // 2))

    @staticmethod
    def kv_reads(steps: int, kv_tokens: int, batch: int) -> int:
        """KV tokens read in `steps` steps together."""
        return steps * kv_tokens + batch * (steps * (steps - 1) // 2)


@frozen
class MixedCost:
    """A step with parts of prompts in it, and perhaps sequences that decode."""

    step_ps: int
    limit: str


@frozen
class Deployment:
    """A model on a card, or spread over several of the same (`tensor_parallel` > 1) that are joined by `link`."""

    gpu: Gpu
    model: Model
    tensor_parallel: int = 1
    link: Link | None = None
    launch_s_per_layer: float = 0.0
    """Host time per layer where kernels are launched one by one (no CUDA graphs)."""
    _decode: dict[tuple[int, int], DecodeCost] = field(factory=dict, init=False, eq=False, repr=False)

    def decode(self, batch: int, tokens: int = 1) -> DecodeCost:
        """The cost of a step over `batch` sequences with `tokens` tokens each (more than one: checking a draft)."""
        key = batch, tokens
        if key not in self._decode:
            self._decode[key] = self._decode_cost(batch, tokens)
        return self._decode[key]

    def mixed(self, batch: int, kv_tokens: int, chunks: Sequence[tuple[int, int, bool]]) -> MixedCost:
        """The cost of a step over `batch` decoding sequences and chunks of prompts (tokens, context, last one?)."""
        tokens, kv_read, sampled, attention = batch, kv_tokens, batch, 0
        model = self.model
        per_pair = 2 * model.heads * model.head_dim * model.layers
        for length, context, last in chunks:
            tokens += length
            kv_read += context
            sampled += last
            attention += per_pair * length * (2 * context + length)
        weights_s, products_s = self._weights_s(tokens), self._products_s(tokens, sampled)
        attention_s = attention / self._flops()
        kernels_s = _overlap(weights_s, products_s) + attention_s + kv_read * self._kv_s() + self._layers_s()
        kernels_s += self._all_reduce_s(tokens)
        step_s = max(kernels_s, model.layers * self.launch_s_per_layer) + self._host_s(batch + len(chunks))
        limit = "bandwidth" if weights_s >= products_s + attention_s else "compute"
        return MixedCost(round(step_s * PS_PER_S), limit)

    def prefill(self, prompts: Sequence[int]) -> MixedCost:
        """The cost of one step that computes whole prompts of these lengths, all in parallel."""
        return self.mixed(0, 0, [(length, 0, True) for length in prompts])

    def _decode_cost(self, batch: int, tokens: int) -> DecodeCost:
        weights_s, products_s = self._weights_s(batch * tokens), self._products_s(batch * tokens, batch * tokens)
        both_s = _overlap(weights_s, products_s)
        layers_s, all_reduce_s = self._layers_s(), self._all_reduce_s(batch * tokens)
        wait_s = max(self.model.layers * self.launch_s_per_layer - (both_s + layers_s + all_reduce_s), 0.0)
        return DecodeCost(
            weights_ps=round(both_s * PS_PER_S),
            layers_ps=round(layers_s * PS_PER_S),
            all_reduce_ps=round(all_reduce_s * PS_PER_S),
            host_ps=round((self._host_s(batch) + wait_s) * PS_PER_S),
            per_kv_token_ps=round(self._kv_s() * PS_PER_S),
            limit="bandwidth" if weights_s >= products_s else "compute",
        )

    def _bytes_per_s(self) -> float:
        return self.gpu.bandwidth_bytes_per_s * self.gpu.bandwidth_efficiency

    def _flops(self) -> float:
        return self.gpu.flops * self.gpu.compute_efficiency * self.tensor_parallel

    def _weights_s(self, tokens: int) -> float:
        return self.model.weight_bytes_read_by(tokens) / (self._bytes_per_s() * self.tensor_parallel)

    def _kv_s(self) -> float:
        read_bytes = kv_bytes_per_token(self.model) * self.model.kv_share(self.tensor_parallel)
        return read_bytes / (self._bytes_per_s() * KV_BANDWIDTH_SHARE)

    def _products_s(self, tokens: int, sampled: int) -> float:
        model, layers = self.model, float(self.model.multiplied_parameters * tokens)
        if model.fp8:
            layers /= self.gpu.fp8_speed_up
        return 2 * (layers + model.head_parameters * sampled) / self._flops()

    def _layers_s(self) -> float:
        return self.model.layers * self.gpu.s_per_layer

    def _all_reduce_s(self, tokens: int) -> float:
        """Two all-reduces a layer."""
        if self.link is None:
            return 0.0
        size = tokens * self.model.hidden * self.model.activation_bytes
        return 2 * self.model.layers * self.link.all_reduce_s(size, self.tensor_parallel)

    def _host_s(self, sequences: int) -> float:
        return self.gpu.host_s_per_step + self.gpu.host_s_per_sequence * sequences


def _overlap(first_s: float, second_s: float) -> float:
    """Two things that overlap, though not perfectly."""
    return sqrt(first_s * first_s + second_s * second_s)
