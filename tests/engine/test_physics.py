"""Physics against published and measured figures, and the exactness that the simulation rests on."""

import csv
from collections import defaultdict
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import catalog
from engine.catalog.gpu import Gpu
from engine.catalog.link import Link
from engine.catalog.model import Model
from engine.physics.energy import card_energy_uj, energy_uj
from engine.physics.fit import minimum
from engine.physics.kv_cache import kv_bytes_per_token, layer_kv_bytes
from engine.physics.money import electricity_nusd, owned_nusd, purchase_nusd, rent_nusd, usd_per_million_tokens
from engine.physics.roofline import Deployment
from engine.physics.speculation import best_draft_tokens, expected_tokens, reported_acceptance, speed_up
from engine.units import PS_PER_MS, PS_PER_S
from tests.measured import measured

L4, LLAMA = catalog.gpu("l4"), catalog.model("llama-3.1-8b")
ON_L4 = Deployment(L4, LLAMA)
HOUR_PS = 3600 * PS_PER_S


def rows(name: str) -> list[dict[str, str]]:
    """A measured table, or a skipped test."""
    with measured(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def step_ms(deployment: Deployment, batch: int, kv_tokens: int) -> float:
    return deployment.decode(batch).steps_ps(1, kv_tokens, batch) / PS_PER_MS


def without_host(gpu: Gpu) -> Gpu:
    """Kernels alone."""
    return attrs.evolve(gpu, host_s_per_step=0.0, host_s_per_sequence=0.0)


# -- KV cache --------------------------------------------------------------------------------------------------------


def test_a_prompt_of_4096_tokens_leaves_512_mib_of_kv() -> None:
    assert kv_bytes_per_token(LLAMA) * 4096 == 512 * 2**20
    assert layer_kv_bytes(LLAMA, 4096) == 16 * 2**20


# -- steps -----------------------------------------------------------------------------------------------------------


def test_a_decode_step_on_an_l4_takes_66_ms_and_is_bound_by_bandwidth() -> None:
    assert step_ms(ON_L4, 1, 4096) == pytest.approx(66, rel=0.01)
    assert ON_L4.decode(1).limit == "bandwidth"


def test_a_prefill_of_4096_tokens_on_an_l4_takes_about_a_second_and_is_bound_by_compute() -> None:
    cost = ON_L4.prefill([4096])
    assert cost.step_ps / PS_PER_S == pytest.approx(1.06, rel=0.05)
    assert cost.limit == "compute"


@pytest.mark.parametrize(
    ("card", "tokens"), [("a100-80gb", 153), ("h100-80gb", 295), ("rtx-4090", 164), ("t4", 203), ("l4", 403)]
)
def test_decode_turns_from_bandwidth_to_compute_near_flops_per_byte(card: str, tokens: int) -> None:
    ideal = attrs.evolve(catalog.gpu(card), bandwidth_efficiency=1.0, compute_efficiency=1.0)
    even = attrs.evolve(LLAMA, weight_bytes_read=2 * LLAMA.multiplied_parameters, head_parameters=0)
    deployment = Deployment(ideal, even)
    turn = next(batch for batch in range(1, 1000) if deployment.decode(batch).limit == "compute")
    assert turn == pytest.approx(tokens, abs=1)


def test_prompts_in_one_step_cost_about_as_much_as_one_after_another() -> None:
    """Prefill is bound by compute already: batching prompts saves little."""
    together = ON_L4.prefill([2048, 2048]).step_ps
    apart = 2 * ON_L4.prefill([2048]).step_ps
    assert 0.95 < together / apart < 1.0


def test_a_prompt_in_chunks_costs_more_and_attends_to_the_same() -> None:
    whole = ON_L4.prefill([4096]).step_ps
    chunks = 0
    for start in range(0, 4096, 512):
        chunks += ON_L4.mixed(0, 0, [(512, start, start == 3584)]).step_ps
    assert 1.05 < chunks / whole < 1.2, "weights and KV are read again for each chunk"


def test_a_step_that_only_decodes_costs_the_same_whichever_way_it_is_asked_for() -> None:
    mixed = ON_L4.mixed(8, 8000, []).step_ps
    assert mixed == pytest.approx(ON_L4.decode(8).steps_ps(1, 8000, 8), abs=10_000)


def test_checking_drafts_costs_about_one_step() -> None:
    on_4090 = Deployment(catalog.gpu("rtx-4090"), LLAMA)
    assert on_4090.decode(1, 6).base_ps / on_4090.decode(1).base_ps == pytest.approx(1.0, abs=0.01)
    assert on_4090.decode(48, 6).base_ps / on_4090.decode(48).base_ps > 1.5


@given(st.integers(1, 64), st.integers(0, 400_000), st.integers(1, 2000), st.integers(0, 2000))
def test_a_run_of_steps_may_be_cut_anywhere(batch: int, kv_tokens: int, steps: int, cut: int) -> None:
    cost, cut = ON_L4.decode(batch), min(cut, steps)
    whole = cost.steps_ps(steps, kv_tokens, batch)
    first = cost.steps_ps(cut, kv_tokens, batch)
    assert first + cost.steps_ps(steps - cut, kv_tokens + cut * batch, batch) == whole


@given(st.integers(1, 200), st.integers(1, 2000))
def test_a_run_costs_the_sum_of_its_steps(batch: int, kv_tokens: int) -> None:
    cost = ON_L4.decode(batch)
    one_by_one = sum(cost.steps_ps(1, kv_tokens + step * batch, batch) for step in range(50))
    assert cost.steps_ps(50, kv_tokens, batch) == one_by_one


def test_the_parts_of_a_step_add_up() -> None:
    cost = ON_L4.decode(16)
    assert cost.base_ps == cost.weights_ps + cost.layers_ps + cost.all_reduce_ps + cost.host_ps


# -- several GPUs ----------------------------------------------------------------------------------------------------


def test_two_cards_read_half_each_and_pay_two_all_reduces_a_layer() -> None:
    card, link = without_host(catalog.gpu("rtx-pro-6000")), catalog.link("pcie5")
    one, two = Deployment(card, LLAMA).decode(1), Deployment(card, LLAMA, 2, link).decode(1)
    assert two.weights_ps == pytest.approx(one.weights_ps / 2, rel=1e-6)
    assert two.per_kv_token_ps == pytest.approx(one.per_kv_token_ps / 2, abs=1)
    assert one.all_reduce_ps == 0
    payload_s = 4096 * 2 / (64e9 * link.all_reduce_efficiency)
    assert two.all_reduce_ps == pytest.approx(2 * 32 * (10e-6 + payload_s) * PS_PER_S, rel=1e-6)


def test_a_ring_sends_more_with_more_members() -> None:
    link = catalog.link("nvlink3")
    large = 2**30
    assert link.all_reduce_s(large, 1) == 0
    assert link.all_reduce_s(large, 8) / link.all_reduce_s(large, 2) == pytest.approx(1.75, rel=1e-3)


def test_kv_heads_are_copied_where_there_are_fewer_than_cards() -> None:
    assert catalog.model("qwen2.5-7b").kv_share(2) == 1 / 2
    assert catalog.model("qwen2.5-7b").kv_share(7) == 1 / 4
    assert catalog.model("deepseek-v2-lite").kv_share(4) == 1


# -- mixtures of experts -----------------------------------------------------------------------------------------------


def test_a_small_batch_reads_few_experts() -> None:
    model = catalog.model("qwen3-30b-a3b")
    rest = model.weight_bytes_read - model.expert_bytes
    touched = [(model.weight_bytes_read_by(batch) - rest) / model.expert_bytes for batch in (1, 16, 64)]
    assert touched == pytest.approx([0.06, 0.64, 0.98], abs=0.005)
    assert LLAMA.weight_bytes_read_by(1) == LLAMA.weight_bytes_read


# -- measurements ----------------------------------------------------------------------------------------------------

A100_MODELS = {
    "Llama-2-7b-hf": "llama-2-7b",
    "Llama-2-70b-hf": "llama-2-70b",
    "Meta-Llama-3-8B": "llama-3-8b",
}


def kernels_ms(row: dict[str, str], deployment: Deployment) -> float:
    """A row of the table by our formula: no host, no embedding, no head; all-reduces as `deployment.link` says."""
    batch, context = int(row["batch"]), int(row["context"])
    if row["phase"] == "prefill":
        return deployment.mixed(0, 0, [(int(row["tokens"]), context, True)]).step_ps / PS_PER_MS
    return step_ms(deployment, batch, batch * context)


def headless(model: Model) -> Model:
    head = 2 * model.head_parameters
    return attrs.evolve(model, weight_bytes_read=model.weight_bytes_read - head, head_parameters=0)


def a100_errors(link: Link | None) -> list[float]:
    card = without_host(catalog.gpu("a100-80gb").on(catalog.host("eager-2023")))
    errors = []
    for row in rows("iteration_times/a100_vidur.csv"):
        model, cards = headless(catalog.model(A100_MODELS[row["model"]])), int(row["tp"])
        ours = kernels_ms(row, Deployment(card, model, cards, link if cards > 1 else None))
        if link is None and row["allreduce_x2"]:
            ours += float(row["allreduce_x2"]) * model.layers
        errors.append(ours / float(row["model_ms"]) - 1)
    return errors


def test_a100_iteration_times_are_met_within_6_per_cent_with_the_measured_all_reduces() -> None:
    errors = a100_errors(None)
    assert len(errors) > 90
    assert np.abs(errors).mean() < 0.045


def test_a100_iteration_times_are_met_within_10_per_cent_with_the_links_own_all_reduces() -> None:
    """The table's all-reduces take 17 to 60 us where the link says 10: they are of another library, measured alone."""
    assert np.abs(a100_errors(catalog.link("nvlink3"))).mean() < 0.10


def test_token_times_of_llama_2_70b_on_a100_are_met_within_8_per_cent_per_parallelism() -> None:
    model, host = catalog.model("llama-2-70b"), catalog.host("eager-2023")
    card, link = catalog.gpu("a100-80gb").on(host), catalog.link("nvlink3")
    errors: dict[int, list[float]] = defaultdict(list)
    for row in rows("splitwise_llama2_70b_a100.csv"):
        if row["model"] != "llama2-70b" or row["hardware"] != "a100-80gb":
            continue
        cards, batch = int(row["tensor_parallel"]), int(row["batch_size"])
        if (cards, batch) == (2, 64):
            continue  # its prompt time is broken: the batch did not fit
        context = int(row["prompt_size"]) + int(row["token_size"]) // 2
        deployment = Deployment(card, model, cards, link, host.launch_s_per_layer)
        errors[cards].append(step_ms(deployment, batch, batch * context) / float(row["token_time"]) - 1)
    assert sorted(errors) == [2, 4, 8]
    for cards, found in errors.items():
        assert np.abs(found).mean() < 0.08, cards


@pytest.mark.parametrize(
    ("card", "prompt", "measured_ms"),
    [
        # the last request of the measured run goes on alone at 87 tokens a second
        pytest.param("rtx-pro-6000", 1500, 11.5, id="rtx-pro-6000"),
        # yobitelcomm.github.io/bench, vLLM 0.21; johnmusgrave.com, vLLM 0.23, 75 tokens a second with the prompt's time
        pytest.param("h100-80gb", 200, 6.48, id="h100-80gb"),
        pytest.param("a100-40gb", 1024, 12.9, id="a100-40gb"),
    ],
)
def test_one_stream_of_llama_8b_is_met_within_5_per_cent_on_cards_of_three_generations(
    card: str, prompt: int, measured_ms: float
) -> None:
    assert step_ms(Deployment(catalog.gpu(card), LLAMA), 1, prompt) == pytest.approx(measured_ms, rel=0.05)


def test_the_kv_capacity_of_a_4090_is_met_within_3_per_cent() -> None:
    card = catalog.gpu("rtx-4090")
    room = card.vram_bytes * 0.9 - LLAMA.weight_bytes - card.overhead_bytes
    assert room / kv_bytes_per_token(LLAMA) == pytest.approx(41_408, rel=0.03)


# -- speculation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("acceptance", "cost", "tokens", "gain"),
    [
        (0.7, 0.02, 8, 2.76),
        (0.7, 0.05, 6, 2.35),
        (0.7, 0.1, 4, 1.98),
        (0.7, 0.15, 3, 1.75),
        (0.8, 0.02, 11, 3.82),
        (0.8, 0.05, 8, 3.09),
        (0.8, 0.1, 6, 2.47),
        (0.8, 0.15, 5, 2.11),
    ],
)
def test_the_best_number_of_draft_tokens(acceptance: float, cost: float, tokens: int, gain: float) -> None:
    assert best_draft_tokens(acceptance, cost) == tokens
    assert speed_up(acceptance, tokens, cost) == pytest.approx(gain, abs=0.005)


def test_there_is_no_gain_unless_acceptance_exceeds_the_drafts_cost() -> None:
    assert best_draft_tokens(0.3, 0.3) == 0
    assert best_draft_tokens(0.3, 0.35) == 0
    assert best_draft_tokens(0.3, 0.25) > 0


def test_speculation_gains_for_one_user_and_loses_in_large_batches() -> None:
    """Llama-3.1-8B with a 1B Q4 draft and 5 draft tokens on an RTX 4090: with a .6 it has lost at batch 48.

    A simpler model of the same case loses from 40, 54 and 75 on at .6, .7 and .8: ours holds out longer, by arithmetic
    that its card reaches more of; that more acceptance holds out longer is common to both.
    """
    card = catalog.gpu("rtx-4090")
    target, draft = Deployment(card, LLAMA), Deployment(card, catalog.model("llama-3.2-1b-q4-k-m"))

    def gain(acceptance: float, batch: int) -> float:
        plain = step_ms(target, batch, 500 * batch)
        check = target.decode(batch, 6).steps_ps(1, 500 * batch, batch) / PS_PER_MS
        return expected_tokens(acceptance, 5) * plain / (check + 5 * step_ms(draft, batch, 500 * batch))

    assert all(gain(acceptance, 1) > 1.5 for acceptance in (0.6, 0.7, 0.8))
    assert gain(0.6, 48) < 1
    loses = [next(batch for batch in range(1, 300) if gain(acceptance, batch) < 1) for acceptance in (0.6, 0.7, 0.8)]
    assert loses == sorted(loses)
    assert loses[0] >= 40


@pytest.mark.parametrize(("acceptance", "reported"), [(0.6, 0.28), (0.7, 0.39), (0.8, 0.54), (0.89, 0.72)])
def test_the_rate_that_engines_report_is_lower(acceptance: float, reported: float) -> None:
    assert reported_acceptance(acceptance, 5) == pytest.approx(reported, abs=0.006)


def test_expected_tokens_by_throwing_coins() -> None:
    coins = np.random.default_rng(7).random((200_000, 5)) < 0.8
    accepted = np.cumprod(coins, axis=1).sum(axis=1)
    assert (accepted + 1).mean() == pytest.approx(expected_tokens(0.8, 5), rel=0.01)
    assert expected_tokens(1.0, 5) == 6


# -- energy and money -----------------------------------------------------------------------------------------------


def test_a_busy_card_draws_its_share_of_peak_power_and_an_idle_one_some() -> None:
    card = catalog.gpu("a100-80gb")
    assert energy_uj(400, PS_PER_S) == 400_000_000
    busy, idle = card_energy_uj(card, HOUR_PS, HOUR_PS), card_energy_uj(card, 0, HOUR_PS)
    assert busy == pytest.approx(0.736 * 400 * 3600 * 1e6)
    assert 0 < idle < busy / 3
    assert card_energy_uj(card, HOUR_PS // 2, HOUR_PS) == pytest.approx((busy + idle) / 2)


def test_rent_counts_idle_time_too() -> None:
    assert rent_nusd(0.78, HOUR_PS) == 780_000_000
    assert usd_per_million_tokens(780_000_000, 0) is None
    assert usd_per_million_tokens(780_000_000, 126_000) == pytest.approx(6.19, rel=1e-3)


def test_an_own_card_costs_its_purchase_while_idle_and_electricity() -> None:
    card, costs = catalog.gpu("rtx-4090"), catalog.costs()
    year_ps = 365 * 24 * HOUR_PS
    assert purchase_nusd(1599 + 800, 3, 3 * year_ps) == pytest.approx(2399e9, rel=1e-6)
    assert electricity_nusd(3600 * 10**9, 0.128) == 128_000_000, "a kilowatt hour"
    idle, busy = owned_nusd(card, costs, 0, HOUR_PS), owned_nusd(card, costs, HOUR_PS, HOUR_PS)
    assert 0.09e9 < idle < busy < rent_nusd(card.rent_usd_per_hour, HOUR_PS)


def test_a_card_that_nobody_rents_out_costs_what_owning_it_does() -> None:
    card, costs = catalog.gpu("gtx-1050"), catalog.costs()
    assert rent_nusd(card.rent_usd_per_hour, HOUR_PS) == pytest.approx(
        owned_nusd(card, costs, HOUR_PS, HOUR_PS), rel=1e-6
    )


# -- fitting -----------------------------------------------------------------------------------------------------------


def test_the_search_finds_a_minimum() -> None:
    def banana(point: Any) -> float:
        return float((1 - point[0]) ** 2 + 100 * (point[1] - point[0] ** 2) ** 2)

    best, value = minimum(banana, [0.5, 0.8], 400)
    assert best == pytest.approx((1, 1), abs=0.02)
    assert value < 1e-3
