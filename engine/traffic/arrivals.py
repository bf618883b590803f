"""When requests come, and how long they are: paced with jitter, by chance, or as a trace says; lengths are dealt from a
shuffled deck of ten strata.
"""

from __future__ import annotations

from typing import NamedTuple

from attrs import define, field
from numpy.random import Generator

from engine.traffic.kinds import AnyTraffic, ByChance
from engine.traffic.trace import TraceTraffic
from engine.traffic.traffic import NEVER, Lengths, Traffic
from engine.units import PS_PER_S

_STRATA = 10
_ONE = 10**9
"""What a request takes of the chance for one, which grows with time and rate."""
_PER_HZ = 10**6
"""Rates are counted in millionths of a request per second."""


class Arrived(NamedTuple):
    """What a request is like."""

    prompt_tokens: int
    output_tokens: int
    prefix: int = -1
    """The beginning of its prompt, by number, where the trace says so; -1: it says nothing."""
    prefix_tokens: int = 0


@define
class Arrivals:
    """The state of one stream of requests; the generator is handed in, since its state is kept by its owner."""

    count: int = 0
    next_ps: int = -1
    """When the next request arrives; -1 until the stream has started, `NEVER` after the last of a trace."""
    prompt_deck: list[int] = field(factory=list)
    output_deck: list[int] = field(factory=list)
    from_ps: int = 0
    """When the stream began."""
    shift_ps: int = 0
    """How far its pattern had come then, where it has one."""

    def start(self, traffic: AnyTraffic, random: Generator, turn: Turn = (0, 1)) -> None:
        """Draw the first arrival."""
        if isinstance(traffic, ByChance) and traffic.period_ps:
            self.shift_ps = int(random.integers(traffic.period_ps))
        self._draw(traffic, random, turn)

    def take(self, traffic: AnyTraffic, random: Generator, turn: Turn = (0, 1)) -> Arrived:
        """The request that arrives at `next_ps`; draws the one after it."""
        if isinstance(traffic, TraceTraffic):
            arrived = Arrived(*traffic.arrivals[turn[0] + self.count * turn[1]][1:])
        else:
            prompt = _deal(self.prompt_deck, traffic.prompt, random)
            arrived = Arrived(prompt, _deal(self.output_deck, traffic.output, random))
        self.count += 1
        self._draw(traffic, random, turn)
        return arrived

    def _draw(self, traffic: AnyTraffic, random: Generator, turn: Turn) -> None:
        if isinstance(traffic, TraceTraffic):
            index = turn[0] + self.count * turn[1]
            known = traffic.arrivals
            self.next_ps = self.from_ps + known[index][0] if index < len(known) else NEVER
        elif isinstance(traffic, Traffic):
            jitter = int(random.integers(-traffic.jitter_ps, traffic.jitter_ps + 1))
            self.next_ps = max(self.from_ps + (self.count + 1) * traffic.interval_ps + jitter, self.next_ps)
        else:
            start = self.from_ps - self.shift_ps
            self.next_ps = start + _next(traffic, max(self.next_ps, self.from_ps) - start, random)


Turn = tuple[int, int]
"""Whose turn a trace's first request is, of how many docks that take turns."""


def _next(traffic: ByChance, at: int, random: Generator) -> int:
    """When the next request comes after `at`: once the chance for it, grown by time and rate, is what was drawn."""
    wanted = round(float(random.standard_exponential()) * _ONE)
    while True:
        per_s, until = traffic.rate_at(at)
        rate = round(per_s * _PER_HZ)
        if rate:
            ps = wanted * (PS_PER_S * _PER_HZ // _ONE) // rate
            if at + ps <= until:
                return at + ps
            wanted = max(wanted - (until - at) * rate // (PS_PER_S * _PER_HZ // _ONE), 0)
        elif until >= NEVER:
            return NEVER
        at = until


def _deal(deck: list[int], lengths: Lengths, random: Generator) -> int:
    if not deck:
        deck.extend(int(stratum) for stratum in random.permutation(_STRATA))
    low, high = lengths.tenth(deck.pop())
    return int(random.integers(low, high + 1))
