"""What stands where in a factory: what the figures are computed for. Before a machine is placed, it is what the level
would give it, so that a page has its numbers on an empty floor.
"""

from __future__ import annotations

from engine.floor.machines import Machine
from engine.floor.machines.core import Core
from engine.floor.machines.token_maker import TokenMaker
from engine.floor.pad import Pad
from engine.physics.roofline import Deployment
from engine.simulation import Simulation
from engine.traffic.kinds import mean_tokens
from engine.units import PS_PER_MS


def worker(simulation: Simulation, kind: str) -> str:
    """Who does a core's work in this level: the core, or a Model Server where there is none."""
    settings = simulation.level.settings
    return "model_server" if kind not in settings and "model_server" in settings else kind


def first(simulation: Simulation, kind: str) -> Machine | None:
    """The machine of a kind that was placed first."""
    kind = worker(simulation, kind)
    machines = [one for one in simulation.floor.machines.values() if one.stand.kind.name == kind]
    return min(machines, key=lambda machine: machine.order, default=None)


def pad(simulation: Simulation, kind: str) -> Pad:
    """The card on which the first machine of a kind stands; before there is one, the last card of the level."""
    machine, pads = first(simulation, kind), list(simulation.floor.pads.values())
    return pads[-1] if machine is None or machine.pad is None else machine.pad


def deployment(simulation: Simulation, kind: str) -> Deployment:
    """The model of the first machine of a kind, on its card."""
    machine = first(simulation, kind)
    model = machine.model() if isinstance(machine, Core) else None
    return simulation.floor.deployment(pad(simulation, kind).gpu, model)


def setting(simulation: Simulation, kind: str, name: str) -> int:
    """A setting of the first machine of a kind; before there is one, what the level gives it."""
    machine = first(simulation, kind)
    if machine is not None and name in machine.settings:
        return machine.settings[name]
    return simulation.level.settings[worker(simulation, kind)][name].value


def prompt(simulation: Simulation) -> int:
    """The longest prompt of the level, in tokens."""
    return simulation.floor.traffic.prompt.high


def context(simulation: Simulation) -> int:
    """Tokens of a sequence halfway through a mean answer to a mean prompt."""
    prompt, output = mean_tokens(simulation.floor.streams)
    return int(prompt) + int(output) // 2


def batch(simulation: Simulation) -> int | None:
    """Sequences that decode now, where they are most; None before there is a machine that makes tokens."""
    makers = [one for one in simulation.floor.machines.values() if isinstance(one, TokenMaker)]
    return max((maker.scheduler.running for maker in makers), default=None)


def step_ms(simulation: Simulation, batch: int) -> float:
    """A decode step of so many sequences of a mean length."""
    cost = deployment(simulation, "decode_core").decode(batch)
    return cost.steps_ps(1, batch * context(simulation), batch) / PS_PER_MS
