"""Whether a request was answered in time and well enough, as its tenant asks for.

Each request has a moment at which the verdict is due: when its last token should have come at the latest. A request
that was refused, or has not ended by then, has missed. So nobody gains by finishing what is easy and leaving the rest:
what is due counts, whatever became of it. Where no deadline says when an answer should end, it is judged when it has
ended, or when it was refused, or when its first token is late.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from engine import catalog
from engine.traffic.request import Request
from engine.units import seconds

if TYPE_CHECKING:
    from engine.level.spec import Tenant

NEVER = -1
"""No deadline says when a verdict is due."""


@frozen
class Terms:
    """Deadlines in picoseconds, 0: none; and which models are good enough."""

    ttft_ps: int = 0
    tpot_ps: int = 0
    e2e_ps: int = 0
    good: Callable[[str], bool] = lambda model: True

    @classmethod
    def of(cls, tenant: Tenant, model: str) -> Terms:
        """A tenant's; `model` answers where nobody says which did."""

        def good(by: str) -> bool:
            if not tenant.benchmark:
                return True
            score = catalog.benchmark(tenant.benchmark).score(by or model)
            return score is not None and score >= tenant.quality

        return cls(seconds(tenant.ttft_s), seconds(tenant.tpot_s), seconds(tenant.e2e_s), good)

    @property
    def ends(self) -> bool:
        """Whether a deadline says when an answer should end."""
        return bool(self.e2e_ps or (self.ttft_ps and self.tpot_ps))

    def due_ps(self, request: Request) -> int:
        """When the verdict is due at the latest."""
        dues = [request.arrival_ps + self.e2e_ps] if self.e2e_ps else []
        if self.ttft_ps and (self.tpot_ps or not dues):
            dues.append(request.arrival_ps + self.ttft_ps + self.tpot_ps * (request.output_tokens - 1))
        return min(dues, default=NEVER)

    def may_meet(self, request: Request) -> bool:
        """Whether an answer that has not ended may still keep every deadline, though the verdict is due."""
        in_time = bool(request.tokens) and request.first_token_ps - request.arrival_ps <= self.ttft_ps
        return not self.ends and not request.refused and not request.done and in_time

    def met_by(self, request: Request) -> bool:
        """Whether an answer is there that keeps every deadline, by a model that is good enough."""
        if not request.done:
            return False
        taken_ps = request.last_token_ps - request.first_token_ps
        return (
            self.good(request.model)
            and not (self.ttft_ps and request.first_token_ps - request.arrival_ps > self.ttft_ps)
            and not (self.tpot_ps and taken_ps > self.tpot_ps * (request.output_tokens - 1))
            and not (self.e2e_ps and request.last_token_ps - request.arrival_ps > self.e2e_ps)
        )
