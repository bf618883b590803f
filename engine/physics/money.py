"""What running a factory costs."""

from __future__ import annotations

from engine.units import NUSD_PER_USD, PS_PER_S

_PS_PER_HOUR = 3600 * PS_PER_S


def rent_nusd(usd_per_hour: float, duration_ps: int) -> int:
    """Nano-dollars of renting a card for a time, whether it is busy or idle."""
    return round(usd_per_hour * NUSD_PER_USD) * duration_ps // _PS_PER_HOUR


def usd_per_million_tokens(cost_nusd: int, tokens: int) -> float | None:
    """Dollars per million delivered tokens; None before the first."""
    return cost_nusd / NUSD_PER_USD / tokens * 1e6 if tokens else None
