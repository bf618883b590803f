"""How the conditions of a tutorial stand, from the state of the game and the facts that the view has told."""

from __future__ import annotations

from collections.abc import Set

from engine.floor.machines import Machine
from engine.floor.machines.router import WAYS
from engine.level.lessons import (
    ANY_PAD,
    AllOf,
    AnyOf,
    Condition,
    Crashed,
    Elapsed,
    GoalMet,
    Linked,
    NotCrashed,
    NotLinked,
    Placed,
    Running,
    SettingAtLeast,
    SettingIs,
    SettingOfOne,
    Told,
    Unchanged,
    WayTo,
    Won,
)
from engine.protocol.commands import FROM_HOOKS
from engine.simulation import BUILD, Simulation
from engine.units import PS_PER_S

ROUTER = "router"
_START = "start"
_NOT_BUILT = ("reboot", *FROM_HOOKS)


def holds(condition: Condition, simulation: Simulation, facts: Set[str]) -> bool:
    """Whether a condition is met now."""
    match condition:
        case Placed():
            return len(placed(condition, simulation)) >= condition.least
        case Linked():
            return len(linked(condition, simulation)) >= condition.least
        case NotLinked():
            return not wrong_links(condition, simulation)
        case SettingAtLeast():
            values = [machine.settings[condition.name] for machine in of_kind(simulation, condition.kind)]
            return bool(values) and max(values) >= condition.value
        case SettingIs():
            values = [machine.settings[condition.name] for machine in of_kind(simulation, condition.kind)]
            return bool(values) and all(value == condition.value for value in values)
        case SettingOfOne():
            machines = of_kind(simulation, condition.kind)
            return any(machine.settings[condition.name] == condition.value for machine in machines)
        case WayTo():
            return any(
                router.settings.get(condition.setting) in right_ways(condition, router)
                for router in of_kind(simulation, ROUTER)
            )
        case Running():
            return simulation.phase != BUILD
        case Elapsed():
            return simulation.now >= condition.seconds * PS_PER_S
        case Crashed():
            return simulation.floor.ledger.ooms > 0
        case NotCrashed():
            return simulation.floor.ledger.ooms == 0
        case Unchanged():
            return not built_since_start(simulation)
        case GoalMet():
            return any(one.met for one in simulation.judge() if one.goal.metric == condition.metric)
        case Told():
            return condition.fact in facts
        case Won():
            return simulation.passed
        case AnyOf():
            return any(holds(one, simulation, facts) for one in condition.conditions)
        case AllOf():
            return all(holds(one, simulation, facts) for one in condition.conditions)


def of_kind(simulation: Simulation, kind: str) -> list[Machine]:
    """Machines of a kind in the order of their places."""
    machines = [one for one in simulation.floor.machines.values() if one.stand.kind.name == kind]
    return sorted(machines, key=lambda machine: machine.order)


def links(simulation: Simulation, source: str, target: str) -> dict[int, tuple[Machine, Machine]]:
    """The belts from a kind to another, by id, with their two machines."""
    found = {}
    for id, belt in simulation.floor.belts.items():
        ends = simulation.floor.machines[belt.source.machine], simulation.floor.machines[belt.target.machine]
        if (ends[0].stand.kind.name, ends[1].stand.kind.name) == (source, target):
            found[id] = ends
    return found


def linked(condition: Linked, simulation: Simulation) -> set[tuple[int, int]]:
    """The pairs of machines whose belts meet a condition."""
    return {
        (source.id, target.id)
        for source, target in links(simulation, condition.source, condition.target).values()
        if (not condition.apart or source.pad is not target.pad) and fed(source)
    }


def right_ways(condition: WayTo, router: Machine) -> list[int]:
    """The ways out of a Router that lead where a condition wants it, as its settings have them."""
    found = []
    for belt in router.outputs:
        machine = router.floor.machines[belt.target.machine]
        fits = not condition.name or machine.settings.get(condition.name) in condition.values
        if machine.stand.kind.name == condition.target and fits:
            found.append(WAYS.index(belt.source.port))
    return found


def fed(machine: Machine) -> bool:
    """Whether a machine gets what it works on: a belt from one that gets nothing carries nothing."""
    return bool(machine.inputs) or not machine.stand.kind.inputs


def wrong_links(condition: NotLinked, simulation: Simulation) -> list[int]:
    """The belts that should not be there."""
    found = links(simulation, condition.source, condition.target)
    return [id for id, ends in found.items() if not condition.together or ends[0].pad is ends[1].pad]


def right_pads(condition: Placed, simulation: Simulation) -> set[int]:
    """The pads on which a machine would meet a condition."""
    pads = {condition.pad} if condition.pad != ANY_PAD else set(simulation.floor.pads)
    if condition.beside:
        pads &= _pads_with(simulation, condition.beside)
    return pads - _pads_with(simulation, condition.apart)


def placed(condition: Placed, simulation: Simulation) -> list[Machine]:
    """The machines that meet a condition."""
    pads = right_pads(condition, simulation)
    return [machine for machine in of_kind(simulation, condition.kind) if machine.pad is None or machine.pad.id in pads]


def built_since_start(simulation: Simulation) -> bool:
    """Whether something was built after the requests had begun to come."""
    names = [message["do"] for _, message in simulation.commands if message["do"] not in _NOT_BUILT]
    return _START in names and names[-1] != _START


def _pads_with(simulation: Simulation, kind: str) -> set[int]:
    return {machine.pad.id for machine in of_kind(simulation, kind) if machine.pad is not None}
