"""Traffic, declared: how often requests come, and how long they are."""

from __future__ import annotations

from attrs import field, frozen

from engine.units import PS_PER_S

NEVER = 1 << 62
"""A time that does not come."""


@frozen
class Lengths:
    """Token counts spread evenly over `low..high` (both included); or, with `deciles`, as they were measured."""

    low: int
    high: int
    deciles: list[int] = field(factory=list)
    """The nine values that divide measured lengths into tenths, rising; within a tenth they are spread evenly."""

    def tenth(self, index: int) -> tuple[int, int]:
        """The shortest and the longest of a tenth, 0 to 9."""
        if self.deciles:
            bounds = [self.low, *self.deciles, self.high + 1]
            return bounds[index], max(bounds[index + 1] - 1, bounds[index])
        span = self.high - self.low + 1
        low = self.low + index * span // 10
        return low, max(self.low + (index + 1) * span // 10 - 1, low)

    @property
    def mean(self) -> float:
        """Tokens on average."""
        if not self.deciles:
            return (self.low + self.high) / 2
        total = 0
        for index in range(10):
            low, high = self.tenth(index)
            total += low + high
        return total / 20


@frozen
class Traffic:
    """One request every `interval_ps`, moved by up to `jitter_ps` either way."""

    interval_ps: int
    jitter_ps: int
    prompt: Lengths
    output: Lengths


@frozen
class PoissonTraffic:
    """Requests that come by chance, `per_s` a second on average, each without regard to the others."""

    per_s: float
    prompt: Lengths
    output: Lengths

    @property
    def interval_ps(self) -> int:
        """The mean time from one request to the next."""
        return _interval_ps(self.per_s)

    @property
    def period_ps(self) -> int:
        """After how long the rate repeats itself; 0: it is always the same."""
        return 0

    def rate_at(self, ps: int) -> tuple[float, int]:
        """Requests per second at a time of its period, and until when that holds."""
        return self.per_s, NEVER


@frozen
class BurstTraffic:
    """Requests that come by chance, `per_s` a second on average, but `burst` a second while a burst lasts.

    A burst lasts `burst_s` seconds and comes once every `every_s`; when the first one comes is drawn.
    """

    per_s: float
    burst: float
    burst_s: float
    every_s: float
    prompt: Lengths
    output: Lengths

    @property
    def interval_ps(self) -> int:
        """The mean time from one request to the next, bursts included."""
        calm_s = self.every_s - self.burst_s
        return _interval_ps((self.per_s * calm_s + self.burst * self.burst_s) / self.every_s)

    @property
    def period_ps(self) -> int:
        """From one burst to the next."""
        return round(self.every_s * PS_PER_S)

    def rate_at(self, ps: int) -> tuple[float, int]:
        """Requests per second at a time of its period, and until when that holds. A burst begins the period."""
        period, burst_ps = self.period_ps, round(self.burst_s * PS_PER_S)
        start, within = ps - ps % period, ps % period
        return (self.burst, start + burst_ps) if within < burst_ps else (self.per_s, start + period)


def _interval_ps(per_s: float) -> int:
    return max(round(PS_PER_S / per_s), 1) if per_s > 0 else NEVER
