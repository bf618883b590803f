"""What a level may declare: names, and how much of everything."""

from __future__ import annotations

from engine.floor.kinds import KINDS
from engine.traffic.trace import MAX_TOKENS
from engine.units import PS_PER_S

MAX_SIDE = 128
MAX_PADS = 64
MAX_DOCKS = 128
MAX_OF_A_KIND = 200
MAX_DRAFT_MODELS = 10
MAX_MODELS = 10
MAX_TENANTS = 5
MAX_GOALS = 20
MAX_PREFIXES = 10_000
MAX_APIS = 10
MAX_END_S = 7200
MAX_REQUESTS = 200_000
"""In a whole run, at all docks together."""
LEAST_INTERVAL_PS = PS_PER_S // 100
MAX_TEXT = 2000
"""Characters of one text."""
DOCKS = ("prompt_dock", "token_dock")
PLACED = tuple(kind for kind in KINDS if kind not in DOCKS)
"""Kinds that a player places."""


def _each(name: str, most: int) -> dict[str, int]:
    """A setting for each tenant, by its index."""
    return {f"{name}_{tenant}": most for tenant in range(MAX_TENANTS)}


SETTINGS: dict[str, dict[str, int]] = {
    "prefill_core": {"max_num_batched_tokens": MAX_TOKENS},
    "decode_core": {"max_num_seqs": 1024, "max_num_batched_tokens": MAX_TOKENS, "max_model_len": MAX_TOKENS},
    "page_allocator": {"block_size": 4096},
    "draft_model": {"num_speculative_tokens": 32, "model": 9},
    "model_server": {
        "max_num_seqs": 1024,
        "max_num_batched_tokens": MAX_TOKENS,
        "model": MAX_MODELS - 1,
        "supply": 1,
    },
    "chunker": {"chunk_tokens": MAX_TOKENS},
    "gateway": {**_each("quota", 60_000), **_each("priority", 3)},
    "router": {"policy": 2, "fallback": 3, **_each("way", 3)},
    "api_port": {"offer": 9},
}
"""The settings of each kind, and the most that they can be; the least is 1 (of those in `FROM_ZERO` it is 0)."""
FROM_ZERO = (
    "model",
    "offer",
    "supply",
    "policy",
    "fallback",
    *_each("quota", 0),
    *_each("priority", 0),
    *_each("way", 0),
)
NEEDED: dict[str, tuple[str, ...]] = {
    "prefill_core": ("max_num_batched_tokens",),
    "decode_core": ("max_num_seqs",),
    "draft_model": ("num_speculative_tokens", "model"),
    "model_server": ("max_num_seqs", "max_num_batched_tokens"),
    "chunker": ("chunk_tokens",),
    "router": ("policy",),
    "api_port": ("offer",),
}
"""What has to be declared where a kind is allowed, or granted."""
OWN_TEXTS = ("level", "tutorial", "question", "hint", "message")
"""A level's own codes begin with one of these and its id: `level.<id>.title`."""


def owns(id: str, code: str) -> bool:
    """Whether a text is a level's own: nobody writes over the words of the game."""
    return any(code.startswith(f"{room}.{id}.") for room in OWN_TEXTS)
