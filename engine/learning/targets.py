"""Where a condition leads the player: one thing to touch after another, in machine-readable form.

tool:NAME            take a tool in hand: a machine kind, or `belt`
tile:X,Y,ROT         place what is in hand there
belt:X,Y>X,Y         drag a belt from the machine on a tile to the one on another
move:ID>X,Y          drag a machine to a tile
remove:ID            take a machine or belt away
machine:ID           select a machine
setting:ID,NAME,N    set a setting of a machine
panel:NAME           open a panel of the dock
codex:PAGE           open a page of the codex
time:start           let the requests come
time:run             let time go on
time:restart         begin the run anew with what is built
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import product

from engine.errors import EngineError
from engine.floor.grid import Grid, stand
from engine.floor.kinds import KINDS
from engine.floor.machines import Machine
from engine.floor.pad import Pad
from engine.floor.routing import find_route
from engine.learning.conditions import ROUTER, fed, holds, linked, of_kind, right_pads, right_ways, wrong_links
from engine.level.lessons import (
    AllOf,
    AnyOf,
    Condition,
    Linked,
    NotCrashed,
    NotLinked,
    Placed,
    SettingAtLeast,
    SettingIs,
    SettingOfOne,
    Step,
    Told,
    Unchanged,
    WayTo,
)
from engine.simulation import BUILD, ENDED, Simulation

_NONE = -1


def targets(condition: Condition, simulation: Simulation, facts: Set[str]) -> list[str]:
    """What the player touches, in this order, so that a condition that does not hold comes to hold."""
    match condition:
        case Placed():
            return _place(condition, simulation)
        case Linked():
            return _connect(condition, simulation)
        case SettingAtLeast() | SettingIs() | SettingOfOne():
            return _set(condition, simulation)
        case WayTo():
            return _lead(condition, simulation)
        case Told():
            return [_told(condition.fact, simulation)]
        case NotCrashed() | Unchanged():
            return ["time:restart"]
        case AnyOf():
            return targets(condition.conditions[0], simulation, facts)
        case AllOf():
            missing = [one for one in condition.conditions if not holds(one, simulation, facts)]
            return targets((missing or condition.conditions)[0], simulation, facts)
        case NotLinked():
            return [f"remove:{id}" for id in wrong_links(condition, simulation)]
    return [_time(simulation)]


def _time(simulation: Simulation) -> str:
    if simulation.phase == BUILD:
        return "time:start"
    return "time:restart" if simulation.phase == ENDED else "time:run"


def _told(fact: str, simulation: Simulation) -> str:
    subject, _, name = fact.partition(":")
    if subject == "selected":
        machines = of_kind(simulation, name)
        return f"machine:{machines[0].id}" if machines else f"tool:{name}"
    return fact


def _place(condition: Placed, simulation: Simulation) -> list[str]:
    kind, site = condition.kind, simulation.site
    own = [machine for machine in of_kind(simulation, kind) if machine.id not in site.fixed]
    moved = own[0].id if site.left(kind) <= 0 and own else _NONE
    for x, y in _places(condition, simulation):
        try:
            site.may_place(kind, x, y, 0, moved)
        except EngineError:
            continue
        return [f"tool:{kind}", f"tile:{x},{y},0"] if moved == _NONE else [f"move:{moved}>{x},{y},0"]
    others = of_kind(simulation, condition.apart)
    if len(others) > 1:
        return [f"remove:{min(others, key=fed).id}"]  # it stands on every card that there is
    return [f"tool:{kind}"]


def _places(condition: Placed, simulation: Simulation) -> Iterator[tuple[int, int]]:
    """The good place first, then all of the right pads (of the floor, for what needs none), row by row."""
    pads = right_pads(condition, simulation)

    def fits(pad: Pad | None) -> bool:
        return pad.id in pads if pad is not None else not KINDS[condition.kind].on_pad

    tiles = ((x, y) for y, x in product(range(simulation.level.height), range(simulation.level.width)))
    for x, y in (condition.at, *tiles):
        if fits(simulation.site.grid.pad_at((x, y))):
            yield x, y


def _connect(condition: Linked, simulation: Simulation) -> list[str]:
    done = linked(condition, simulation)
    pairs = [
        (source, target)
        for source in of_kind(simulation, condition.source)
        for target in of_kind(simulation, condition.target)
        if (not condition.apart or source.pad is not target.pad) and (source.id, target.id) not in done
    ]
    if not pairs:
        missing = condition.target if of_kind(simulation, condition.source) else condition.source
        return [f"tool:{missing}"]
    sources, ends = {source for source, _ in done}, {target for _, target in done}
    source, target = max(pairs, key=lambda pair: (pair[0].id not in sources, pair[1].id not in ends, *_use(pair)))
    full = _last_port(source, target, simulation)
    if full is not None:
        return [f"remove:{full}"]
    if not _way(simulation.site.grid, source, target):
        return _make_way(source, target, simulation)
    return ["tool:belt", f"belt:{source.stand.x},{source.stand.y}>{target.stand.x},{target.stand.y}"]


def _use(pair: tuple[Machine, Machine]) -> tuple[bool, bool]:
    """Machines that have a part in the line already come first."""
    return bool(pair[0].inputs), bool(pair[1].outputs)


def _make_way(source: Machine, target: Machine, simulation: Simulation) -> list[str]:
    """Where no belt can be laid: bring machines to good places, the two first, then take away what is between them."""
    site, floor = simulation.site, simulation.floor
    own = [one for id, one in floor.machines.items() if id not in site.fixed]
    for machine in sorted(own, key=lambda one: one not in (source, target)):
        step = _to_good_place(machine, simulation)
        if step is not None:
            return [step]
    belts = sorted(floor.belts.values(), key=lambda belt: (-len(belt.tiles), belt.id))
    for id in (*(belt.id for belt in belts), *(machine.id for machine in own)):
        if id not in (source.id, target.id) and _way(site.grid.without(id), source, target):
            return [f"remove:{id}"]
    return ["tool:belt"]


def _to_good_place(machine: Machine, simulation: Simulation) -> str | None:
    """What brings a machine to where the tutorial would have placed it; None when it is there."""
    site, at, place = simulation.site, machine.stand, _good_place(machine, simulation.level.tutorial)
    if place is None or (at.x, at.y, at.rotation) == (*place, 0):
        return None
    footprint = site.grid.tiles_of(stand(at.kind.name, *place, 0))
    there = [id for id in (site.grid.taken.get(tile, machine.id) for tile in footprint) if id != machine.id]
    if not there:
        return f"move:{machine.id}>{place[0]},{place[1]},0"
    other = simulation.floor.machines.get(there[0])
    spare = other is not None and other.stand.kind is at.kind
    return f"remove:{machine.id if spare else there[0]}"


def _good_place(machine: Machine, steps: Sequence[Step]) -> tuple[int, int] | None:
    """Where the tutorial would have placed a machine."""
    todo = [step.done for step in steps]
    while todo:
        condition = todo.pop(0)
        if isinstance(condition, AnyOf | AllOf):
            todo += condition.conditions
        elif isinstance(condition, Placed) and condition.kind == machine.stand.kind.name:
            return condition.at
    return None


def _way(grid: Grid, source: Machine, target: Machine) -> bool:
    start, goal = source.stand, target.stand
    try:
        find_route(grid, (start.x, start.y), (goal.x, goal.y))
    except EngineError:
        return False
    return True


def _last_port(source: Machine, target: Machine, simulation: Simulation) -> int | None:
    """A belt that takes the last port which the new one needs: it leads past where it should."""
    taken = simulation.site.grid.ports_taken()
    if all((source.id, port) in taken for port in source.stand.kind.outputs):
        return source.outputs[0].id
    packets = {packet for port in source.stand.kind.outputs.values() for packet in port.packets}
    fitting = [name for name, port in target.stand.kind.inputs.items() if packets & set(port.packets)]
    if all((target.id, port) in taken for port in fitting):
        return target.inputs[0].id
    return None


def _set(condition: SettingAtLeast | SettingIs | SettingOfOne, simulation: Simulation) -> list[str]:
    machines = of_kind(simulation, condition.kind)
    if isinstance(condition, SettingOfOne):
        machines.sort(key=lambda machine: (machine.stand.x, machine.stand.y) != condition.at)
    wrong = [machine for machine in machines if machine.settings[condition.name] != condition.value]
    if not wrong:
        return [f"tool:{condition.kind}"]
    id = wrong[0].id
    return [f"machine:{id}", f"setting:{id},{condition.name},{condition.value}"]


def _lead(condition: WayTo, simulation: Simulation) -> list[str]:
    for router in of_kind(simulation, ROUTER):
        for way in right_ways(condition, router)[:1]:
            return [f"machine:{router.id}", f"setting:{router.id},{condition.setting},{way}"]
    return ["tool:belt" if of_kind(simulation, ROUTER) else f"tool:{ROUTER}"]


def taken(target: str, simulation: Simulation, facts: Set[str]) -> bool:
    """Whether the player has done what a target asks for, so that the next one is due: a tool is in hand, a machine
    is selected.
    """
    subject, _, name = target.partition(":")
    if subject == "machine":
        machine = simulation.floor.machines.get(int(name))
        return machine is not None and f"selected:{machine.stand.kind.name}" in facts
    return subject == "tool" and target in facts
