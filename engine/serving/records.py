"""What a replay keeps of each request once it is done: three numbers; of where its time went, only the sum over all."""

from __future__ import annotations

from array import array

from engine.metrics.causes import none
from engine.metrics.seconds import PerSecond
from engine.traffic.request import Request

NO_TPOT = -1
"""The TPOT of an answer of one token."""


class Records:
    """The books of a server, in picoseconds, in the order in which requests finish."""

    def __init__(self) -> None:
        self.open: dict[int, Request] = {}
        """Requests under way, by id."""
        self.delivered = PerSecond()
        self.ttft_ps = array("q")
        self.tpot_ps = array("q")
        """Time per token after the first, rounded down; NO_TPOT where there is none."""
        self.e2e_ps = array("q")
        self.causes = none()
        """The sum of all waterfalls; equal to the sum of all end-to-end times."""
        self.prompt_tokens = self.output_tokens = 0
        self.last_ps = 0
        """When the last token was made."""

    def arrived(self, request: Request) -> None:
        """A request has arrived."""
        self.open[request.id] = request

    def started(self, request: Request) -> None:
        """Its first token was made."""

    def finished(self, request: Request) -> None:
        """Its last token was made."""
        del self.open[request.id]
        later = request.output_tokens - 1
        self.ttft_ps.append(request.first_token_ps - request.arrival_ps)
        self.tpot_ps.append((request.last_token_ps - request.first_token_ps) // later if later else NO_TPOT)
        self.e2e_ps.append(request.last_token_ps - request.arrival_ps)
        self.causes = [total + cause for total, cause in zip(self.causes, request.causes, strict=True)]
        self.prompt_tokens += request.prompt_tokens
        self.output_tokens += request.output_tokens
        self.last_ps = max(self.last_ps, request.last_token_ps)
