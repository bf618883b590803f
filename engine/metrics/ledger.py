"""The figures that goals judge, kept up to date as requests come and go.

Requests count that arrived within the window, from the end of the warm-up until now. One that has no token yet counts
with its age, a stream that stands still with the length of its standstill: what is not finished cannot hide. TTFT
includes the hand-off: the Decode Core makes the first token.
"""

from __future__ import annotations

from bisect import insort

from attrs import frozen

from engine.metrics.percentile import percentile
from engine.metrics.seconds import PerSecond
from engine.traffic.request import Request
from engine.units import PS_PER_S


@frozen
class Score:
    """Picoseconds and counts; None where nothing can be said yet."""

    window_ps: int
    tokens: int
    """Tokens delivered within the window."""
    requests: int
    finished: int
    ttft_p50_ps: int | None
    ttft_p95_ps: int | None
    pause_p95_ps: int | None
    """95th percentile, over the streams, of the longest gap between two tokens of one stream."""
    tpot_mean_ps: int | None
    """Mean, over finished requests, of the time per token after the first."""
    e2e_p95_ps: int | None
    user_tps: float | None
    """Mean, over finished requests, of tokens per second as its user sees them: after the first, (n - 1) / (last -
    first).
    """
    out_of_memory: int
    """How often a core ran out of memory, warm-up included."""
    refused: int
    """Requests that were too long for the server, warm-up included."""

    @property
    def tps(self) -> float | None:
        """Tokens per second."""
        return self.tokens * PS_PER_S / self.window_ps if self.window_ps else None


class Ledger:
    """What can no longer change is kept sorted; only the requests under way are looked at anew."""

    def __init__(self, from_ps: int) -> None:
        self.from_ps = from_ps
        """The end of the warm-up, a whole second."""
        self.delivered = PerSecond()
        """Tokens at the Token Docks."""
        self._open: dict[int, Request] = {}
        self._ttft: list[int] = []
        self._pauses: list[int] = []
        self._e2e: list[int] = []
        self._tpot_sum = 0
        self._tpot_count = 0
        self._user_mtps = 0
        self.ooms = 0
        self.refusals = 0

    def arrived(self, request: Request) -> None:
        """A request has arrived."""
        if request.arrival_ps >= self.from_ps:
            self._open[request.id] = request

    def started(self, request: Request) -> None:
        """Its first token was made."""
        if request.id in self._open:
            insort(self._ttft, request.first_token_ps - request.arrival_ps)

    def finished(self, request: Request) -> None:
        """Its last token was made."""
        if self._open.pop(request.id, None) is None:
            return
        insort(self._pauses, request.longest_pause_ps)
        insort(self._e2e, request.last_token_ps - request.arrival_ps)
        if request.output_tokens > 1:
            taken_ps = request.last_token_ps - request.first_token_ps
            self._tpot_sum += taken_ps // (request.output_tokens - 1)
            self._tpot_count += 1
            self._user_mtps += (request.output_tokens - 1) * 1000 * PS_PER_S // max(taken_ps, 1)

    def refused(self, request: Request) -> None:
        """It is longer than the server takes."""
        self._open.pop(request.id, None)
        self.refusals += 1

    def restore(self, requests: list[Request], delivered: PerSecond, ooms: int = 0) -> None:
        """Take over what a checkpoint holds."""
        self.delivered, self.ooms = delivered, ooms
        for request in requests:
            self.arrived(request)
            if request.tokens:
                self.started(request)
            if request.refused:
                self.refused(request)
            if request.done:
                self.finished(request)

    def score(self, now_ps: int) -> Score:
        """What was achieved until `now_ps`."""
        ages, running = [], []
        for request in self._open.values():
            if request.tokens:
                running.append(max(request.longest_pause_ps, now_ps - request.last_token_ps))
            else:
                ages.append(now_ps - request.arrival_ps)
        ttft = sorted(self._ttft + sorted(ages))
        return Score(
            window_ps=max(now_ps - self.from_ps, 0),
            tokens=self.delivered.total(self.from_ps // PS_PER_S, -(-now_ps // PS_PER_S)),
            requests=len(self._open) + len(self._e2e),
            finished=len(self._e2e),
            ttft_p50_ps=percentile(ttft, 50),
            ttft_p95_ps=percentile(ttft, 95),
            pause_p95_ps=percentile(sorted(self._pauses + sorted(running)), 95),
            tpot_mean_ps=self._tpot_sum // self._tpot_count if self._tpot_count else None,
            e2e_p95_ps=percentile(self._e2e, 95),
            user_tps=self._user_mtps / 1000 / self._tpot_count if self._tpot_count else None,
            out_of_memory=self.ooms,
            refused=self.refusals,
        )
