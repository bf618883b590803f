"""Traffic, declared: how often requests come, and how long they are."""

from __future__ import annotations

from attrs import frozen


@frozen
class Lengths:
    """Token counts spread evenly over `low..high` (both included)."""

    low: int
    high: int


@frozen
class Traffic:
    """One request every `interval_ps`, moved by up to `jitter_ps` either way."""

    interval_ps: int
    jitter_ps: int
    prompt: Lengths
    output: Lengths
