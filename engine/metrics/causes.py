"""Where the time of a request goes: every picosecond from arrival to the last token has one cause."""

from __future__ import annotations

CAUSES = (
    "queue",
    "prefill",
    "weights",
    "kv",
    "host",
    "others",
    "link",
    "preemption",
    "rejected",
)
"""Waiting for a slot or a card's turn before the first token; computing its prompt; reading weights (or multiplying by
them); reading KV; host, small kernels and all-reduces; standing still while others' prompts are computed or the card is
theirs; on links, and outside at an API; between a preemption and the end of the recompute; the share of a
speculative step that was rejected."""

QUEUE, PREFILL, WEIGHTS, KV, HOST, OTHERS, LINK, PREEMPTION, REJECTED = range(len(CAUSES))


def none() -> list[int]:
    """No time yet."""
    return [0] * len(CAUSES)
