"""From one layout to another by the smallest change: what is equal stays, with the requests that are in it.

Undo, paste, moving a selection and replacing a machine all make a new layout of the present one and `become` it. A
layout is built on an empty floor first, so that a refused one has changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs
import simpy
from attrs import frozen

from engine.errors import EngineError
from engine.floor.belt import End
from engine.floor.floor import Floor
from engine.floor.geometry import Tile
from engine.floor.grid import stand
from engine.floor.kinds import Port, Stand
from engine.floor.layout import Layout, PlacedBelt, PlacedEnd, PlacedMachine
from engine.floor.machines import Machine
from engine.floor.routing import way_between
from engine.floor.site import Site
from engine.metrics.ledger import Ledger


def try_out(site: Site, layout: Layout) -> None:
    """EngineError with the reason when `layout` cannot be built on the level's floor."""
    empty = Site(site.level, Floor(site.level, Ledger(0)), simpy.Environment())
    empty.allowed = site.most()
    empty.build(layout)


def become(site: Site, layout: Layout) -> None:
    """Make `layout` what the player has built; nothing changes if any of it is refused."""
    try_out(site, layout)
    plan = _plan(site, layout)
    site.apply(plan.drop_belts, plan.drop_machines, plan.move, plan.settings, plan.add)


@frozen
class _Plan:
    drop_belts: list[int]
    drop_machines: list[int]
    move: dict[int, Stand]
    settings: dict[int, dict[str, int]]
    add: Layout


def _plan(site: Site, layout: Layout) -> _Plan:
    """What has to go, to move, to be set and to come."""
    own = {id: machine for id, machine in site.floor.machines.items() if id not in site.fixed}
    wanted = sorted(layout.machines, key=lambda machine: (machine.x, machine.y))
    pairs, rest, left = list[tuple[int, PlacedMachine]](), list[PlacedMachine](), dict(own)
    for exactly in (True, False):  # first those that stay as they stand, then those that turn or move
        for machine in wanted if exactly else rest[:]:
            id = _match(left, machine, exactly)
            if id is None:
                if exactly:
                    rest.append(machine)
                continue
            pairs.append((id, machine))
            del left[id]
            if not exactly:
                rest.remove(machine)
    move = {
        id: stand(machine.kind, machine.x, machine.y, machine.rotation)
        for id, machine in pairs
        if not _stands(own[id], machine)
    }
    changing = {*move, *left}
    keys = {_key(belt): belt for belt in layout.belts}
    drop = []
    for belt in site.floor.belts.values():
        known = keys.get(_key(site.placed_belt(belt)))
        if known is None or belt.source.machine in changing or belt.target.machine in changing:
            drop.append(belt.id)
        else:
            del keys[_key(known)]
    settings = {id: machine.settings for id, machine in pairs}
    return _Plan(drop, list(left), move, settings, Layout(rest, list(keys.values())))


def _match(machines: dict[int, Machine], wanted: PlacedMachine, exactly: bool) -> int | None:
    """The machine that can be `wanted`: the one that stands so, or one of its kind, best with its settings."""
    best: tuple[bool, bool, int] | None = None
    for id, machine in machines.items():
        if machine.stand.kind.name != wanted.kind or (exactly and not _stands(machine, wanted)):
            continue
        elsewhere = (machine.stand.x, machine.stand.y) != (wanted.x, wanted.y)
        rank = elsewhere, machine.settings != {**machine.settings, **wanted.settings}, machine.order
        if best is None or rank < best[:3]:
            best, found = rank, id
    return None if best is None else found


def _stands(machine: Machine, wanted: PlacedMachine) -> bool:
    at = machine.stand
    return (at.x, at.y, at.rotation, at.kind.name) == (wanted.x, wanted.y, wanted.rotation, wanted.kind)


def _key(belt: PlacedBelt) -> tuple[object, ...]:
    return tuple(map(tuple, belt.tiles)), belt.source, belt.target


# -- changes to several things at once --------------------------------------------------------------------------------


@frozen
class Relaid:
    """What became of the belts that no longer meet their ports."""

    removed: list[int]
    """Ids of belts that are gone: no free way is left."""
    relaid: list[int]
    """Ids of the belts that took the place of others, between the same ports."""


def relay(site: Site, lost: Iterable[tuple[int, PlacedEnd, PlacedEnd]]) -> Relaid:
    """Lay belts anew between their ports, where there is a free way; `lost`: old id and ends."""
    removed, relaid = [], []
    at = {(machine.stand.x, machine.stand.y): id for id, machine in site.floor.machines.items()}
    for id, source, target in lost:
        start = End(at.get((source.x, source.y), -1), source.port)
        end = End(at.get((target.x, target.y), -1), target.port)
        tiles = way_between(site.grid, start, end)
        if tiles:
            relaid.append(site.connect(start, end, tiles))
        else:
            removed.append(id)
    return Relaid(removed, relaid)


def shifted(site: Site, ids: list[int], dx: int, dy: int) -> tuple[Layout, list[tuple[int, PlacedEnd, PlacedEnd]]]:
    """The layout with machines and belts moved together, and the belts that it leaves out: those between what moves
    and what stays, with their ends as they are then.
    """
    moving, belts = selection(site, ids)
    old = {(machine.stand.x, machine.stand.y) for machine in moving.values()}

    def end(placed: PlacedEnd) -> PlacedEnd:
        return attrs.evolve(placed, x=placed.x + dx, y=placed.y + dy) if (placed.x, placed.y) in old else placed

    machines, kept, lost = [], list[PlacedBelt](), []
    for machine in site.layout().machines:
        gone = (machine.x, machine.y) in old
        machines.append(attrs.evolve(machine, x=machine.x + dx, y=machine.y + dy) if gone else machine)
    for belt in site.floor.belts.values():
        placed, ends = site.placed_belt(belt), {belt.source.machine, belt.target.machine}
        if belt.id in belts and not ends - set(moving):
            tiles = [[tile[0] + dx, tile[1] + dy] for tile in placed.tiles]
            kept.append(PlacedBelt(tiles, end(placed.source), end(placed.target)))
        elif ends & set(moving):
            lost.append((belt.id, end(placed.source), end(placed.target)))
        else:
            kept.append(placed)
    return Layout(machines, kept), lost


def selection(site: Site, ids: list[int]) -> tuple[dict[int, Machine], set[int]]:
    """The player's machines among `ids`, and the belts among them or between those machines; EngineError for what is
    not there, or belongs to the level.
    """
    machines = {id: site.own(id) for id in dict.fromkeys(ids) if id not in site.floor.belts}
    belts = {id for id in ids if id in site.floor.belts}
    for belt in site.floor.belts.values():
        if belt.source.machine in machines and belt.target.machine in machines:
            belts.add(belt.id)
    return machines, belts


def shift(site: Site, ids: list[int], dx: int, dy: int) -> Relaid:
    """Move machines and belts together."""
    layout, lost = shifted(site, ids, dx, dy)
    become(site, layout)
    return relay(site, lost)


def replaced(site: Site, id: int, kind: str) -> Layout:
    """The layout with a machine of another kind in the place of machine `id`, and the belts that it can take."""
    machine = site.own(id)
    at = machine.stand
    new = stand(kind, at.x, at.y, at.rotation)
    known = site.level.settings.get(kind, {})
    settings = {name: value for name, value in machine.settings.items() if name in known}
    layout = site.layout()
    machines = [
        PlacedMachine(kind, at.x, at.y, at.rotation, settings) if (old.x, old.y) == (at.x, at.y) else old
        for old in layout.machines
    ]
    belts = []
    for belt in site.floor.belts.values():
        placed = site.placed_belt(belt)
        source: PlacedEnd | None = placed.source
        target: PlacedEnd | None = placed.target
        if belt.source.machine == id:
            source = _at_port(placed.source, new, new.kind.outputs, belt.tiles[0], belt.packet)
        if belt.target.machine == id:
            target = _at_port(placed.target, new, new.kind.inputs, belt.tiles[-1], belt.packet)
        if source is not None and target is not None:
            belts.append(PlacedBelt(placed.tiles, source, target))
    return Layout(machines, belts)


def _at_port(end: PlacedEnd, new: Stand, ports: dict[str, Port], tile: Tile, packet: str) -> PlacedEnd | None:
    """The end of a belt at the port of `new` that lies in front of `tile`, if there is one for its packets."""
    for name, port in ports.items():
        if new.port_tile(port) == tile and packet in port.packets:
            return attrs.evolve(end, port=name)
    return None


def replace(site: Site, id: int, kind: str) -> tuple[int, list[int]]:
    """Put a machine of another kind in the place of one; its id, and the belts that are gone."""
    at, before = site.own(id).stand, _belts_by_tile(site)
    become(site, replaced(site, id, kind))
    after = _belts_by_tile(site)
    new = site.grid.taken[(at.x, at.y)]
    return new, [belt for tile, belt in before.items() if tile not in after]


def _belts_by_tile(site: Site) -> dict[Tile, int]:
    return {belt.tiles[0]: belt.id for belt in site.floor.belts.values()}


def refusal(site: Site, layout: Layout) -> EngineError | None:
    """Why `layout` cannot be built; None when it can."""
    try:
        try_out(site, layout)
    except EngineError as error:
        return error
    return None
