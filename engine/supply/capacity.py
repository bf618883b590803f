"""How much traffic a card serves within a deadline: found by serving traces of rising rate, as vLLM would.

What a card makes when it is saturated says little: the queue then has no end, and the first token comes a minute late.
The first half of a trace only fills the queue: the second half is judged.
"""

from __future__ import annotations

from functools import cache

import attrs
from attrs import frozen

from engine.errors import EngineError
from engine.physics.roofline import Deployment
from engine.serving.replay import replay
from engine.serving.settings import Settings
from engine.serving.synthetic import Lengths, synthetic
from engine.supply.break_even import Flow
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
_SPREAD = 0.3
"""Of the logarithm of lengths, ours."""


@frozen
class Work:
    """A kind of task: mean lengths, and by when the first token and the whole answer are due (0: no matter)."""

    prompt_tokens: int
    output_tokens: int
    ttft_s: float = 0.0
    e2e_s: float = 0.0


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


@cache
def served(deployment: Deployment, settings: Settings, work: Work, per_s: float) -> Served:
    """Serve Poisson arrivals at a rate. EngineError `serving.*` where the model does not fit on the card."""
    lengths = Lengths(work.prompt_tokens, _SPREAD), Lengths(work.output_tokens, _SPREAD)
    done = replay(synthetic(REQUESTS, per_s, *lengths, _SEED), deployment, settings)
    records, kept, half = done.records, 0, REQUESTS // 2
    limits = [seconds * PS_PER_S or float("inf") for seconds in (work.ttft_s, work.e2e_s)]
    for ttft, e2e in zip(records.ttft_ps[half:], records.e2e_ps[half:], strict=True):
        kept += ttft <= limits[0] and e2e <= limits[1]
    return Served(kept / (REQUESTS - half), done.busy_ps / records.last_ps, REQUESTS * PS_PER_S / records.last_ps)


@cache
def capacity(deployment: Deployment, settings: Settings, work: Work) -> Capacity:
    """The largest rate of a kind of task whose deadline is kept, to 1 in 32; without a deadline, what a saturated card
    does. EngineError `supply.too_slow` where not even a lonely request is on time.
    """
    if not work.ttft_s and not work.e2e_s:
        return _at(work, served(deployment, settings, work, _FLOOD))
    low, high = _LONELY, 1.0
    if not _kept(deployment, settings, work, low):
        raise EngineError("supply.too_slow", gpu=deployment.gpu.name, model=deployment.model.name)
    while _kept(deployment, settings, work, high):
        low, high = high, high * 2
    while high > 2 * low and not _kept(deployment, settings, work, high / 2):
        high /= 2
    low = max(low, high / 2)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _kept(deployment, settings, work, middle):
            low = middle
        else:
            high = middle
    return _at(work, attrs.evolve(served(deployment, settings, work, low), per_s=low))


def _at(work: Work, served: Served) -> Capacity:
    flow = Flow.per_second(served.per_s * work.prompt_tokens, served.per_s * work.output_tokens)
    return Capacity(served.per_s, served.busy, flow)


def _kept(deployment: Deployment, settings: Settings, work: Work, per_s: float) -> bool:
    return served(deployment, settings, work, per_s).on_time >= SHARE
