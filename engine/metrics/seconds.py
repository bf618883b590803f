"""Amounts kept per simulated second."""

from __future__ import annotations

from attrs import define, field

from engine.units import PS_PER_S


@define
class PerSecond:
    """An integer for each whole second of simulated time."""

    buckets: list[int] = field(factory=list)

    def add(self, second: int, amount: int) -> None:
        """Add to one second."""
        buckets = self.buckets
        missing = second + 1 - len(buckets)
        if missing > 0:
            buckets.extend([0] * missing)
        buckets[second] += amount

    def add_span(self, start_ps: int, end_ps: int) -> None:
        """Add the picoseconds of the span from `start_ps` to `end_ps` to the seconds that it covers."""
        while start_ps < end_ps:
            second = start_ps // PS_PER_S
            stop = min((second + 1) * PS_PER_S, end_ps)
            self.add(second, stop - start_ps)
            start_ps = stop

    def total(self, first: int, last: int) -> int:
        """The sum over the seconds `first <= s < last`."""
        return sum(self.buckets[max(first, 0) : max(last, 0)])


def recent(now_ps: int, span_s: int = 10) -> tuple[int, int]:
    """The second at which the window of the last `span_s` seconds opens, and its length in ps (at least 1)."""
    first = max(-(-now_ps // PS_PER_S) - span_s, 0)
    return first, max(now_ps - first * PS_PER_S, 1)
