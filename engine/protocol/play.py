"""Playing a layout from start to end, at any speed."""

from __future__ import annotations

from engine.floor.layout import Layout, layout_to_data
from engine.level.spec import Level
from engine.protocol.commands import give
from engine.simulation import RUNNING, Simulation
from engine.units import PS_PER_S

SPEEDS = ("1", "2", "4", "8", "step", "max")
_FRAMES_PER_S = 60


def play(level: Level, seed: int, layout: Layout, speed: str = "max") -> Simulation:
    """A whole run of a layout; `speed` changes how it is simulated, never what happens."""
    simulation = Simulation(level, seed)
    simulation.floor.step_by_step = speed == "step"
    give(simulation, {"v": 1, "do": "layout", "layout": layout_to_data(layout)})
    give(simulation, {"v": 1, "do": "start"})
    if speed in ("max", "step"):
        simulation.advance(simulation.end_ps)
    frame = 0
    while simulation.phase == RUNNING:
        frame += 1
        simulation.advance(frame * int(speed) * PS_PER_S // _FRAMES_PER_S)
    return simulation
