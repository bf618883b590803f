"""When requests come, and how long they are: paced with jitter, lengths dealt from a shuffled deck of ten strata; or as
a trace says.
"""

from __future__ import annotations

from attrs import define, field
from numpy.random import Generator

from engine.traffic.trace import TraceTraffic
from engine.traffic.traffic import Lengths, Traffic

_STRATA = 10
NEVER = 1 << 62
"""No request will come any more."""


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

    def start(self, traffic: Traffic | TraceTraffic, random: Generator, turn: Turn = (0, 1)) -> None:
        """Draw the first arrival."""
        self._draw(traffic, random, turn)

    def take(self, traffic: Traffic | TraceTraffic, random: Generator, turn: Turn = (0, 1)) -> tuple[int, int]:
        """Lengths (prompt, output) of the request that arrives at `next_ps`; draws the one after it."""
        if isinstance(traffic, TraceTraffic):
            _, prompt, output = traffic.arrivals[turn[0] + self.count * turn[1]]
            lengths = prompt, output
        else:
            lengths = _deal(self.prompt_deck, traffic.prompt, random), _deal(self.output_deck, traffic.output, random)
        self.count += 1
        self._draw(traffic, random, turn)
        return lengths

    def _draw(self, traffic: Traffic | TraceTraffic, random: Generator, turn: Turn) -> None:
        if isinstance(traffic, TraceTraffic):
            index = turn[0] + self.count * turn[1]
            known = traffic.arrivals
            self.next_ps = self.from_ps + known[index][0] if index < len(known) else NEVER
            return
        jitter = int(random.integers(-traffic.jitter_ps, traffic.jitter_ps + 1))
        self.next_ps = max(self.from_ps + (self.count + 1) * traffic.interval_ps + jitter, self.next_ps)


Turn = tuple[int, int]
"""Whose turn a trace's first request is, of how many docks that take turns."""


def _deal(deck: list[int], lengths: Lengths, random: Generator) -> int:
    if not deck:
        deck.extend(int(stratum) for stratum in random.permutation(_STRATA))
    stratum, span = deck.pop(), lengths.high - lengths.low + 1
    low = lengths.low + stratum * span // _STRATA
    high = max(lengths.low + (stratum + 1) * span // _STRATA - 1, low)
    return int(random.integers(low, high + 1))
