"""A layout with another number of machines of a kind: copies work between the same neighbours as the one that they are
copies of. Where machines stand and which way belts run is worked out anew, as the proofs of a level do.
"""

from __future__ import annotations

from engine.errors import EngineError
from engine.floor.layout import Layout, PlacedMachine
from engine.level.spec import Level, PadSpec
from engine.proof.build import Builder
from engine.proof.plan import ANYWHERE, Part, Plan, Ports, kinds_of

_TRIES = 200


def with_count(level: Level, layout: Layout, kind: str, count: int) -> Layout:
    """The layout with `count` machines of a kind; the same one where it has so many. EngineError `what_if.no_room`
    where they have no place or no free ports, `what_if.nobody` where there is none to copy.
    """
    have = [machine for machine in layout.machines if machine.kind == kind]
    if len(have) == count:
        return layout
    if not have:
        raise EngineError("what_if.nobody", place=kind)
    plan = plan_of(level, layout)
    plan = _fewer(level, plan, kind, count) if count < len(have) else _more(level, plan, kind, count)
    built = Builder(level, _TRIES).build(plan)
    if built is None:
        raise EngineError("what_if.no_room", kind=kind, count=count)
    return built


def plan_of(level: Level, layout: Layout) -> Plan:
    """What a layout does, without its tiles."""
    docks = {(dock.x, dock.y): number for number, dock in enumerate(level.docks)}
    numbers = docks | {(machine.x, machine.y): len(docks) + number for number, machine in enumerate(layout.machines)}
    parts = tuple(
        Part(machine.kind, pad_of(level.pads, machine), tuple(sorted(machine.settings.items())))
        for machine in layout.machines
    )
    try:
        wires = tuple(
            (numbers[belt.source.x, belt.source.y], numbers[belt.target.x, belt.target.y]) for belt in layout.belts
        )
    except KeyError:
        raise EngineError("belt.nowhere") from None
    return Plan(parts, wires)


def pad_of(pads: list[PadSpec], machine: PlacedMachine) -> int:
    """The card that a machine stands on, by its number; `ANYWHERE` for none."""
    for number, pad in enumerate(pads):
        if pad.x <= machine.x < pad.x + pad.width and pad.y <= machine.y < pad.y + pad.height:
            return number
    return ANYWHERE


def _fewer(level: Level, plan: Plan, kind: str, count: int) -> Plan:
    """Without the last ones of a kind, and their belts."""
    docks = len(level.docks)
    mine = [number for number, part in enumerate(plan.parts) if part.kind == kind]
    gone = {docks + number for number in mine[count:]}
    kept = [number for number in range(docks + len(plan.parts)) if number not in gone]
    place = {old: new for new, old in enumerate(kept)}
    parts = tuple(plan.parts[number - docks] for number in kept if number >= docks)
    wires = tuple((place[a], place[b]) for a, b in plan.wires if a in place and b in place)
    return Plan(parts, wires, plan.way)


def _more(level: Level, plan: Plan, kind: str, count: int) -> Plan:
    """With copies of those of a kind, each in turn."""
    docks = len(level.docks)
    mine = [number for number, part in enumerate(plan.parts) if part.kind == kind]
    parts, wires = list(plan.parts), list(plan.wires)
    for copy in range(count - len(mine)):
        model = mine[copy % len(mine)]
        number = docks + len(parts)
        parts.append(plan.parts[model])
        wires += [
            (number if a == docks + model else a, number if b == docks + model else b)
            for a, b in plan.wires
            if docks + model in (a, b)
        ]
    ports = Ports(kinds_of(level, tuple(parts)))
    if not all(ports.take(source, target) for source, target in wires):
        raise EngineError("what_if.no_ports", kind=kind, count=count)
    return Plan(tuple(parts), tuple(wires), plan.way)
