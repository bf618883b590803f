"""Money: what a card is worth by the token, and what the game leaves out of it."""

from __future__ import annotations

from collections.abc import Sequence

from engine import catalog
from engine.fidelity.table import Row, Section, percent, share
from engine.level.load import load
from engine.physics.roofline import Deployment
from engine.serving.settings import Settings, deploy
from engine.supply.capacity import Work, capacity
from engine.supply.compare import compare
from engine.traffic.day import DayTraffic
from engine.units import PS_PER_S

_MEASURED_TPS = 1_066.4
"""Output tokens a second of vLLM 0.19 with Llama-3.1-8B on a saturated RTX 4090 (first table of the page)."""
_TASK = Work.of_mean(857, 652)
_WITHIN = Work.of_mean(857, 652, ttft_s=2)


def _worth() -> Sequence[Row]:
    full, fp8, rows = "llama-3.1-8b", "llama-3.1-8b-fp8", list[Row]()
    cases = ((full, "no deadline", _TASK), (full, "first token within 2 s", _WITHIN), (fp8, "the same in FP8", _WITHIN))
    for model, label, work in cases:
        deployment = deploy("rtx-4090", model)
        found = compare(deployment, work, list(catalog.apis().values()), catalog.costs().electricity_usd_per_kwh)
        usd = found["usd_per_hour"]
        for offer in found["offers"]:
            even = offer["break_even"]
            rows.append(
                (
                    f"{catalog.api(offer['api']).name}, {label}",
                    f"{found['output_tokens_per_s']:,.0f} tokens/s",
                    f"${offer['usd_per_hour']:.2f}",
                    f"{_from(even['owned'])} (${usd['owned']:.2f})",
                    f"{_from(even['rented'])} (${usd['rented']:.2f})",
                )
            )
    return rows


def _from(utilisation: float | None) -> str:
    return "never" if utilisation is None else f"from {share(utilisation)}"


def _rules() -> Sequence[Row]:
    saturated = capacity(deploy("rtx-4090", "llama-3.1-8b"), Settings(), _TASK).flow.output_tokens / 3600
    card = catalog.gpu("rtx-4090")
    full, four = (Deployment(card, catalog.model(id)) for id in ("llama-3.1-8b", "llama-3.1-8b-w4a16"))
    faster = {batch: full.decode(batch).base_ps / four.decode(batch).base_ps for batch in (1, 16, 64, 256)}
    summaries = catalog.benchmark("tldr9")
    costs = catalog.costs()
    day = load("8").tenants[0].traffic
    assert isinstance(day, DayTraffic)
    tasks, times = 24 * 3600 * PS_PER_S // day.interval_ps, 3600 // day.hour_s
    return [
        (
            "What a card can do is found with lengths and arrivals drawn by chance",
            "every workload has its own",
            f"an RTX 4090 without a deadline: {saturated:,.0f} tokens/s, measured {_MEASURED_TPS:,.0f} with that run's "
            f"own lengths ({percent(saturated, _MEASURED_TPS)})",
            "`python -m engine bill --ttft 0`",
        ),
        (
            "An API's first token comes after the same time, the others at the same pace, however many ask",
            "providers limit requests per minute and slow down when many ask",
            "a request of 4 s at night took 9 s in the morning; speeds of the four offers are secondary or unverified",
            "tianpan.co (secondary); `python -m engine catalog apis`",
        ),
        (
            "An API's prices are those of late 2026",
            "prices move, often downwards",
            "as price aggregators list them",
            "`python -m engine catalog apis`",
        ),
        (
            "An own card is looked after for two hours a month",
            "some run by themselves, some need a person",
            f"${costs.management_usd_per_hour:.2f} an hour, more than purchase and electricity together: unverified",
            "`python -m engine catalog costs`",
        ),
        (
            "An answer counts if the published score of its model reaches what its task needs",
            "models fail by the answer, and scores depend on how they are asked for",
            f"TLDR9+: {summaries.score('llama-3.2-3b')} of a 3B model, {summaries.score('llama-3.1-8b')} of an 8B one; "
            "scores of quantised models are computed from what their cards say they keep",
            "`python -m engine catalog benchmarks`",
        ),
        (
            "4-bit weights (w4a16) are widened for nothing",
            "MARLIN's kernels are near four times as fast up to batches of 16 to 32, then fall behind",
            "a decode step without KV is "
            + ", ".join(f"{times:.1f} times as fast at batch {batch}" for batch, times in faster.items()),
            "Frantar et al., MARLIN, 2024 (secondary)",
        ),
        (
            "FP8 multiplies at the datasheet's rate, as far short of it as 16 bits are",
            "FP8 kernels reach a smaller share, and activations have to be scaled",
            "not known on these cards",
            "not measured",
        ),
        (
            f"An hour of level 8's day lasts {day.hour_s} s, at the rate of the true hour; its shape is ours",
            "a day has 86,400 s; latency trackers see the rush of weekdays from eight to two",
            f"a run has one in {times} of the day's {tasks:,} tasks: what one costs is the day's, the bill of the day "
            f"{times} times the run's; what a queue carries into the next hour weighs so much more",
            "a rule of the game; tianpan.co (secondary)",
        ),
        (
            "A card is bought or rented when something stands on it, to the second",
            "machines take days to buy and minutes to start; clouds bill by the second or by the hour",
            "kinder than reality",
            "a rule of the game",
        ),
    ]


SECTIONS = (
    Section(
        id="worth",
        title="What a card is worth by the token",
        header=("Offer", "the card gives", "the offer asks an hour", "an own card beats it", "a rented one"),
        rows=_worth,
        text="Llama-3.1-8B on an RTX 4090, 857 tokens in and 652 out on average, as in the measured run; in 16 bits "
        "where nothing else is said. Per cent: the share of this load from which on the card costs no more than the "
        "offer; in brackets what its hour costs at full load.",
        commands=["python -m engine bill"],
    ),
    Section(
        id="supply",
        title="Simplified: who supplies the tokens",
        header=("In the game", "In reality", "By how much", "Source"),
        rows=_rules,
    ),
)
