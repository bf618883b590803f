"""Usage accounts: what each tenant has asked for and got, and its part of the bill. They add up, to the last token, the
last picosecond of a card and the last nano-dollar.

A card's cost is shared out by its time: a tenant's steps are its own (`engine.metrics.usage`), and what no step uses is
nobody's. An API's tokens are paid by who asked for them.
"""

from __future__ import annotations

from attrs import define

from engine.floor.machines import ApiPort
from engine.floor.machines.core import Core
from engine.metrics.usage import share_out
from engine.simulation import Simulation

NOBODY = -1
"""Whose idle cards are, and requests of levels without tenants."""


@define
class Account:
    """Of one tenant, from the first second of the run, warm-up included."""

    tenant: int
    requests: int = 0
    refused: int = 0
    finished: int = 0
    under_way: int = 0
    """Neither finished nor refused nor lost."""
    prompt_tokens: int = 0
    """Of prompts that were computed, or found in memory."""
    output_tokens: int = 0
    gpu_ps: int = 0
    """Time of cards."""
    nusd: int = 0
    """Nano-dollars."""


def accounts(simulation: Simulation) -> list[Account]:
    """Each tenant's, in the order of the level, and nobody's last."""
    simulation.settle()
    simulation.write()
    found = {tenant: Account(tenant) for tenant in (*range(len(simulation.level.tenants)), NOBODY)}
    for request in simulation.floor.requests.values():
        account = found[request.tenant]
        account.requests += 1
        account.refused += request.refused
        account.finished += request.done
        account.under_way += not (request.refused or request.done or request.lost_ps >= 0)
        account.prompt_tokens += request.prompt_tokens if request.tokens or request.prefill_end_ps >= 0 else 0
        account.output_tokens += request.tokens
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
