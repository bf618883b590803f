"""Units. Inside the engine time is an integer count of picoseconds, memory of bytes, money of nano-dollars."""

from __future__ import annotations

PS_PER_S = 10**12
PS_PER_MS = 10**9
MIB = 2**20
NUSD_PER_USD = 10**9


def seconds(value: float) -> int:
    """Picoseconds of `value` seconds, rounded to the nearest."""
    return round(value * PS_PER_S)


def as_seconds(ps: int) -> float:
    """Seconds of `ps` picoseconds."""
    return ps / PS_PER_S
