"""How far the rules of the game are from what was measured: figures of `docs/fidelity.md`, which the engine computes in
minutes and the player reads at once. A test holds them to that page.
"""

from __future__ import annotations

from attrs import field, frozen

Numbers = dict[str, tuple[float, str]]


@frozen
class Distance:
    """A row of the page: its text is `distance.NAME`, with numbers (how far off, without sign) and their units."""

    row: str
    """How the row of the page begins."""
    numbers: Numbers = field(factory=dict)


def _both(rtx_4090: float, rtx_pro_6000: float) -> Numbers:
    return {"first": (rtx_4090, "percent"), "second": (rtx_pro_6000, "percent")}


DISTANCES: dict[str, Distance] = {
    "ttft": Distance("TTFT mean", _both(0.6, 0.2)),
    "tpot": Distance("TPOT mean", _both(2.0, 1.1)),
    "throughput": Distance("Throughput", _both(1.2, 0.1)),
    "prefill": Distance("prefill, all-reduces as measured", {"error": (4.3, "percent"), "rows": (25, "count")}),
    "decode": Distance("decode, all-reduces as measured", {"error": (4.0, "percent"), "rows": (75, "count")}),
    "datasheet": Distance("decode, by the datasheet alone", {"error": (27.8, "percent")}),
    "kv_bytes": Distance("KV bytes per token", {"models": (12, "count")}),
    "blocks": Distance("KV blocks of 16 that fit", {"error": (0.0, "percent"), "blocks": (2588, "count")}),
    "pages": Distance("vLLM, pages", {"batched": (12.6, "percent"), "tokens": (0.6, "points")}),
    "reservations": Distance("Orca (Max)", {"tokens": (0.4, "points"), "external": (0.2, "points")}),
    "saving": Distance("Pages take what a sequence has", {"saving": (40.7, "percent")}),
    "kernel": Distance("Attention over pages", {"low": (4.5, "percent"), "high": (5.8, "percent")}),
    "admission": Distance("Pages take a sequence in only if 5 %", {"reserve": (5, "percent")}),
    "preemption": Distance("Preemption drops KV", {"recompute": (96, "ms"), "swap": (5.2, "ms")}),
    "tokens_per_step": Distance(
        "Tokens per step, level 3 with 5 draft tokens, chance 0.8", {"error": (0.5, "percent")}
    ),
    "reported": Distance("Accepted of drafted, chance 0.8", {"error": (0.7, "percent")}),
    "best_guesses": Distance("Best number of draft tokens", {"rows": (8, "count")}),
    "acceptance": Distance(
        "Level 3 accepts .8",
        {"low": (115, "tokens_per_s"), "mid": (143, "tokens_per_s"), "high": (182, "tokens_per_s")},
    ),
    "tile": Distance("A tile of belt takes its hop", {"tile": (29, "ms")}),
    "handoff": Distance("A hand-off begins when", {"wire": (0.93, "s")}),
    "arrivals": Distance("Requests arrive evenly", {"here": (0.07, "ratio"), "chat": (1.06, "ratio")}),
    "clock": Distance("Time begins when", {"low": (23, "ms"), "high": (30, "ms")}),
    "power": Distance("A busy card draws", {"busy": (74, "percent"), "idle": (15, "percent")}),
    "owned": Distance("An own card costs", {"hour": (0.13, "usd_per_h"), "work": (0.16, "usd_per_h")}),
    "worth": Distance(
        "Together, Llama-3.1-8B Turbo, first token within 2 s", {"own": (20, "percent"), "rented": (41, "percent")}
    ),
    "api": Distance("An API's first token comes", {"night": (4, "s"), "morning": (9, "s")}),
    "quality": Distance("An answer counts if", {"small": (19.0, "points"), "large": (17.2, "points")}),
    "four_bits": Distance("4-bit weights (w4a16) are widened", {"alone": (2.9, "ratio"), "many": (1.1, "ratio")}),
    "sharing": Distance("A shared prefix of 80", {"short": (1.86, "ratio")}),
    "sharing_long": Distance("A shared prefix of 341", {"long": (3.3, "ratio")}),
    "quota": Distance("A Gateway's bucket holds", {"seconds": (10, "s")}),
    "ageing": Distance("A step of priority is worth", {"seconds": (10, "s")}),
    "knows": Distance("A Gateway and a Router know"),
    "accounts": Distance("A tenant pays for its share"),
    "static": Distance("Continuous, in pages, prompts in chunks", {"error": (1.0, "percent")}),
    "chunks": Distance("Steps of 512 tokens", {"ours": (68, "ms"), "theirs": (83, "ms")}),
    "loading": Distance("A Model Server serves at once", {"best": (0.5, "s"), "disk": (32, "s")}),
    "turns": Distance("Machines on a card take turns"),
    "draft_card": Distance("A Draft Model works on"),
}
