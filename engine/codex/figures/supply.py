"""Who supplies the tokens: an API by the token, or one's own card by the hour."""

from __future__ import annotations

from collections.abc import Callable

from engine import catalog
from engine.catalog.api import Api
from engine.codex.figures.factory import first
from engine.codex.figures.figure import Figure, Of, Value
from engine.floor.machines import ApiPort
from engine.simulation import Simulation
from engine.supply.break_even import OwnedHour
from engine.units import NUSD_PER_USD, PS_PER_S, as_seconds


def _of_api(compute: Callable[[Api], float]) -> Of:
    """Of the offer that the first API Port has; before there is one, of the level's first."""

    def value(simulation: Simulation) -> Value:
        apis, port = simulation.level.apis, first(simulation, "api_port")
        if not apis:
            return None
        return compute(catalog.api(apis[port.offer if isinstance(port, ApiPort) else 0]))

    return value


def _calls(simulation: Simulation) -> int:
    """Calls that the API Ports have open."""
    simulation.settle()
    total = 0
    for machine in simulation.floor.machines.values():
        total += machine.batch_size() if isinstance(machine, ApiPort) else 0
    return total


def _own_usd(busy_share: float) -> Of:
    """An hour of one's own card, the level's first that is sold."""

    def value(simulation: Simulation) -> Value:
        supply = simulation.level.supply
        place = None if supply is None else catalog.place(supply.place)
        usd_per_kwh = catalog.costs().electricity_usd_per_kwh if place is None else place.usd_per_kwh
        for pad in simulation.floor.pads.values():
            if pad.gpu.price_usd is not None:
                return OwnedHour.of(pad.gpu, catalog.costs(), usd_per_kwh).nusd(busy_share) / NUSD_PER_USD
        return None

    return value


FIGURES = {
    "api_usd_in": Figure("usd_per_mtok", _of_api(lambda api: api.nusd_per_token_in / 1e3)),
    "api_usd_out": Figure("usd_per_mtok", _of_api(lambda api: api.nusd_per_token_out / 1e3)),
    "api_ttft_s": Figure("s", _of_api(lambda api: as_seconds(api.ttft_ps))),
    "api_tps": Figure("tokens_per_s", _of_api(lambda api: PS_PER_S / api.tpot_ps)),
    "api_calls": Figure("count", _calls),
    "own_idle_usd": Figure("usd_per_h", _own_usd(0.0)),
    "own_busy_usd": Figure("usd_per_h", _own_usd(1.0)),
}
