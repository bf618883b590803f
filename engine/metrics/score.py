"""The figures that goals judge, over a window of simulated time.

Requests count that arrived within the window. One that has no token yet counts with its age, a stream that stands still with the
length of its standstill: what is not finished cannot hide. TTFT includes the hand-off: the Decode Core makes the first token.
"""

from __future__ import annotations

from collections.abc import Iterable

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

    @property
    def tps(self) -> float | None:
        """Tokens per second."""
        return self.tokens * PS_PER_S / self.window_ps if self.window_ps else None


def score(requests: Iterable[Request], delivered: PerSecond, from_ps: int, now_ps: int) -> Score:
    """What was achieved between `from_ps` (a whole second) and `now_ps`."""
    ttft: list[int] = []
    pauses: list[int] = []
    tpot: list[int] = []
    e2e: list[int] = []
    count = 0
    for request in requests:
        if not from_ps <= request.arrival_ps < now_ps:
            continue
        count += 1
        started = 0 <= request.first_token_ps <= now_ps
        ttft.append((request.first_token_ps if started else now_ps) - request.arrival_ps)
        finished = request.done and request.last_token_ps <= now_ps
        if started:
            standstill = 0 if finished else max(now_ps - request.last_token_ps, 0)
            pauses.append(max(request.longest_pause_ps, standstill))
        if finished:
            e2e.append(request.last_token_ps - request.arrival_ps)
            if request.output_tokens > 1:
                tpot.append((request.last_token_ps - request.first_token_ps) // (request.output_tokens - 1))
    total = 0
    for value in tpot:
        total += value
    return Score(
        window_ps=max(now_ps - from_ps, 0),
        tokens=delivered.total(from_ps // PS_PER_S, -(-now_ps // PS_PER_S)),
        requests=count,
        finished=len(e2e),
        ttft_p50_ps=percentile(ttft, 50),
        ttft_p95_ps=percentile(ttft, 95),
        pause_p95_ps=percentile(pauses, 95),
        tpot_mean_ps=total // len(tpot) if tpot else None,
        e2e_p95_ps=percentile(e2e, 95),
    )
