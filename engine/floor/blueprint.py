"""Blueprints: a part of a factory as a layout whose least x and y are 0, and as text that can be pasted anywhere.

Text is data and nothing else: a prefix, then JSON, compressed and in base64; or the JSON itself.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence

import attrs

from engine.errors import EngineError
from engine.floor.changes import selection
from engine.floor.geometry import Tile, turned_size, turned_tile
from engine.floor.grid import stand
from engine.floor.layout import (
    MAX_JSON_BYTES,
    Layout,
    PlacedBelt,
    PlacedEnd,
    PlacedMachine,
    layout_from_json,
    layout_to_data,
)
from engine.floor.site import Site

PREFIX = "TF1:"
MAX_TEXT = 200_000
MAX_SIDE = 4096
"""Longest side of a blueprint, in tiles."""


def of(site: Site, ids: list[int]) -> Layout:
    """A blueprint of the player's machines among `ids`, with the belts between them and those to the level's docks."""
    docks = set(ids) & site.fixed
    machines, belts = selection(site, [id for id in ids if id not in docks])
    if not machines:
        raise EngineError("blueprint.empty")
    inside = {*machines, *site.fixed}
    laid = [
        site.placed_belt(belt)
        for belt in site.floor.belts.values()
        if {belt.source.machine, belt.target.machine} <= inside
        and (belt.id in belts or {belt.source.machine, belt.target.machine} & site.fixed)
    ]
    placed = {(machine.stand.x, machine.stand.y) for machine in machines.values()}
    layout = Layout([machine for machine in site.layout().machines if (machine.x, machine.y) in placed], laid)
    left, top, _, _ = _bounds(layout)
    return moved(layout, -left, -top)


def size(blueprint: Layout) -> Tile:
    """Width and height in tiles, of its machines and of the belts between them."""
    _, _, width, height = _bounds(blueprint)
    return width, height


def turned(blueprint: Layout, rotation: int) -> Layout:
    """The blueprint after `rotation` quarter turns clockwise. Belts to machines that are not in it are left out."""
    if rotation % 4 == 0:
        return blueprint
    whole = size(blueprint)
    places: dict[Tile, Tile] = {}
    machines = []
    for machine in blueprint.machines:
        x, y = _turned_origin(machine, whole, rotation)
        places[machine.x, machine.y] = x, y
        machines.append(attrs.evolve(machine, x=x, y=y, rotation=(machine.rotation + rotation) % 4))
    belts = []
    for belt in blueprint.belts:
        ends = [places.get((end.x, end.y)) for end in (belt.source, belt.target)]
        if ends[0] is not None and ends[1] is not None:
            tiles = [list(turned_tile((tile[0], tile[1]), whole, rotation)) for tile in belt.tiles]
            source, target = (
                PlacedEnd(*place, end.port)
                for place, end in zip(ends, (belt.source, belt.target), strict=True)
                if place
            )
            belts.append(PlacedBelt(tiles, source, target))
    return Layout(machines, belts)


def moved(blueprint: Layout, dx: int, dy: int) -> Layout:
    """All of it elsewhere."""

    def end(one: PlacedEnd) -> PlacedEnd:
        return attrs.evolve(one, x=one.x + dx, y=one.y + dy)

    return Layout(
        [attrs.evolve(machine, x=machine.x + dx, y=machine.y + dy) for machine in blueprint.machines],
        [
            PlacedBelt([[tile[0] + dx, tile[1] + dy] for tile in belt.tiles], end(belt.source), end(belt.target))
            for belt in blueprint.belts
        ],
    )


def pasted(site: Site, blueprint: Layout, x: int, y: int, rotation: int) -> tuple[Layout, Layout, int]:
    """The layout with a blueprint in it, what is new in it, and how many belts are left out because a machine at
    their end is not there. Settings that the level does not know are left out, values brought into its range.
    """
    if not 0 <= rotation <= 3:
        raise EngineError("place.rotation", rotation=rotation)
    new = moved(turned(blueprint, rotation), x, y)
    machines = [attrs.evolve(machine, settings=_settings(site, machine)) for machine in new.machines]
    origins = {(machine.x, machine.y) for machine in machines}
    origins |= {(machine.stand.x, machine.stand.y) for machine in site.floor.machines.values()}
    belts = [belt for belt in new.belts if {(belt.source.x, belt.source.y), (belt.target.x, belt.target.y)} <= origins]
    fresh, layout = Layout(machines, belts), site.layout()
    return Layout(layout.machines + machines, layout.belts + belts), fresh, len(blueprint.belts) - len(belts)


def to_text(blueprint: Layout) -> str:
    """The blueprint as text."""
    plain = json.dumps(layout_to_data(blueprint), separators=(",", ":"), sort_keys=True)
    return PREFIX + base64.b64encode(zlib.compress(plain.encode(), 9)).decode()


def from_text(text: str) -> Layout:
    """A blueprint from text; EngineError `blueprint.*` or `layout.*` says what is wrong with it."""
    text = "".join(text[: MAX_TEXT + 1].split())
    if not text:
        raise EngineError("blueprint.empty")
    if len(text) > MAX_TEXT:
        raise EngineError("blueprint.too_long", most=MAX_TEXT)
    if not text.startswith(PREFIX) and not text.startswith("{"):
        raise EngineError("blueprint.none", prefix=PREFIX)
    layout = layout_from_json(_unpacked(text[len(PREFIX) :]) if text.startswith(PREFIX) else text)
    return checked(layout)


def checked(layout: Layout) -> Layout:
    """The blueprint with its least x and y at 0; EngineError for kinds that do not exist, and for a size that is out
    of all bounds.
    """
    if not layout.machines:
        raise EngineError("blueprint.empty")
    for machine in layout.machines:
        stand(machine.kind, machine.x, machine.y, machine.rotation)
    numbers = [number for machine in layout.machines for number in (machine.x, machine.y, *machine.settings.values())]
    numbers += [number for belt in layout.belts for tile in belt.tiles for number in tile]
    numbers += [number for belt in layout.belts for end in (belt.source, belt.target) for number in (end.x, end.y)]
    left, top, width, height = _bounds(layout)
    if max(map(abs, numbers)) >= 2**31 or max(width, height) > MAX_SIDE:
        raise EngineError("blueprint.too_wide", most=MAX_SIDE)
    return moved(layout, -left, -top)


def _unpacked(text: str) -> bytes:
    try:
        packed = base64.b64decode(text, validate=True)
        stream = zlib.decompressobj()
        plain = stream.decompress(packed, MAX_JSON_BYTES)
    except (ValueError, zlib.error) as error:  # base64 has more than one kind
        raise EngineError("blueprint.damaged", detail=str(error)[:100]) from error
    if stream.unconsumed_tail or not stream.eof:
        raise EngineError("blueprint.damaged", detail="it is cut off, or far too large")
    return plain


def _settings(site: Site, machine: PlacedMachine) -> dict[str, int]:
    known = site.level.settings.get(machine.kind, {})
    return {
        name: min(max(value, known[name].low), known[name].high)
        for name, value in machine.settings.items()
        if name in known
    }


def _bounds(layout: Layout) -> tuple[int, int, int, int]:
    """Least x, least y, width and height of the machines and of the belts that have both their ends in it."""
    tiles: list[Tile] = []
    origins = {(machine.x, machine.y) for machine in layout.machines}
    for machine in layout.machines:
        width, height = stand(machine.kind, machine.x, machine.y, machine.rotation).size
        tiles += [(machine.x, machine.y), (machine.x + width - 1, machine.y + height - 1)]
    for belt in layout.belts:
        if {(belt.source.x, belt.source.y), (belt.target.x, belt.target.y)} <= origins:
            tiles += [(tile[0], tile[1]) for tile in belt.tiles]
    left, top = _least(tiles)
    return left, top, max(x for x, _ in tiles) - left + 1, max(y for _, y in tiles) - top + 1


def _least(tiles: Sequence[Tile]) -> Tile:
    return min(x for x, _ in tiles), min(y for _, y in tiles)


def _turned_origin(machine: PlacedMachine, whole: Tile, rotation: int) -> Tile:
    """Where the machine's least tile is when the whole has been turned."""
    width, height = turned_size(stand(machine.kind, 0, 0, machine.rotation).kind.size, machine.rotation)
    corners = [(machine.x, machine.y), (machine.x + width - 1, machine.y + height - 1)]
    return _least([turned_tile(corner, whole, rotation) for corner in corners])
