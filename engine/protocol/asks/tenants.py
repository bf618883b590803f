"""Questions about the tenants of a shared server: how each is served, and what it has used."""

from __future__ import annotations

from typing import Any

from engine.metrics.tenants import NOBODY, accounts
from engine.protocol.asks.question import Nothing, Question
from engine.simulation import Simulation


def tenants_data(simulation: Simulation) -> dict[str, Any]:
    """Each tenant's share on time since the warm-up, and its account since the start; what nobody used stands apart."""
    score = simulation.score()
    waiting: dict[int, int] = {}
    for request in simulation.floor.requests.values():
        over = request.done or request.refused or request.lost_ps >= 0
        waiting[request.tenant] = waiting.get(request.tenant, 0) + (not over and request.tokens == 0)
    rows, idle = [], {"gpu_ps": 0, "nusd": 0}
    for account in accounts(simulation):
        if account.tenant == NOBODY:
            idle = {"gpu_ps": account.gpu_ps, "nusd": account.nusd}
            continue
        id = simulation.level.tenants[account.tenant].id
        rows.append(
            {
                "id": id,
                "on_time": score.tenants[id].on_time,
                "requests": account.requests,
                "waiting": waiting.get(account.tenant, 0),
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
