"""What is wrong with traffic: a level's, or what a hook changes it to."""

from __future__ import annotations

from engine.level.problems import Problems
from engine.level.rules import LEAST_INTERVAL_PS, MAX_END_S, MAX_REQUESTS
from engine.traffic.trace import MAX_ARRIVALS, MAX_TOKENS, TraceTraffic
from engine.traffic.traffic import Lengths, Traffic
from engine.units import PS_PER_S


def check_traffic(traffic: Traffic | TraceTraffic, problems: Problems, field: str, dock_seconds: int) -> None:
    """What is wrong with traffic that comes for so many seconds, at all docks together."""
    if isinstance(traffic, TraceTraffic):
        _check_trace(traffic, problems, f"{field}.arrivals")
        return
    most = MAX_END_S * PS_PER_S
    if problems.number(f"{field}.interval_ps", traffic.interval_ps, LEAST_INTERVAL_PS, most):
        problems.number(f"{field}.jitter_ps", traffic.jitter_ps, 0, traffic.interval_ps)
        if dock_seconds * PS_PER_S // traffic.interval_ps > MAX_REQUESTS:
            problems.add(f"{field}.interval_ps", "check.requests", most=MAX_REQUESTS)
    for name, lengths in (("prompt", traffic.prompt), ("output", traffic.output)):
        _check_lengths(lengths, problems, f"{field}.{name}")


def _check_lengths(lengths: Lengths, problems: Problems, field: str) -> None:
    if problems.number(f"{field}.low", lengths.low, 1, MAX_TOKENS):
        problems.number(f"{field}.high", lengths.high, lengths.low, MAX_TOKENS)


def _check_trace(traffic: TraceTraffic, problems: Problems, field: str) -> None:
    if not problems.count(field, traffic.arrivals, 1, MAX_ARRIVALS):
        return
    last = 0
    for index, arrival in enumerate(traffic.arrivals):
        place = f"{field}[{index}]"
        if not problems.count(place, arrival, 3, 3):
            return
        fits = problems.number(f"{place}[0]", arrival[0], last, MAX_END_S * PS_PER_S)
        if not (fits and all(problems.number(place, tokens, 1, MAX_TOKENS) for tokens in arrival[1:])):
            return
        last = arrival[0]
