"""Usage accounts: what each tenant has asked for and got, and its part of the bill. They add up, to the last token, the
last picosecond of a card and the last nano-dollar.

A card's cost is shared out by its time: a tenant's steps are its own (`engine.metrics.usage`), and what no step uses is
nobody's. An API's tokens are paid by who asked for them.
"""

from __future__ import annotations

from engine.floor.machines import ApiPort
from engine.floor.machines.core import Core
from engine.metrics.tally import Account
from engine.metrics.usage import share_out
from engine.simulation import Simulation

NOBODY = -1
"""Whose idle cards are, and requests of levels without tenants."""


def accounts(simulation: Simulation) -> list[Account]:
    """Each tenant's, in the order of the level, and nobody's last."""
    simulation.settle()
    simulation.write()
    counted = simulation.floor.tally.accounts()
    found = {tenant: counted.get(tenant, Account(tenant)) for tenant in (*range(len(simulation.level.tenants)), NOBODY)}
    _share_cards(simulation, found)
    for machine in simulation.floor.machines.values():
        if isinstance(machine, ApiPort):
            for tenant, nusd in machine.paid_by.items():
                found[tenant].nusd += nusd
    return list(found.values())


def _share_cards(simulation: Simulation, found: dict[int, Account]) -> None:
    for pad, paid in zip(simulation.floor.pads.values(), simulation.bill().pads, strict=True):
        times = dict.fromkeys(found, 0)
        idle = simulation.now
        for machine in simulation.floor.machines.values():
            if isinstance(machine, Core) and machine.pad is pad and machine.stepper.usage is not None:
                for tenant, ps in machine.stepper.usage.by_tenant().items():
                    times[tenant] += ps
                    idle -= ps
        times[NOBODY] += idle
        shares = share_out(paid.total, times) or {NOBODY: paid.total}
        for tenant, ps in times.items():
            found[tenant].gpu_ps += ps
            found[tenant].nusd += shares.get(tenant, 0)
