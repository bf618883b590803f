"""The figures that goals judge, kept up to date as requests come and go.

Requests count that arrived within the window, from the end of the warm-up until now. One that has no token yet counts
with its age, a stream that stands still with the length of its standstill: what is not finished cannot hide. TTFT
includes the hand-off: the Decode Core makes the first token.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from attrs import field, frozen

from engine.metrics.deadlines import NEVER, Terms
from engine.metrics.percentile import percentile
from engine.metrics.seconds import PerSecond
from engine.traffic.request import Request
from engine.units import NUSD_PER_USD, PS_PER_S


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
    """95th percentile, over the streams, of the longest gap between two tokens of one stream ..."""
    pause_p99_ps: int | None
    """... and the 99th."""
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
    """Requests that were too long for the server, or beyond a quota, warm-up included."""
    judged: int = 0
    """Requests of tenants on which a verdict was due (`engine.metrics.deadlines`) ..."""
    kept: int = 0
    """... and those of them that kept every deadline, answered well enough."""
    cost_nusd: int | None = None
    """What cards and API Ports have cost within the window, in nano-dollars; None where nobody has told."""
    tenants: Mapping[str, Score] = field(factory=dict)
    """The same of each tenant alone, but for tokens and memory, which nobody counts for each."""

    @property
    def on_time(self) -> float | None:
        """Share of the verdicts that were good."""
        return self.kept / self.judged if self.judged else None

    @property
    def shares(self) -> list[float]:
        """Each tenant's `on_time`, of those on whom there is a verdict."""
        return [share for tenant in self.tenants.values() if (share := tenant.on_time) is not None]

    @property
    def goodput(self) -> float | None:
        """Requests per second that kept every deadline."""
        return self.kept * PS_PER_S / self.window_ps if self.window_ps else None

    @property
    def usd_per_task(self) -> float | None:
        """Dollars per task that counts: kept every deadline and was good enough; without tenants, was finished."""
        tasks = self.kept if self.tenants else self.finished
        return None if self.cost_nusd is None or not tasks else self.cost_nusd / NUSD_PER_USD / tasks

    @property
    def finished_per_min(self) -> float | None:
        """Requests per minute that were answered to the end, of those that arrived within the window."""
        return self.finished * 60 * PS_PER_S / self.window_ps if self.window_ps else None

    @property
    def tps(self) -> float | None:
        """Tokens per second."""
        return self.tokens * PS_PER_S / self.window_ps if self.window_ps else None


class Ledger:
    """What can no longer change is kept sorted; only the requests under way are looked at anew."""

    def __init__(self, from_ps: int, terms: Mapping[str, Terms] | None = None) -> None:
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
        self._terms: Terms | None = None
        self._parts = {name: _part(from_ps, one) for name, one in (terms or {}).items()}
        """Of each tenant, in their order."""
        self._dues: list[tuple[int, int]] = []
        """When verdicts are due, and on which request."""
        self._unjudged: dict[int, Request] = {}
        self._judged = self._kept = 0

    def _of(self, request: Request) -> Sequence[Ledger]:
        """The book of its tenant."""
        return list(self._parts.values())[request.tenant : request.tenant + 1] if request.tenant >= 0 else ()

    def arrived(self, request: Request) -> None:
        """A request has arrived."""
        for part in self._of(request):
            part.arrived(request)
        if request.arrival_ps >= self.from_ps:
            self._open[request.id] = request
            if self._terms is not None:
                self._unjudged[request.id] = request
                due = self._terms.due_ps(request)
                if due != NEVER:
                    heappush(self._dues, (due, request.id))

    def started(self, request: Request) -> None:
        """Its first token was made."""
        for part in self._of(request):
            part.started(request)
        if request.id in self._open:
            insort(self._ttft, request.first_token_ps - request.arrival_ps)

    def finished(self, request: Request) -> None:
        """Its last token was made."""
        for part in self._of(request):
            part.finished(request)
        if self._terms is not None and not self._terms.ends:
            self._judge(request.id)
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
        """It is longer than the server takes, or beyond its tenant's quota."""
        for part in self._of(request):
            part.refused(request)
        if self._terms is not None and not self._terms.ends:
            self._judge(request.id)
        self._open.pop(request.id, None)
        self.refusals += 1

    def _judge(self, id: int) -> None:
        """The verdict on a request, once."""
        request = self._unjudged.pop(id, None)
        if request is not None and self._terms is not None:
            self._judged += 1
            self._kept += self._terms.met_by(request)

    def _judge_due(self, now_ps: int) -> None:
        """All verdicts that are due by now."""
        while self._dues and self._dues[0][0] <= now_ps:
            _, id = heappop(self._dues)
            request = self._unjudged.get(id)
            if request is not None and self._terms is not None and not self._terms.may_meet(request):
                self._judge(id)

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

    def on_time(self, now_ps: int) -> dict[str, float | None]:
        """Each tenant's share of the verdicts that were good, as its `score` says."""
        for part in self._parts.values():
            part._judge_due(now_ps)
        return {name: part._kept / part._judged if part._judged else None for name, part in self._parts.items()}

    def score(self, now_ps: int) -> Score:
        """What was achieved until `now_ps`."""
        self._judge_due(now_ps)
        parts = {name: part.score(now_ps) for name, part in self._parts.items()}
        judged, kept = self._judged, self._kept
        for part in parts.values():
            judged += part.judged
            kept += part.kept
        ages, running = [], []
        for request in self._open.values():
            if request.tokens:
                running.append(max(request.longest_pause_ps, now_ps - request.last_token_ps))
            else:
                ages.append(now_ps - request.arrival_ps)
        ttft, pauses = sorted(self._ttft + sorted(ages)), sorted(self._pauses + sorted(running))
        return Score(
            window_ps=max(now_ps - self.from_ps, 0),
            tokens=self.delivered.total(self.from_ps // PS_PER_S, -(-now_ps // PS_PER_S)),
            requests=len(self._open) + len(self._e2e),
            finished=len(self._e2e),
            ttft_p50_ps=percentile(ttft, 50),
            ttft_p95_ps=percentile(ttft, 95),
            pause_p95_ps=percentile(pauses, 95),
            pause_p99_ps=percentile(pauses, 99),
            tpot_mean_ps=self._tpot_sum // self._tpot_count if self._tpot_count else None,
            e2e_p95_ps=percentile(self._e2e, 95),
            user_tps=self._user_mtps / 1000 / self._tpot_count if self._tpot_count else None,
            out_of_memory=self.ooms,
            refused=self.refusals,
            judged=judged,
            kept=kept,
            tenants=parts,
        )


def _part(from_ps: int, terms: Terms) -> Ledger:
    ledger = Ledger(from_ps)
    ledger._terms = terms
    return ledger
