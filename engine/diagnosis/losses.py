"""What became of requests that were not answered in time, and of money: refused, waited too long, answered too slowly;
spent on an API, or on cards that did nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from engine.floor.machines import ApiPort
from engine.metrics.deadlines import Terms
from engine.metrics.tenants import NOBODY, accounts
from engine.simulation import Simulation
from engine.traffic.request import Request
from engine.units import PS_PER_S

RECENT_PS = 60 * PS_PER_S
"""A run under way is judged by what has come since so long."""


@define
class Losses:
    """Of one tenant's requests, or of all."""

    requests: int = 0
    refused: int = 0
    waited: int = 0
    """Late, most of all for what came before the first token."""
    slow: int = 0
    """Late, though the first token came soon."""
    slow_ps: int = 0
    """What those took for their tokens after the first ..."""
    slow_tokens: int = 0
    """... and how many these are."""

    @property
    def missed(self) -> int:
        """Requests that were not answered in time."""
        return self.refused + self.waited + self.slow

    def count(self, request: Request, terms: Terms, now: int) -> None:
        """One more request."""
        self.requests += 1
        if request.refused:
            self.refused += 1
            return
        due = terms.due_ps(request)
        if terms.met_by(request) or (not request.done and (due < 0 or now < due)):
            return
        first = request.first_token_ps if request.first_token_ps >= 0 else now
        end = request.last_token_ps if request.done else now
        before, after = first - request.arrival_ps, end - first
        if request.tokens > 1 and after > before and not (terms.ttft_ps and before > terms.ttft_ps):
            self.slow += 1
            self.slow_ps += after
            self.slow_tokens += request.tokens - 1
        else:
            self.waited += 1


@define
class Spent:
    """Nano-dollars of a whole run."""

    total: int = 0
    api: int = 0
    idle: int = 0
    """For cards, while they did nothing."""


def losses(simulation: Simulation, from_ps: int) -> list[Losses]:
    """Each tenant's, of the requests that have come since then."""
    level, now = simulation.level, simulation.now
    found = [Losses() for _ in level.tenants]
    terms = [Terms.of(tenant, level.model) for tenant in level.tenants]
    for request in reversed(simulation.floor.requests.values()):
        if request.arrival_ps < from_ps:
            break
        if 0 <= request.tenant < len(found):
            found[request.tenant].count(request, terms[request.tenant], now)
    return found


def recent(simulation: Simulation) -> list[Losses]:
    """Of a run under way."""
    return losses(simulation, max(simulation.now - RECENT_PS, simulation.level.warmup_s * PS_PER_S))


def spent(simulation: Simulation) -> Spent:
    """What the run has cost so far."""
    found = Spent()
    for account in accounts(simulation):
        found.total += account.nusd
        found.idle += account.nusd if account.tenant == NOBODY else 0
    for machine in simulation.floor.machines.values():
        if isinstance(machine, ApiPort):
            for nusd in machine.paid_by.values():
                found.api += nusd
    return found


def together(all_of_them: Sequence[Losses]) -> Losses:
    """Those of all tenants."""
    found = Losses()
    for one in all_of_them:
        for name in Losses.__annotations__:
            setattr(found, name, getattr(found, name) + getattr(one, name))
    return found
