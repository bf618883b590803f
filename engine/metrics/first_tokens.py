"""The time to first token of the last seconds, kept up to date as a run goes on."""

from __future__ import annotations

from collections import deque

from engine.metrics.percentile import percentile
from engine.traffic.request import Request
from engine.units import PS_PER_S

TTFT_SPAN_PS = 30 * PS_PER_S
"""First tokens of so long count."""


class FirstTokens:
    """Of the requests of one simulation. What it says follows from the requests alone, whenever it began to look."""

    def __init__(self) -> None:
        self._waiting: dict[int, Request] = {}
        self._first_tokens: deque[tuple[int, int]] = deque()
        """When a first token was delivered, and after how long."""
        self._requests = 0
        """How many have been seen."""

    def p95_ps(self, requests: dict[int, Request], now: int) -> int | None:
        """95th percentile over the first tokens of the last `TTFT_SPAN_PS` and the ages of those that wait for theirs.

        A request that was lost on the way counts as one that waits for as long as it would as a first token.
        """
        for id in range(self._requests + 1, len(requests) + 1):
            self._waiting[id] = requests[id]
        self._requests = len(requests)
        ages = []
        for request in list(self._waiting.values()):
            if 0 <= request.first_token_ps <= now:
                self._first_tokens.append((request.first_token_ps, request.first_token_ps - request.arrival_ps))
            elif not request.refused and not 0 <= request.lost_ps <= now - TTFT_SPAN_PS:
                ages.append(now - request.arrival_ps)
                continue
            del self._waiting[request.id]
        while self._first_tokens and self._first_tokens[0][0] <= now - TTFT_SPAN_PS:
            self._first_tokens.popleft()
        since = now - TTFT_SPAN_PS
        return percentile(sorted(ages + [after for at, after in self._first_tokens if at > since]), 95)
