"""What each tenant has asked for and got. A request that is over does not change any more and is counted once: only
those under way are looked at anew.
"""

from __future__ import annotations

import attrs
from attrs import define

from engine.traffic.request import Request


@define
class Account:
    """Of one tenant, from the first second of the run, warm-up included."""

    tenant: int
    requests: int = 0
    refused: int = 0
    finished: int = 0
    under_way: int = 0
    """Neither finished nor refused nor lost."""
    waiting: int = 0
    """Those of them without a token."""
    prompt_tokens: int = 0
    """Of prompts that were computed, or found in memory."""
    output_tokens: int = 0
    gpu_ps: int = 0
    """Time of cards."""
    nusd: int = 0
    """Nano-dollars."""

    def count(self, request: Request) -> None:
        """Add a request."""
        self.requests += 1
        self.refused += request.refused
        self.finished += request.done
        self.under_way += not request.over
        self.waiting += not request.over and not request.tokens
        self.prompt_tokens += request.prompt_tokens if request.tokens or request.prefill_end_ps >= 0 else 0
        self.output_tokens += request.tokens


class Tally:
    """Of the requests of one simulation, whose ids count from 1. What it says follows from them alone."""

    def __init__(self, requests: dict[int, Request]) -> None:
        self._requests = requests
        self._seen = 0
        self._under_way: list[Request] = []
        self._over: dict[int, Account] = {}

    def accounts(self) -> dict[int, Account]:
        """By tenant, of those that have asked for anything; without what cards and money were spent on them."""
        new = [self._requests[id] for id in range(self._seen + 1, len(self._requests) + 1)]
        self._seen += len(new)
        looked_at, self._under_way = self._under_way + new, []
        for request in looked_at:
            if request.over:
                self._over.setdefault(request.tenant, Account(request.tenant)).count(request)
            else:
                self._under_way.append(request)
        found = {tenant: attrs.evolve(account) for tenant, account in self._over.items()}
        for request in self._under_way:
            found.setdefault(request.tenant, Account(request.tenant)).count(request)
        return found
