"""What running a factory costs, in integer nano-dollars. A card costs while it idles, too."""

from __future__ import annotations

from engine.catalog.costs import Costs
from engine.catalog.gpu import Gpu
from engine.physics.energy import card_energy_uj
from engine.units import NUSD_PER_USD, PS_PER_S

_PS_PER_HOUR = 3600 * PS_PER_S
_HOURS_PER_YEAR = 365 * 24
_UJ_PER_KWH = 3600 * 10**9


def rent_nusd(usd_per_hour: float, duration_ps: int) -> int:
    """Nano-dollars of renting a card for a time, whether it is busy or idle."""
    return round(usd_per_hour * NUSD_PER_USD) * duration_ps // _PS_PER_HOUR


def purchase_nusd(price_usd: float, years: float, duration_ps: int) -> int:
    """The part of a purchase that a time uses up, when it is written off evenly over `years`."""
    return rent_nusd(price_usd / (years * _HOURS_PER_YEAR), duration_ps)


def electricity_nusd(energy_uj: int, usd_per_kwh: float) -> int:
    """Nano-dollars of an energy."""
    return round(usd_per_kwh * NUSD_PER_USD) * energy_uj // _UJ_PER_KWH


def owned_nusd(gpu: Gpu, costs: Costs, busy_ps: int, total_ps: int) -> int:
    """Nano-dollars of one's own card, with the machine around it, over `total_ps`; busy for `busy_ps` of it."""
    purchase = purchase_nusd((gpu.price_usd or 0.0) + costs.host_usd, costs.years, total_ps)
    return purchase + electricity_nusd(card_energy_uj(gpu, busy_ps, total_ps), costs.electricity_usd_per_kwh)


def usd_per_million_tokens(cost_nusd: int, tokens: int) -> float | None:
    """Dollars per million delivered tokens; None before the first."""
    return cost_nusd / NUSD_PER_USD / tokens * 1e6 if tokens else None
