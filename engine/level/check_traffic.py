"""What is wrong with traffic: a level's, or what a hook changes it to."""

from __future__ import annotations

from engine.level.problems import Problems
from engine.level.rules import LEAST_INTERVAL_PS, MAX_END_S, MAX_REQUESTS
from engine.traffic.day import HOURS, DayTraffic
from engine.traffic.kinds import AnyTraffic
from engine.traffic.trace import MAX_ARRIVALS, MAX_TOKENS, TraceTraffic
from engine.traffic.traffic import BurstTraffic, Lengths, PoissonTraffic
from engine.units import PS_PER_S

_LEAST_PER_S = 1 / MAX_END_S
_MOST_PER_S = PS_PER_S / LEAST_INTERVAL_PS
"""As `LEAST_INTERVAL_PS` has it."""


def check_traffic(traffic: AnyTraffic, problems: Problems, field: str, dock_seconds: int) -> None:
    """What is wrong with traffic that comes for so many seconds, at all docks together."""
    if isinstance(traffic, TraceTraffic):
        _check_trace(traffic, problems, f"{field}.arrivals")
        return
    if isinstance(traffic, PoissonTraffic):
        rate, fits = "per_s", problems.number(f"{field}.per_s", traffic.per_s, _LEAST_PER_S, _MOST_PER_S)
    elif isinstance(traffic, BurstTraffic):
        rate, fits = "burst", _check_bursts(traffic, problems, field)
    elif isinstance(traffic, DayTraffic):
        rate, fits = "per_hour", _check_day(traffic, problems, field)
    else:
        rate = "interval_ps"
        fits = problems.number(f"{field}.{rate}", traffic.interval_ps, LEAST_INTERVAL_PS, MAX_END_S * PS_PER_S)
        if fits:
            problems.number(f"{field}.jitter_ps", traffic.jitter_ps, 0, traffic.interval_ps)
    if fits and dock_seconds * PS_PER_S // traffic.interval_ps > MAX_REQUESTS:
        problems.add(f"{field}.{rate}", "check.requests", most=MAX_REQUESTS)
    for name, lengths in (("prompt", traffic.prompt), ("output", traffic.output)):
        _check_lengths(lengths, problems, f"{field}.{name}")


def _check_bursts(traffic: BurstTraffic, problems: Problems, field: str) -> bool:
    fits = [
        problems.number(f"{field}.per_s", traffic.per_s, 0, _MOST_PER_S),
        problems.number(f"{field}.burst", traffic.burst, _LEAST_PER_S, _MOST_PER_S),
        problems.number(f"{field}.every_s", traffic.every_s, 0.001, MAX_END_S),
        problems.number(f"{field}.burst_s", traffic.burst_s, 0.001, traffic.every_s),
    ]
    return all(fits)


def _check_day(traffic: DayTraffic, problems: Problems, field: str) -> bool:
    fits = [problems.number(f"{field}.hour_s", traffic.hour_s, 1, 3600)]
    if not problems.count(f"{field}.per_hour", traffic.per_hour, HOURS, HOURS):
        return False
    for index, requests in enumerate(traffic.per_hour):
        fits.append(problems.number(f"{field}.per_hour[{index}]", requests, 0, round(_MOST_PER_S * 3600)))
    fits.append(problems.number(f"{field}.per_hour", max(traffic.per_hour), 1, round(_MOST_PER_S * 3600)))
    return all(fits)


def _check_lengths(lengths: Lengths, problems: Problems, field: str) -> None:
    fits = problems.number(f"{field}.low", lengths.low, 1, MAX_TOKENS)
    if not (fits and problems.number(f"{field}.high", lengths.high, lengths.low, MAX_TOKENS)) or not lengths.deciles:
        return
    if problems.count(f"{field}.deciles", lengths.deciles, 9, 9):
        least = lengths.low
        for index, value in enumerate(lengths.deciles):
            if not problems.number(f"{field}.deciles[{index}]", value, least, lengths.high):
                return
            least = value


def _check_trace(traffic: TraceTraffic, problems: Problems, field: str) -> None:
    if not problems.count(field, traffic.arrivals, 1, MAX_ARRIVALS):
        return
    last = 0
    for index, arrival in enumerate(traffic.arrivals):
        place = f"{field}[{index}]"
        if not problems.count(place, arrival, 3, 5):
            return
        fits = problems.number(f"{place}[0]", arrival[0], last, MAX_END_S * PS_PER_S)
        if not (fits and all(problems.number(place, tokens, 1, MAX_TOKENS) for tokens in arrival[1:3])):
            return
        if arrival[3:] and not (
            problems.count(place, arrival, 5, 5)
            and problems.number(f"{place}[3]", arrival[3], 0, MAX_ARRIVALS)
            and problems.number(f"{place}[4]", arrival[4], 1, arrival[1])
        ):
            return
        last = arrival[0]
