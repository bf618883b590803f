"""What a factory would be in production: the `vllm serve` commands that match it, and what it would cost a month."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import catalog
from engine.catalog.read import raw
from engine.floor.pad import Pad
from engine.metrics.report import busy_ps
from engine.physics.energy import card_energy_uj
from engine.physics.money import electricity_nusd, purchase_nusd, rent_nusd, usd_per_million_tokens
from engine.results.vllm import DECODE, PREFILL, SERVER, notes, servers
from engine.simulation import Simulation
from engine.units import NUSD_PER_USD, PS_PER_S

MONTH_PS = 365 * 24 * 3600 * PS_PER_S // 12
_UJ_PER_KWH = 3600 * 10**9


def production(simulation: Simulation) -> dict[str, Any]:
    """{cards: [{gpu, count}], commands: [text], notes: [{code, params}], month}."""
    layout = simulation.site.layout()
    found = servers(simulation.level, layout)
    return {
        "cards": _cards(_used(simulation)),
        "commands": [" ".join(server.words()) for server in found],
        "notes": [{"code": code, "params": params} for code, params in notes(layout, found)],
        "month": month(simulation),
    }


def _used(simulation: Simulation) -> list[Pad]:
    """Cards on which a core works, or a Model Server."""
    pads = simulation.floor.pads.values()
    return [pad for pad in pads if any(simulation.floor.on_pad(pad, kind) for kind in (PREFILL, DECODE, SERVER))]


def _cards(pads: Sequence[Pad]) -> list[dict[str, Any]]:
    counts: dict[str, int] = {}
    for pad in pads:
        counts[pad.gpu.name] = counts.get(pad.gpu.name, 0) + 1
    return [{"gpu": name, "count": count} for name, count in counts.items()]


# -- the bill ---------------------------------------------------------------------------------------------------------


def month(simulation: Simulation) -> dict[str, Any]:
    """A month of this load on the cards that are used, in dollars.

    `rented`: their hourly price, on demand, for the whole month; `listed` is false where nobody rents one of them out
    and what owning it costs stands in. `owned`: a month's part of purchase and host, and electricity as busy as in this
    run; None where a card's price is not known. Nobody's work is in either. `tokens`: what the load of the run delivers
    in a month.
    """
    pads, span = _used(simulation), simulation.now
    tokens = simulation.tokens() * MONTH_PS // span if span else 0
    rent = 0
    for pad in pads:
        rent += rent_nusd(pad.gpu.rent_usd_per_hour, MONTH_PS)
    known = raw("gpus.json")
    rented = {**_usd(rent, tokens), "listed": all("rent_usd_per_hour" in known[pad.gpu.id] for pad in pads)}
    return {"tokens": tokens, "rented": rented, "owned": _owned(simulation, pads, tokens)}


def _owned(simulation: Simulation, pads: Sequence[Pad], tokens: int) -> dict[str, Any] | None:
    if any(pad.gpu.price_usd is None for pad in pads):
        return None
    costs, purchase, energy = catalog.costs(), 0, 0
    for pad in pads:
        busy = busy_ps(simulation, pad) * MONTH_PS // simulation.now if simulation.now else 0
        purchase += purchase_nusd((pad.gpu.price_usd or 0.0) + costs.host_usd, costs.years, MONTH_PS)
        energy += card_energy_uj(pad.gpu, busy, MONTH_PS)
    electricity = electricity_nusd(energy, costs.electricity_usd_per_kwh)
    return {
        **_usd(purchase + electricity, tokens),
        "purchase_usd": purchase / NUSD_PER_USD,
        "electricity_usd": electricity / NUSD_PER_USD,
        "kwh": energy / _UJ_PER_KWH,
        "usd_per_kwh": costs.electricity_usd_per_kwh,
        "years": costs.years,
    }


def _usd(nusd: int, tokens: int) -> dict[str, Any]:
    return {"usd": nusd / NUSD_PER_USD, "usd_per_mtok": usd_per_million_tokens(nusd, tokens)}
