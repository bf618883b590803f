"""How much traffic a card serves within a deadline: found by serving traces of rising rate, as vLLM would.

What a card makes when it is saturated says little: the queue then has no end, and the first token comes a minute late.
The first half of a trace only fills the queue: the second half is judged.
"""

from __future__ import annotations

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.physics.roofline import Deployment
from engine.serving.replay import replay_slices
from engine.serving.settings import Settings
from engine.serving.trace import Trace
from engine.slices import Slices, kept, whole
from engine.supply.break_even import Flow
from engine.traffic.traffic import Lengths
from engine.units import PS_PER_S

REQUESTS = 500
SHARE = 0.95
"""Of the requests, so many keep the deadline."""
_SEED = 1
_HALVINGS = 5
_FLOOD = 1e6
"""Requests a second that no card keeps up with."""
_LONELY = 1 / 1024
"""Requests a second that never meet."""


Tenths = tuple[tuple[int, int], ...]
"""The shortest and the longest of each tenth of a distribution of lengths, rising."""


@frozen
class Work:
    """A kind of task: its lengths, and by when the first token and the whole answer are due (0: no matter)."""

    prompt: Tenths
    output: Tenths
    ttft_s: float = 0.0
    e2e_s: float = 0.0

    @classmethod
    def of(cls, prompt: Lengths, output: Lengths, ttft_s: float = 0.0, e2e_s: float = 0.0) -> Work:
        """Of lengths as traffic has them."""
        return cls(_tenths(prompt), _tenths(output), ttft_s, e2e_s)

    @classmethod
    def of_mean(cls, prompt_tokens: int, output_tokens: int, ttft_s: float = 0.0, e2e_s: float = 0.0) -> Work:
        """Lengths spread evenly from half of a mean to one and a half times it."""
        prompt, output = (Lengths(-(-mean // 2), mean + mean // 2) for mean in (prompt_tokens, output_tokens))
        return cls.of(prompt, output, ttft_s, e2e_s)

    @property
    def prompt_tokens(self) -> float:
        """Of a mean prompt."""
        return _mean(self.prompt)

    @property
    def output_tokens(self) -> float:
        """Of a mean answer."""
        return _mean(self.output)

    @property
    def longest(self) -> int:
        """Tokens of the longest answer."""
        return self.output[-1][1]


@frozen
class Served:
    """What came of a rate of requests."""

    on_time: float
    """Share of the later half of the requests, in the order in which they are done."""
    busy: float
    """Share of the time in which the card worked."""
    per_s: float
    """Requests a second that were done."""


@frozen
class Capacity:
    """The largest rate at which the deadline is kept."""

    requests_per_s: float
    busy: float
    flow: Flow


def served(deployment: Deployment, settings: Settings, work: Work, per_s: float) -> Served:
    """Serve Poisson arrivals at a rate. EngineError `serving.*` where the model does not fit on the card."""
    return whole(served_slices(deployment, settings, work, per_s))


@kept
def served_slices(deployment: Deployment, settings: Settings, work: Work, per_s: float) -> Slices[Served]:
    """The same in slices."""
    done = yield from replay_slices(_trace(work, per_s), deployment, settings)
    records, kept, half = done.records, 0, REQUESTS // 2
    limits = [seconds * PS_PER_S or float("inf") for seconds in (work.ttft_s, work.e2e_s)]
    for ttft, e2e in zip(records.ttft_ps[half:], records.e2e_ps[half:], strict=True):
        kept += ttft <= limits[0] and e2e <= limits[1]
    return Served(kept / (REQUESTS - half), done.busy_ps / records.last_ps, REQUESTS * PS_PER_S / records.last_ps)


def capacity(deployment: Deployment, settings: Settings, work: Work) -> Capacity:
    """The largest rate of a kind of task whose deadline is kept, to 1 in 32; without a deadline, what a saturated card
    does. EngineError `supply.too_slow` where not even a lonely request is on time.
    """
    return whole(capacity_slices(deployment, settings, work))


@kept
def capacity_slices(deployment: Deployment, settings: Settings, work: Work) -> Slices[Capacity]:
    """The same in slices."""
    if not work.ttft_s and not work.e2e_s:
        return _at(work, (yield from served_slices(deployment, settings, work, _FLOOD)))

    def is_kept(per_s: float) -> Slices[bool]:
        return (yield from served_slices(deployment, settings, work, per_s)).on_time >= SHARE

    low, high = _LONELY, 1.0
    if not (yield from is_kept(low)):
        raise EngineError("supply.too_slow", gpu=deployment.gpu.name, model=deployment.model.name)
    while (yield from is_kept(high)):
        low, high = high, high * 2
    while high > 2 * low and not (yield from is_kept(high / 2)):
        high /= 2
    low = max(low, high / 2)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if (yield from is_kept(middle)):
            low = middle
        else:
            high = middle
    return _at(work, attrs.evolve((yield from served_slices(deployment, settings, work, low)), per_s=low))


def _at(work: Work, served: Served) -> Capacity:
    flow = Flow.per_second(served.per_s * work.prompt_tokens, served.per_s * work.output_tokens)
    return Capacity(served.per_s, served.busy, flow)


def _trace(work: Work, per_s: float) -> Trace:
    """Requests that come by chance at a rate; lengths from all tenths of their distribution alike."""
    random = np.random.default_rng(_SEED)
    gaps_ps = np.rint(random.exponential(PS_PER_S / per_s, REQUESTS)).astype(np.int64)

    def draw(tenths: Tenths) -> NDArray[np.int64]:
        bounds = np.array([tenths[index % len(tenths)] for index in range(REQUESTS)])
        drawn: NDArray[np.int64] = random.permutation(random.integers(bounds[:, 0], bounds[:, 1] + 1))
        return drawn

    trace = Trace("capacity")
    for column, values in (
        (trace.arrival_ps, np.cumsum(gaps_ps)),
        (trace.prompt_tokens, draw(work.prompt)),
        (trace.output_tokens, draw(work.output)),
    ):
        column.frombytes(values.tobytes())
    trace.sort()
    return trace


def _tenths(lengths: Lengths) -> Tenths:
    return tuple(lengths.tenth(index) for index in range(10))


def _mean(tenths: Tenths) -> float:
    total = 0
    for low, high in tenths:
        total += low + high
    return total / (2 * len(tenths))
