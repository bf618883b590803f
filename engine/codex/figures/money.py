"""Money and power."""

from __future__ import annotations

from engine.codex.figures.figure import Figure
from engine.metrics import report
from engine.physics.money import usd_per_million_tokens
from engine.simulation import Simulation
from engine.units import as_seconds


def _rent(simulation: Simulation) -> float:
    total = 0.0
    for pad in simulation.floor.pads.values():
        total += pad.gpu.rent_usd_per_hour
    return total


def _usd_per_mtok(simulation: Simulation) -> float | None:
    return usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens())


def _watts(simulation: Simulation) -> float | None:
    if not simulation.now:
        return None
    joules: float = report.energy(simulation)["total_j"]
    return joules / as_seconds(simulation.now)


def _joules(simulation: Simulation) -> float | None:
    found: float | None = report.energy(simulation)["j_per_token"]
    return found


FIGURES = {
    "rent": Figure("usd_per_h", _rent),
    "rent_one": Figure("usd_per_h", lambda simulation: simulation.floor.pads[0].gpu.rent_usd_per_hour),
    "usd_per_mtok": Figure("usd_per_mtok", _usd_per_mtok),
    "watts": Figure("w", _watts),
    "j_per_token": Figure("j_per_token", _joules),
}
