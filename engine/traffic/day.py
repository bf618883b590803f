"""A day of requests in compressed hours."""

from __future__ import annotations

from attrs import frozen

from engine.traffic.traffic import NEVER, Lengths
from engine.units import PS_PER_S

HOURS = 24


@frozen
class DayTraffic:
    """Requests that come by chance, at the rate of the hour of the day; after midnight the day begins anew.

    `per_hour` are requests per true hour. A simulated hour lasts `hour_s` seconds and stands for a true one: they come
    as fast as they do in truth, so that a server has as much to do at a time, but there are fewer of them. A second of
    the run costs what a second costs; what a task costs is the day's, and the day's whole bill is `3600 / hour_s` times
    the run's. What a queue carries over from one hour to the next weighs too much by that factor.
    """

    per_hour: list[int]
    """From midnight on, 24 of them."""
    hour_s: int
    prompt: Lengths
    output: Lengths

    @property
    def interval_ps(self) -> int:
        """The mean time from one request to the next, over the whole day."""
        total = 0
        for requests in self.per_hour:
            total += requests
        return HOURS * 3600 * PS_PER_S // total if total else NEVER

    @property
    def period_ps(self) -> int:
        """Its pattern begins at midnight, when the run begins: nothing is drawn."""
        return 0

    def rate_at(self, ps: int) -> tuple[float, int]:
        """Requests per second at a time, and until when that holds."""
        hour_ps = self.hour_s * PS_PER_S
        hour = ps // hour_ps
        return self.per_hour[hour % len(self.per_hour)] / 3600, (hour + 1) * hour_ps
