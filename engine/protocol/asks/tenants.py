"""Questions about the tenants of a shared server: how each is served, and what it has used."""

from __future__ import annotations

from typing import Any

from engine.metrics.tenants import NOBODY, accounts
from engine.protocol.asks.question import Nothing, Question
from engine.simulation import Simulation


def tenants_data(simulation: Simulation) -> dict[str, Any]:
    """Each tenant's share on time since the warm-up, and its account since the start; what nobody used stands apart."""
    rows, idle = [], {"gpu_ps": 0, "nusd": 0}
    found = accounts(simulation)
    on_time = simulation.floor.ledger.on_time(simulation.now)
    for account in found:
        if account.tenant == NOBODY:
            idle = {"gpu_ps": account.gpu_ps, "nusd": account.nusd}
            continue
        id = simulation.level.tenants[account.tenant].id
        rows.append(
            {
                "id": id,
                "on_time": on_time[id],
                "requests": account.requests,
                "waiting": account.waiting,
                "under_way": account.under_way,
                "finished": account.finished,
                "refused": account.refused,
                "prompt_tokens": account.prompt_tokens,
                "output_tokens": account.output_tokens,
                "gpu_ps": account.gpu_ps,
                "nusd": account.nusd,
            }
        )
    return {"tenants": rows, "idle": idle}


QUESTIONS: dict[str, Question] = {"tenants": (Nothing, lambda simulation, _: tenants_data(simulation))}
