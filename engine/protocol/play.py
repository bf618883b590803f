"""Playing a layout from start to end, at any speed."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.floor.layout import Layout, layout_to_data
from engine.level.hooks import HookCaller, HookRunner, local_hooks
from engine.level.spec import Level
from engine.protocol.commands import give
from engine.simulation import RUNNING, Simulation
from engine.units import PS_PER_S

SPEEDS = ("1", "2", "4", "8", "step", "max")
_FRAMES_PER_S = 60
_LOOK_AGAIN_S = 0.0005


def play(
    level: Level,
    seed: int,
    layout: Layout,
    speed: str = "max",
    look: Callable[[Simulation], None] | None = None,
    caller: HookCaller | None = None,
    checkpoints: bool = True,
) -> Simulation:
    """A whole run of a layout.

    `speed` changes how it is simulated, and `look` sees it once a simulated second: neither changes what happens, nor
    does whether there are checkpoints. `caller` calls the level's hooks; without one, those are called whose code is
    here.
    """
    simulation = Simulation(level, seed)
    simulation.keeps_checkpoints = checkpoints
    caller = caller or local_hooks(level)
    if caller is not None and level.hooks:
        HookRunner(caller).attach(simulation)
    simulation.floor.step_by_step = speed == "step"
    give(simulation, {"v": 1, "do": "layout", "layout": layout_to_data(layout)})
    give(simulation, {"v": 1, "do": "start"})
    if speed in ("max", "step"):
        _advance(simulation, simulation.end_ps, look)
    frame = 0
    while simulation.phase == RUNNING:
        frame += 1
        _advance(simulation, frame * int(speed) * PS_PER_S // _FRAMES_PER_S, look)
    return simulation


def _advance(simulation: Simulation, to_ps: int, look: Callable[[Simulation], None] | None) -> None:
    second = (simulation.now // PS_PER_S + 1) * PS_PER_S
    while look is not None and simulation.phase == RUNNING and second <= to_ps:
        _reach(simulation, second)
        look(simulation)
        second += PS_PER_S
    _reach(simulation, to_ps)


def _reach(simulation: Simulation, to_ps: int) -> None:
    """Go on to a time, whatever time hooks take."""
    simulation.advance(to_ps)
    while simulation.waits:
        time.sleep(_LOOK_AGAIN_S)
        simulation.advance(to_ps)
