"""Several tenants on the same cards: prefixes that are kept once, who is let in, and who is served in time."""

from __future__ import annotations

from engine.codex.figures.factory import first
from engine.codex.figures.figure import Figure
from engine.floor.machines import Gateway
from engine.memory.shared import SharedPool
from engine.metrics.fairness import jain
from engine.metrics.tenants import NOBODY, accounts
from engine.simulation import Simulation


def _shared_pools(simulation: Simulation) -> list[SharedPool]:
    simulation.settle()
    return [pad.pool for pad in simulation.floor.pads.values() if isinstance(pad.pool, SharedPool)]


def _prefix_hits(simulation: Simulation) -> float:
    """Of the prompts' tokens, those whose KV was there."""
    asked = found = 0
    for pool in _shared_pools(simulation):
        asked += pool.asked
        found += pool.found
    return 100 * found / asked if asked else 0.0


def _prefix_blocks(simulation: Simulation) -> int:
    blocks = 0
    for pool in _shared_pools(simulation):
        blocks += len(pool.references)
    return blocks


def _let_in(simulation: Simulation) -> int:
    """Requests that wait in Gateways."""
    waiting = 0
    for machine in simulation.floor.machines.values():
        waiting += machine.queue_length() if isinstance(machine, Gateway) else 0
    return waiting


def _ways(simulation: Simulation) -> int:
    router = first(simulation, "router")
    return 0 if router is None else len(router.outputs)


def _idle_share(simulation: Simulation) -> float:
    """Of the cards' time, what no tenant's step has used."""
    used, cards = 0, len(simulation.floor.pads)
    for account in accounts(simulation):
        used += account.gpu_ps if account.tenant != NOBODY else 0
    return 100 * (1 - used / (simulation.now * cards)) if simulation.now else 100.0


FIGURES = {
    "prefix_hits": Figure("percent", _prefix_hits),
    "prefix_blocks": Figure("count", _prefix_blocks),
    "tenants": Figure("count", lambda simulation: len(simulation.level.tenants)),
    "refused": Figure("count", lambda simulation: simulation.score().refused),
    "let_in": Figure("count", _let_in),
    "fairness": Figure("ratio", lambda simulation: jain(simulation.score().shares) or 0.0),
    "least_on_time": Figure("percent", lambda simulation: 100 * min(simulation.score().shares, default=0.0)),
    "ways": Figure("count", _ways),
    "idle_share": Figure("percent", _idle_share),
}
