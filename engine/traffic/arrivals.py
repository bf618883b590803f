"""Paced arrivals with jitter, and lengths dealt from a shuffled deck of ten strata."""

from __future__ import annotations

from attrs import define, field, frozen
from numpy.random import Generator

_STRATA = 10


@frozen
class Lengths:
    """Token counts spread evenly over `low..high` (both included)."""

    low: int
    high: int


@frozen
class Traffic:
    """One request every `interval_ps`, moved by up to `jitter_ps` either way."""

    interval_ps: int
    jitter_ps: int
    prompt: Lengths
    output: Lengths


@define
class Arrivals:
    """The state of one stream of requests; the generator is handed in, since its state is kept by its owner."""

    count: int = 0
    next_ps: int = -1
    """When the next request arrives; -1 until the stream has started."""
    prompt_deck: list[int] = field(factory=list)
    output_deck: list[int] = field(factory=list)

    def start(self, traffic: Traffic, random: Generator) -> None:
        """Draw the first arrival."""
        self._draw(traffic, random)

    def take(self, traffic: Traffic, random: Generator) -> tuple[int, int]:
        """Lengths (prompt, output) of the request that arrives at `next_ps`; draws the one after it."""
        lengths = _deal(self.prompt_deck, traffic.prompt, random), _deal(self.output_deck, traffic.output, random)
        self.count += 1
        self._draw(traffic, random)
        return lengths

    def _draw(self, traffic: Traffic, random: Generator) -> None:
        jitter = int(random.integers(-traffic.jitter_ps, traffic.jitter_ps + 1))
        self.next_ps = max((self.count + 1) * traffic.interval_ps + jitter, self.next_ps)


def _deal(deck: list[int], lengths: Lengths, random: Generator) -> int:
    if not deck:
        deck.extend(int(stratum) for stratum in random.permutation(_STRATA))
    stratum, span = deck.pop(), lengths.high - lengths.low + 1
    low = lengths.low + stratum * span // _STRATA
    high = max(lengths.low + (stratum + 1) * span // _STRATA - 1, low)
    return int(random.integers(low, high + 1))
