"""What limits a machine now: what binds its step, or what it waits for."""

from __future__ import annotations

from engine.floor.machines.base import BLOCKED, BROKEN, CRASHED, IDLE, UNCONNECTED, WAITING_MEMORY, WAITING_PAD, Machine

LIMITS = ("none", "compute", "bandwidth", "memory", "input", "output", "card", "unconnected")
"""Nothing; arithmetic; reading weights and KV; room for KV (or it ran out of memory); nothing to do; nobody takes what
it has finished; another machine has the card; no belt leads to it, or on from it.
"""
NONE, COMPUTE, BANDWIDTH, MEMORY, INPUT, OUTPUT, CARD, ALONE = LIMITS
_WAITS = {
    IDLE: INPUT,
    WAITING_PAD: CARD,
    WAITING_MEMORY: MEMORY,
    CRASHED: MEMORY,
    BLOCKED: OUTPUT,
    UNCONNECTED: ALONE,
    BROKEN: NONE,
}
_NEVER_STARVED = (
    "prompt_dock",
    "token_dock",
    "validation_gate",
    "page_allocator",
    "batcher",
    "chunker",
    "prefix_cache",
    "gateway",
    "router",
)
"""Kinds that only pass on or hand out: to have nothing to do limits nobody."""


def limit_of(machine: Machine, status: str) -> str:
    """One of the limits above; `status` is the machine's own, so that nobody asks for it twice."""
    limit = _WAITS.get(status)
    if limit is None:
        return machine.limit()
    return NONE if limit == INPUT and machine.stand.kind.name in _NEVER_STARVED else limit
