"""Traces made by rule, of any length: Poisson arrivals and log-normal lengths."""

from __future__ import annotations

import math

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from engine.serving.trace import Trace
from engine.units import PS_PER_S

_SHORTEST, _LONGEST = 1, 8_000


@frozen
class Lengths:
    """A log-normal distribution: its mean, in tokens, and the spread of its logarithm."""

    mean: float
    spread: float


CONVERSATION = Lengths(1_155, 1.0), Lengths(211, 0.8)
"""Prompts and answers about as long as those of the Azure conversation trace of 2023; the spreads are ours."""


def synthetic(requests: int, per_s: float, prompt: Lengths, output: Lengths, seed: int) -> Trace:
    """`requests` requests, `per_s` of them a second on average."""
    random = np.random.default_rng(seed)
    gaps_ps = np.rint(random.exponential(PS_PER_S / per_s, requests)).astype(np.int64)

    def draw(lengths: Lengths) -> NDArray[np.int64]:
        drawn = random.lognormal(math.log(lengths.mean) - lengths.spread**2 / 2, lengths.spread, requests)
        return np.clip(np.rint(drawn), _SHORTEST, _LONGEST).astype(np.int64)

    trace = Trace("synthetic")
    for column, values in (
        (trace.arrival_ps, np.cumsum(gaps_ps)),
        (trace.prompt_tokens, draw(prompt)),
        (trace.output_tokens, draw(output)),
    ):
        column.frombytes(values.tobytes())
    trace.sort()
    return trace
