"""Energy, in integer microjoules."""

from __future__ import annotations

from engine.catalog.gpu import Gpu
from engine.units import PS_PER_S

_UJ_PER_J = 10**6


def energy_uj(watts: float, duration_ps: int) -> int:
    """Microjoules of a constant power over a time."""
    return round(watts * _UJ_PER_J) * duration_ps // PS_PER_S


def card_energy_uj(gpu: Gpu, busy_ps: int, total_ps: int) -> int:
    """Microjoules that a card takes in `total_ps`, of which it is busy for `busy_ps`.

    Busy, it draws its average share of peak power, not all of it; idle with a model loaded it draws some too.
    """
    return energy_uj(gpu.busy_watts, busy_ps) + energy_uj(gpu.idle_watts, total_ps - busy_ps)
