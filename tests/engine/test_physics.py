"""Physics against published figures, and the exactness that the simulation rests on."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import catalog
from engine.catalog.model import Model
from engine.physics.kv_cache import kv_bytes_per_token, layer_kv_bytes
from engine.physics.money import rent_nusd, usd_per_million_tokens
from engine.physics.roofline import decode_cost, prefill_cost
from engine.units import PS_PER_MS, PS_PER_S

L4, LLAMA = catalog.gpu("l4"), catalog.model("llama-3.1-8b")

# layers, KV heads, head size, KiB per token at 16 bits: from the models' config.json and their publications
KV_KIB = {
    "Llama-2-7B": (32, 32, 128, 512),
    "Llama-3.1-8B": (32, 8, 128, 128),
    "Llama-3.1-70B": (80, 8, 128, 320),
    "Qwen2.5-7B": (28, 4, 128, 56),
    "Qwen3-14B": (40, 8, 128, 160),
    "Qwen3-30B-A3B": (48, 4, 128, 96),
    "Mixtral-8x7B": (32, 8, 128, 128),
    "Mistral-Nemo": (40, 8, 128, 160),
    "CodeLlama-34B": (48, 8, 128, 192),
    "Yi-34B": (60, 8, 128, 240),
    "OPT-13B": (40, 40, 128, 800),
}


@pytest.mark.parametrize("name", KV_KIB)
def test_kv_bytes_per_token_are_the_published_ones(name: str) -> None:
    layers, kv_heads, head_dim, kib = KV_KIB[name]
    model = attrs.evolve(LLAMA, layers=layers, kv_heads=kv_heads, head_dim=head_dim, kv_bytes_per_element=2)
    assert kv_bytes_per_token(model) == kib * 1024


def test_a_prompt_of_4096_tokens_leaves_512_mib_of_kv() -> None:
    assert kv_bytes_per_token(LLAMA) * 4096 == 512 * 2**20
    assert layer_kv_bytes(LLAMA, 4096) == 16 * 2**20


def test_llama_weights() -> None:
    assert LLAMA.weight_bytes == pytest.approx(16.06e9, rel=1e-3)
    assert LLAMA.weight_bytes_read == pytest.approx(15.0e9, rel=1e-3)
    assert LLAMA.multiplied_parameters == pytest.approx(6.98e9, rel=1e-3)


def test_a_tied_output_head_is_read_and_not_counted_twice() -> None:
    figures = catalog.model  # the catalog's own model has no tied head: make one of the published shape of Llama-3.2-1B
    assert figures
    from engine.catalog.figure import Figure
    from engine.catalog.model import ModelFigures

    def figure(value: float) -> Figure:
        return Figure(value, "Llama-3.2-1B config.json", "2026-11")

    values = {"parameters": 1235814400, "vocabulary": 128256, "hidden": 2048, "layers": 16, "heads": 32, "kv_heads": 8}
    values |= {"head_dim": 64, "bytes_per_weight": 2, "kv_bytes_per_element": 2}
    figures_1b = ModelFigures(
        name="1B", tied_embeddings=True, **{name: figure(value) for name, value in values.items()}
    )
    small = Model.of("1b", figures_1b)
    assert small.weight_bytes_read == small.weight_bytes
    assert small.multiplied_parameters == pytest.approx(0.97e9, rel=0.01)
    assert kv_bytes_per_token(small) == 32 * 1024


def test_a_decode_step_on_an_l4_takes_66_ms_and_is_bound_by_bandwidth() -> None:
    cost = decode_cost(L4, LLAMA, 1)
    assert cost.steps_ps(1, 4096, 1) / PS_PER_MS == pytest.approx(66, rel=0.01)
    assert cost.limit == "bandwidth"


def test_a_prefill_of_4096_tokens_on_an_l4_takes_about_a_second_and_is_bound_by_compute() -> None:
    cost = prefill_cost(L4, LLAMA, [4096])
    assert cost.step_ps / PS_PER_S == pytest.approx(1.09, rel=0.06)
    assert cost.limit == "compute"


def test_decode_turns_from_bandwidth_to_compute_near_flops_per_byte() -> None:
    """Without host time and small-chunk losses, the turning point is F/BW tokens for 2-byte weights: 403 on an L4."""
    ideal = attrs.evolve(
        L4, bandwidth_efficiency=1.0, compute_efficiency=1.0, half_efficiency_tokens=0.0, host_s_per_step=0.0
    )
    even = attrs.evolve(LLAMA, weight_bytes_read=2 * LLAMA.multiplied_parameters)
    turn = next(batch for batch in range(1, 1000) if decode_cost(ideal, even, batch).limit == "compute")
    assert turn == pytest.approx(403, abs=1)


def test_prompts_in_one_step_cost_about_as_much_as_one_after_another() -> None:
    """Prefill is bound by compute already: batching prompts saves little."""
    together = prefill_cost(L4, LLAMA, [2048, 2048]).step_ps
    apart = 2 * prefill_cost(L4, LLAMA, [2048]).step_ps
    assert 0.95 < together / apart < 1.0


@given(st.integers(1, 64), st.integers(0, 400_000), st.integers(1, 2000), st.integers(0, 2000))
def test_a_run_of_steps_may_be_cut_anywhere(batch: int, kv_tokens: int, steps: int, cut: int) -> None:
    cost, cut = decode_cost(L4, LLAMA, batch), min(cut, steps)
    whole = cost.steps_ps(steps, kv_tokens, batch)
    first = cost.steps_ps(cut, kv_tokens, batch)
    assert first + cost.steps_ps(steps - cut, kv_tokens + cut * batch, batch) == whole


@given(st.integers(1, 200), st.integers(1, 2000))
def test_a_run_costs_the_sum_of_its_steps(batch: int, kv_tokens: int) -> None:
    cost = decode_cost(L4, LLAMA, batch)
    one_by_one = sum(cost.steps_ps(1, kv_tokens + step * batch, batch) for step in range(50))
    assert cost.steps_ps(50, kv_tokens, batch) == one_by_one


def test_rent_counts_idle_time_too() -> None:
    assert rent_nusd(0.78, 3600 * PS_PER_S) == 780_000_000
    assert usd_per_million_tokens(780_000_000, 0) is None
    assert usd_per_million_tokens(780_000_000, 126_000) == pytest.approx(6.19, rel=1e-3)
