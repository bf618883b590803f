"""All kinds of traffic, and several streams looked at as one."""

from __future__ import annotations

from collections.abc import Sequence

from engine.traffic.day import DayTraffic
from engine.traffic.trace import TraceTraffic
from engine.traffic.traffic import BurstTraffic, Lengths, PoissonTraffic, Traffic
from engine.units import PS_PER_S

ByChance = PoissonTraffic | BurstTraffic | DayTraffic
"""Arrivals that are drawn one after the other, at a rate that may change."""
AnyTraffic = Traffic | PoissonTraffic | BurstTraffic | DayTraffic | TraceTraffic


def as_one(streams: Sequence[AnyTraffic]) -> AnyTraffic:
    """The stream, or what several have in common: the mean time between requests, the shortest and longest lengths."""
    if len(streams) == 1:
        return streams[0]
    per_s = 0.0
    for stream in streams:
        per_s += PS_PER_S / stream.interval_ps
    prompts, outputs = [stream.prompt for stream in streams], [stream.output for stream in streams]
    return Traffic(round(PS_PER_S / per_s), 0, _widest(prompts), _widest(outputs))


def asked_tps(streams: Sequence[AnyTraffic], docks: int) -> int:
    """Tokens per second that requests ask for at so many docks, on average; they take turns with a trace."""
    total = 0.0
    for stream in streams:
        total += (1 if isinstance(stream, TraceTraffic) else docks) * stream.output.mean * PS_PER_S / stream.interval_ps
    return round(total)


def mean_tokens(streams: Sequence[AnyTraffic]) -> tuple[float, float]:
    """Of a prompt and of an answer, on average over all requests."""
    if len(streams) == 1:
        return streams[0].prompt.mean, streams[0].output.mean
    per_s = prompts = outputs = 0.0
    for stream in streams:
        rate = PS_PER_S / stream.interval_ps
        per_s, prompts, outputs = (
            per_s + rate,
            prompts + rate * stream.prompt.mean,
            outputs + rate * stream.output.mean,
        )
    return prompts / per_s, outputs / per_s


def _widest(lengths: list[Lengths]) -> Lengths:
    return Lengths(min(each.low for each in lengths), max(each.high for each in lengths))
