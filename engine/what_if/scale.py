"""More or less traffic: the same requests closer together, or further apart."""

from __future__ import annotations

from attrs import evolve

from engine.errors import EngineError
from engine.level.rules import LEAST_INTERVAL_PS
from engine.level.spec import Level
from engine.traffic.day import DayTraffic
from engine.traffic.kinds import AnyTraffic
from engine.traffic.trace import TraceTraffic
from engine.traffic.traffic import BurstTraffic, PoissonTraffic
from engine.units import PS_PER_S

MOST_PER_S = PS_PER_S // LEAST_INTERVAL_PS


def scaled(level: Level, per_s: float) -> Level:
    """The level with `per_s` requests a second on average, at all docks and of all tenants together; each stream keeps
    its part and its pattern. EngineError `what_if.rate` outside of what can be simulated.
    """
    now = rate(level)
    if not 0 < per_s <= MOST_PER_S or not now:
        raise EngineError("what_if.rate", most=MOST_PER_S)
    factor = per_s / now
    if level.tenants:
        tenants = [evolve(tenant, traffic=_times(tenant.traffic, factor)) for tenant in level.tenants]
        return evolve(level, tenants=tenants)
    return evolve(level, traffic=_times(level.streams[0], factor))


def rate(level: Level) -> float:
    """Requests per second of all streams together, on average."""
    docks = sum(dock.kind == "prompt_dock" for dock in level.docks)
    total = 0.0
    for traffic in level.streams:
        if isinstance(traffic, TraceTraffic) and not traffic.arrivals:
            continue
        total += (1 if isinstance(traffic, TraceTraffic) else docks) * PS_PER_S / traffic.interval_ps
    return total


def _times(traffic: AnyTraffic, factor: float) -> AnyTraffic:
    match traffic:
        case TraceTraffic():
            return TraceTraffic([[round(arrival[0] / factor), *arrival[1:]] for arrival in traffic.arrivals])
        case PoissonTraffic():
            return evolve(traffic, per_s=traffic.per_s * factor)
        case BurstTraffic():
            return evolve(traffic, per_s=traffic.per_s * factor, burst=traffic.burst * factor)
        case DayTraffic():
            return evolve(traffic, per_hour=[round(requests * factor) for requests in traffic.per_hour])
    interval = max(round(traffic.interval_ps / factor), 1)
    return evolve(traffic, interval_ps=interval, jitter_ps=min(round(traffic.jitter_ps / factor), interval))
