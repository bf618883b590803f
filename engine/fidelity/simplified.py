"""What the game does otherwise than reality, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import evolve

from engine import catalog
from engine.catalog.gpu import Gpu
from engine.fidelity import data
from engine.fidelity.speculation import level_3
from engine.fidelity.table import Row, Section, share
from engine.floor.belt import latency_ps
from engine.floor.layout import layout_from_data
from engine.floor.machines.gateway import AGEING_S, BURST_S
from engine.level.load import load
from engine.level.spec import Level
from engine.metrics.memory import MemoryBook
from engine.metrics.report import report
from engine.physics.kv_cache import kv_bytes_per_token, layer_kv_bytes
from engine.physics.roofline import Deployment
from engine.protocol.play import play
from engine.protocol.trail import SHOWN_PS
from engine.units import PS_PER_MS, PS_PER_S, as_seconds

CONVERSATION, CODE = "traces/azure_2023_conv_first5000.csv", "traces/azure_2023_code_first5000.csv"
_SEEDS = range(1, 21)
_MEASURED_CARDS = ("rtx-4090", "rtx-pro-6000", "a100-80gb")
_SLOWER_KERNEL = (0.20, 0.26)
"""How much slower than contiguous attention the paper found PagedAttention's kernel."""
_SWAP_BYTES_PER_S = 25e9


def _passes(admission_reserve: float) -> int:
    """On how many seeds level 2's reference layout meets its goals with such a reserve."""
    level = evolve(load("2"), admission_reserve=admission_reserve)
    return sum(play(level, seed, layout_from_data(level.reference)).passed for seed in _SEEDS)


def played(number: str) -> dict[str, Any]:
    """The report of a level's reference layout with seed 1."""
    level, memory = load(number), MemoryBook()
    return report(play(level, 1, layout_from_data(level.reference), look=memory.look), memory)


def evenness(arrivals_s: Sequence[float]) -> float:
    """The standard deviation of the gaps between arrivals, over their mean."""
    gaps = np.diff(np.asarray(arrivals_s, dtype=np.float64))
    return float(gaps.std() / gaps.mean())


def _arrivals_s(number: str) -> list[float]:
    level = load(number)
    simulation = play(level, 1, layout_from_data(level.reference))
    return [as_seconds(request.arrival_ps) for request in simulation.floor.requests.values()]


def _trace_s(name: str) -> list[float]:
    return [float(row["arrived_at_s"]) for row in data.rows(name)]


def _pace() -> list[Row]:
    level = load("1")
    link, model = catalog.link(level.link), catalog.model(level.model)
    prompt = level.offered.prompt.high
    chunk = layer_kv_bytes(model, prompt)
    tile_ms = latency_ps(link, 1, 0, chunk) / PS_PER_MS
    hop_ms = link.ps_per_tile / PS_PER_MS
    wire_s = link.wire_ps(kv_bytes_per_token(model) * prompt) / PS_PER_S
    fall = played("1")["waterfall"]
    link_share = fall["total_ps"]["link"] / fall["e2e_total_ps"]
    slower = SHOWN_PS / link.ps_per_tile
    return [
        (
            "A tile of belt takes its hop and stores one layer's KV",
            "a cable costs microseconds, whatever its length on such a floor",
            f"{hop_ms:g} ms a tile, {tile_ms:.0f} ms for a hand-off of {prompt:,} tokens in level 1; "
            f"{share(link_share)} of a request's time there is on links",
            "a rule of the game",
        ),
        (
            "A hand-off begins when the whole prompt is through, and the Decode Core makes the first token",
            "servers can send layer by layer while a prompt is computed; the prefill side may give the first token",
            f"up to the {wire_s:.2f} s that level 1's hand-off keeps its wire busy, all of it in TTFT",
            "computed",
        ),
        (
            "What is sent at the same time shares a link's bandwidth evenly; no loss, no jitter, no other traffic",
            "links are shared with others, and retries happen",
            "not known",
            "not measured",
        ),
        (
            "Packets are drawn slower than they are",
            "nobody could see them",
            f"{SHOWN_PS / PS_PER_S:g} s a tile at least: {slower:,.0f} times slower for a token; the picture only",
            "engine/protocol/trail.py",
        ),
        (
            "Requests arrive evenly with jitter, lengths come from a shuffled deck",
            "arrivals come in bursts, lengths have long tails",
            f"deviation of the gaps over their mean: {evenness(_arrivals_s('1')):.2f} in level 1; "
            f"{evenness(_trace_s(CONVERSATION)):.2f} for conversation and {evenness(_trace_s(CODE)):.2f} for code; "
            "Poisson has 1",
            "Azure LLM inference traces 2023 (CC-BY-4.0, Microsoft; Splitwise, ISCA 2024)",
        ),
    ]


def _shares() -> tuple[list[float], list[float]]:
    """The least and the largest shares of bandwidth and of arithmetic that measured cards reach."""
    cards = [catalog.gpu(id) for id in _MEASURED_CARDS]
    bandwidth = sorted(card.bandwidth_efficiency for card in cards)
    compute = sorted(card.compute_efficiency for card in cards)
    return [bandwidth[0], bandwidth[-1]], [compute[0], compute[-1]]


def _step_changes(gpu: Gpu, level: Level) -> tuple[str, str]:
    """How far a decode step and a prefill move when the card's two shares go through those of measured cards."""
    model = catalog.model(level.model)
    prompt, context = level.offered.prompt.high, level.offered.prompt.high + level.offered.output.high // 2
    base = Deployment(gpu, model)
    decode = [
        Deployment(evolve(gpu, bandwidth_efficiency=part), model).decode(1).steps_ps(1, context, 1)
        / base.decode(1).steps_ps(1, context, 1)
        for part in _shares()[0]
    ]
    prefill = [
        Deployment(evolve(gpu, compute_efficiency=part), model).prefill([prompt]).step_ps
        / base.prefill([prompt]).step_ps
        for part in _shares()[1]
    ]
    return _change(decode), _change(prefill)


def _change(factors: list[float]) -> str:
    return " to ".join(f"{(factor - 1) * 100:+.0f} %" for factor in factors)


def _cards() -> list[Row]:
    lines: list[Row] = []
    bandwidth, compute = _shares()
    for number in ("1", "2"):
        level = load(number)
        gpu = catalog.gpu(level.pads[0].gpu)
        decode, prefill = _step_changes(gpu, level)
        lines.append(
            (
                f"Level {number}'s {gpu.name}: {gpu.bandwidth_efficiency:g} of its bandwidth, "
                f"{gpu.compute_efficiency:g} of its arithmetic, {gpu.overhead_bytes / 2**20:,.0f} MiB of overhead",
                "not measured: assumed",
                f"a decode step moves by {decode} with the shares of bandwidth that measured cards reach "
                f"({bandwidth[0]:g} to {bandwidth[1]:g}), a prefill by {prefill} with those of arithmetic "
                f"({compute[0]:g} to {compute[1]:g})",
                "`python -m engine catalog gpus` names each figure's source",
            )
        )
    lines.append(
        (
            "4-bit and 8-bit weights cost their bytes",
            "they have to be unpacked, and multiply at another speed",
            "not known on these cards",
            "not measured",
        )
    )
    lines.append(
        (
            "Machines on a card take turns, a whole step each, and share one copy of the weights",
            "kernels of two processes may overlap, and each would hold its own weights",
            "not known",
            "not measured",
        )
    )
    slow, fast = (f"{level_3(acceptance)[0]:.0f}" for acceptance in (0.7, 0.9))
    lines.append(
        (
            "Level 3 accepts .8 of its drafts' tokens, each for itself",
            "that of Llama-3.1-8B with Llama-3.2-1B on code was not measured; about .82 for code and .62 for writing "
            "with another kind of draft",
            f"{slow} tokens per second and user at .7, {level_3(0.8)[0]:.0f} at .8, {fast} at .9",
            "vllm-project/speculators 1135 (secondary)",
        )
    )
    lines.append(
        (
            "A Draft Model works on the Decode Core's card or on one where no core works; its passes are part of the "
            "Decode Core's steps",
            "a draft server on another card has a queue of its own",
            "contention there is left out, and that card does not show as busy",
            "a rule of the game",
        )
    )
    return lines


def _memory() -> list[Row]:
    told, card = played("2"), catalog.gpu("rtx-4090")
    reserve = load("2").admission_reserve
    total = told["waterfall"]["total_ps"]
    kv = total["kv"] / (total["weights"] + total["kv"] + total["host"])
    slower = " to ".join(f"{kv * more * 100:.1f}" for more in _SLOWER_KERNEL)
    model = catalog.model("llama-3.1-8b")
    recompute_ms = Deployment(card, model).prefill([1000]).step_ps / PS_PER_MS
    swap_ms = kv_bytes_per_token(model) * 1000 / _SWAP_BYTES_PER_S * 1e3
    saving, longest = told["kv"]["saving"], told["kv"]["max_model_len"]
    return [
        (
            "Pages take what a sequence has, reservations the longest length",
            "so do servers",
            f"in level 2 {saving * 100:.1f} % less than {longest:,} tokens a sequence, by its lengths alone",
            "`python -m engine run 2`",
        ),
        (
            "Attention over pages is as fast as over one piece",
            "the paper's kernel was 20 to 26 % slower",
            f"{slower} % of a decode step of level 2, where KV is {share(kv)} of it",
            "Kwon et al., SOSP 2023, section 7.1",
        ),
        (
            f"Pages take a sequence in only if {share(reserve)} of them stays free, for those that grow",
            "vLLM v1 takes sequences in while blocks last",
            f"level 2's reference meets its goals on {_passes(reserve)} of {len(_SEEDS)} seeds; without this rule on "
            f"{_passes(0.0)}",
            "a rule of the game",
        ),
        (
            "Level 1 reserves a sequence's true length, and a hand-off waits until there is so much",
            "nobody knows the length of an answer before; a server without pages fails",
            "kinder than reality; level 2 is about it",
            "a rule of the game",
        ),
        (
            "Preemption drops KV and computes it anew",
            "vLLM v1 does the same; others may swap it out",
            f"on an RTX 4090 {recompute_ms:.0f} ms for 1,000 tokens; a swap in at 25 GB/s would take {swap_ms:.1f} ms",
            "computed",
        ),
        (
            "Without a Prefix Cache only a preempted sequence finds KV again that nobody has overwritten",
            "vLLM shares prefixes among requests unless told not to",
            "left out in levels without one: see Shared beginnings",
            "Kwon et al., SOSP 2023, section 6.4",
        ),
        (
            "A Prefix Cache shares the beginning that a tenant's prompts have in common",
            "servers find any blocks that begin alike again, earlier turns of a conversation too",
            "more is found in reality: 34 % of the prompts of the trace above",
            "vLLM, automatic prefix caching",
        ),
        (
            "A core that ran out of memory starts again at once",
            "a server loads its weights first",
            f"{catalog.model('llama-3.2-3b-q4-k-m').weight_bytes / 1e9:.2f} GB in level 2",
            "a rule of the game",
        ),
    ]


def _work() -> list[Row]:
    costs, card = catalog.costs(), catalog.gpu("rtx-4090")
    eager, vllm = catalog.host("eager-2023"), catalog.host("vllm-0.19")
    owned = costs.owned_usd_per_hour(card.price_usd or 0.0, card.peak_watts)
    return [
        (
            "Time begins when the engine has a request",
            "web server, tokeniser and network come before",
            "23 to 30 ms in the two runs above",
            "difference of the runs' two clocks",
        ),
        (
            "Host time is a constant per step and per sequence, that of vLLM 0.19 on its measured hosts",
            "it depends on processor, server and version",
            f"an eager server of 2023 takes {eager.host_s_per_step * 1e3:g} ms a step where this one takes "
            f"{vllm.host_s_per_step * 1e3:g} (`python -m engine catalog hosts`)",
            "the runs above; Splitwise, ISCA 2024",
        ),
        (
            "Small all-reduces take one latency of 10 us a link",
            "7 us by a kernel of their own, 24 us by NCCL on PCIe 5",
            "see the rows with our link's all-reduces above",
            "voipmonitor/rtx6kpro (secondary)",
        ),
        (
            f"A busy card draws {share(costs.busy_power_share)} of peak power, "
            f"an idle one {share(costs.idle_power_share)}",
            "power follows the load, clocks follow heat",
            "one measured share for all cards: that of A100s serving Llama-2-70B; the idle share is secondary",
            "Splitwise, ISCA 2024; `python -m engine catalog costs`",
        ),
        (
            "An own card costs its purchase, a host and electricity",
            "people, rooms and networks cost too; prices move",
            f"an RTX 4090 ${owned:.2f} an hour here; two hours of work a month at $60 would add "
            f"${2 * 60 / (365 * 24 / 12):.2f}. Electricity at ${costs.electricity_usd_per_kwh:g} a kWh; $.162 in the "
            "Middle Atlantic",
            "`python -m engine catalog costs`",
        ),
        (
            "A card that nobody rents out costs what owning it does",
            "there is no such price",
            "level 2's cards; its report says so (`listed`)",
            "a rule of the game",
        ),
    ]


def _shared() -> list[Row]:
    return [
        (
            f"A Gateway's bucket holds what comes in {BURST_S} seconds; what it refuses is lost",
            "limits are stated per minute, in requests and tokens; clients try again later",
            "a burst of more is cut; nobody asks twice",
            "a rule of the game",
        ),
        (
            f"A step of priority is worth {AGEING_S} seconds of waiting",
            "vLLM's priorities have no ageing: the low ones may starve",
            f"nobody is overtaken by what comes more than {3 * AGEING_S} seconds later",
            "a rule of the game",
        ),
        (
            "A Gateway and a Router know at once what each server has to do",
            "they are told every second or so, or count what they have sent",
            "two servers are kept more even than they would be",
            "not measured",
        ),
        (
            "Level 6 draws the lengths of its prompts and answers as they were measured, each for itself",
            "long prompts and long answers go together or not, as the application is",
            "its rates, bursts, deadlines and documents are ours",
            "Azure LLM inference traces 2023 (CC-BY-4.0, Microsoft; Splitwise, ISCA 2024)",
        ),
        (
            "A tenant pays for its share of the tokens in each step",
            "a step's time goes into weights, arithmetic and KV, and tenants use them unevenly",
            "accounts add up; who has long contexts pays a little less than it costs",
            "a rule of the game",
        ),
    ]


_HEADER = ("In the game", "In reality", "By how much", "Source")
SECTIONS = (
    Section(
        id="belts",
        title="Simplified: belts and requests",
        header=_HEADER,
        rows=_pace,
        data=(CONVERSATION, CODE),
    ),
    Section(id="cards", title="Simplified: cards and drafts", header=_HEADER, rows=_cards),
    Section(id="kv", title="Simplified: memory", header=_HEADER, rows=_memory),
    Section(id="tenants", title="Simplified: a shared server", header=_HEADER, rows=_shared),
    Section(id="rest", title="Simplified: hosts, power and money", header=_HEADER, rows=_work),
)
