"""A run of a layout that somebody watches second by second; of a trace, until its last request is done."""

from __future__ import annotations

import math

from attrs import define, evolve, field

from engine.floor.layout import Layout, layout_to_data
from engine.level.hooks import HookCaller
from engine.level.spec import Level
from engine.metrics.memory import MemoryBook
from engine.protocol.commands import give
from engine.protocol.play import play
from engine.simulation import Simulation
from engine.traffic.trace import TraceTraffic
from engine.units import PS_PER_S

PATIENCE_S = 600
"""So long after the last arrival, or the last token if that is later, a trace's run is given up."""


@define
class Watch:
    """What is seen once a simulated second; its lists have an entry each."""

    memory: MemoryBook = field(factory=MemoryBook)
    seconds: list[int] = field(factory=list)
    queue: list[int] = field(factory=list)
    """Requests that wait in front of machines."""
    used_bytes: list[list[int]] = field(factory=list)
    """Of each card, weights and all."""

    def look(self, simulation: Simulation) -> None:
        """Write down how things stand."""
        self.memory.look(simulation)
        simulation.settle()
        waiting = 0
        for machine in simulation.floor.machines.values():
            waiting += machine.queue_length()
        self.seconds.append(simulation.now // PS_PER_S)
        self.queue.append(waiting)
        self.used_bytes.append([pad.used_bytes for pad in simulation.floor.pads.values()])


def run(level: Level, seed: int, layout: Layout, watch: Watch | None, caller: HookCaller | None = None) -> Simulation:
    """A run from start to end."""
    look = None if watch is None else watch.look
    return play(level, seed, layout, look=look, caller=caller, checkpoints=False)


def run_traced(level: Level, seed: int, layout: Layout, watch: Watch | None) -> Simulation:
    """A run of a level under a trace (`engine.what_if.traced`), until every request is done, refused or given up."""
    last_ps = max(arrivals[-1][0] for arrivals in _arrivals(level) if arrivals)
    awaited = 0
    for arrivals in _arrivals(level):
        awaited += len(arrivals)
    level = evolve(level, end_s=math.ceil(last_ps / PS_PER_S) + 100 * PATIENCE_S)
    simulation = Simulation(level, seed)
    simulation.keeps_checkpoints = False
    give(simulation, {"v": 1, "do": "layout", "layout": layout_to_data(layout)})
    give(simulation, {"v": 1, "do": "start"})
    tokens, since_ps = 0, last_ps
    while simulation.now < simulation.end_ps:
        simulation.advance((simulation.now // PS_PER_S + 1) * PS_PER_S)
        if watch is not None:
            watch.look(simulation)
        if simulation.now < last_ps:
            continue
        if len(simulation.floor.requests) == awaited and not _open(simulation):
            break
        if simulation.tokens() != tokens:
            tokens, since_ps = simulation.tokens(), simulation.now
        elif simulation.now - since_ps >= PATIENCE_S * PS_PER_S:
            break
    return simulation


def _arrivals(level: Level) -> list[list[list[int]]]:
    return [traffic.arrivals for traffic in level.streams if isinstance(traffic, TraceTraffic)]


def _open(simulation: Simulation) -> bool:
    """Whether a request is under way."""
    simulation.write()
    requests = reversed(simulation.floor.requests.values())
    return any(not (request.done or request.refused or request.lost_ps >= 0) for request in requests)
