"""Questions about building: may this go here, and what would it be."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from attrs import field, frozen

from engine.errors import EngineError
from engine.floor.belt import latency_ps
from engine.floor.blueprint import checked, from_text, moved, of, pasted, size, to_text
from engine.floor.changes import refusal, replaced, selection, shifted, try_out
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.grid import NOTHING, stand
from engine.floor.kinds import KV, PROMPT
from engine.floor.layout import Layout, PlacedMachine, layout_from_data, layout_hash, layout_to_data
from engine.floor.routing import find_route
from engine.protocol.asks.question import Nothing, Question
from engine.simulation import Simulation

_MOST_VIA = 100


@frozen
class _CanPlace:
    kind: str
    x: int
    y: int
    rot: int
    ignore: int = -1


@frozen
class _Route:
    target: list[int]
    source: list[int] = field(factory=list)
    via: list[list[int]] = field(factory=list)
    replace: int = NOTHING


@frozen
class _CanPaste:
    blueprint: dict[str, Any]
    x: int
    y: int
    rot: int = 0


@frozen
class _CanShift:
    ids: list[int]
    dx: int
    dy: int


@frozen
class _CanReplace:
    id: int
    kind: str


@frozen
class _Blueprint:
    ids: list[int]


@frozen
class _BlueprintRead:
    text: str


def _can_place(simulation: Simulation, question: _CanPlace) -> dict[str, Any]:
    simulation.site.may_place(question.kind, question.x, question.y, question.rot, question.ignore)
    return {}


def _route(simulation: Simulation, question: _Route) -> dict[str, Any]:
    site = simulation.site
    source = question.source
    if question.replace != NOTHING:
        belt = simulation.floor.belts.get(question.replace)
        if belt is None:
            raise EngineError("belt.unknown", id=question.replace)
        source = list(belt.tiles[0])
    if any(len(tile) != 2 for tile in (source, question.target, *question.via)) or len(question.via) > _MOST_VIA:
        raise EngineError("message.malformed", detail="a tile is [x, y]")
    start, goal, *via = ((tile[0], tile[1]) for tile in (source, question.target, *question.via))
    route = find_route(site.grid.without(question.replace), start, goal, via)
    payload, chunk = _typical_packet(simulation, route.packet)
    target = route.target
    return {
        "tiles": [list(tile) for tile in route.tiles],
        "kind": route.packet,
        "from": {"machine": route.source.machine, "port": route.source.port},
        "to": None if target is None else {"machine": target.machine, "port": target.port},
        "latency_ps": latency_ps(simulation.floor.link, len(route.tiles), payload, chunk),
        "length": len(route.tiles),
    }


def _typical_packet(simulation: Simulation, packet: str) -> tuple[int, int]:
    """Bytes of a packet, and of what is stored at each hop, for a prompt of the level's longest kind."""
    tokens = simulation.floor.traffic.prompt.high
    if packet == KV:
        return simulation.floor.kv_bytes(tokens), simulation.floor.layer_bytes(tokens)
    size = BYTES_PER_TOKEN_ID * (tokens if packet == PROMPT else 1)
    return size, size


def _can_paste(simulation: Simulation, question: _CanPaste) -> dict[str, Any]:
    plan = checked(layout_from_data(question.blueprint))
    layout, new, _ = pasted(simulation.site, plan, question.x, question.y, question.rot)
    return _fit(simulation, layout, new, ())


def _can_shift(simulation: Simulation, question: _CanShift) -> dict[str, Any]:
    site = simulation.site
    layout, _ = shifted(site, question.ids, question.dx, question.dy)
    machines, belts = selection(site, question.ids)
    old = {(machine.stand.x + question.dx, machine.stand.y + question.dy) for machine in machines.values()}
    moving = [machine for machine in layout.machines if (machine.x, machine.y) in old]
    laid = [site.placed_belt(simulation.floor.belts[id]) for id in sorted(belts)]
    new = Layout(moving, moved(Layout([], laid), question.dx, question.dy).belts)
    return _fit(simulation, layout, new, [*machines, *simulation.floor.belts])


def _fit(simulation: Simulation, layout: Layout, new: Layout, gone: Collection[int]) -> dict[str, Any]:
    """Whether `layout` can be built, and which machines of what is `new` in it may stand where they would, when
    `gone` are not in their way.
    """
    error = refusal(simulation.site, layout)
    tiles = [tile for belt in new.belts for tile in belt.tiles]
    return {
        "fits": error is None,
        "code": "" if error is None else error.code,
        "params": {} if error is None else error.params,
        "machines": {
            "kind": [machine.kind for machine in new.machines],
            "x": [machine.x for machine in new.machines],
            "y": [machine.y for machine in new.machines],
            "rot": [machine.rotation for machine in new.machines],
            "fits": [_stands(simulation, machine, gone) for machine in new.machines],
        },
        "tiles_x": [tile[0] for tile in tiles],
        "tiles_y": [tile[1] for tile in tiles],
    }


def _stands(simulation: Simulation, machine: PlacedMachine, gone: Collection[int]) -> bool:
    try:
        simulation.site.grid.check_stand(stand(machine.kind, machine.x, machine.y, machine.rotation), gone)
    except EngineError:
        return False
    return True


def _can_replace(simulation: Simulation, question: _CanReplace) -> dict[str, Any]:
    try_out(simulation.site, replaced(simulation.site, question.id, question.kind))
    return {}


def _blueprint(simulation: Simulation, question: _Blueprint) -> dict[str, Any]:
    blueprint = of(simulation.site, question.ids)
    return {"text": to_text(blueprint), **_told(blueprint)}


def _blueprint_read(_: Simulation, question: _BlueprintRead) -> dict[str, Any]:
    blueprint = from_text(question.text)
    return {"text": to_text(blueprint), **_told(blueprint)}


def _told(blueprint: Layout) -> dict[str, Any]:
    width, height = size(blueprint)
    return {
        "blueprint": layout_to_data(blueprint),
        "machines": len(blueprint.machines),
        "belts": len(blueprint.belts),
        "width": width,
        "height": height,
    }


def _layout(simulation: Simulation, _: Nothing) -> dict[str, Any]:
    layout = simulation.site.layout()
    return {"layout": layout_to_data(layout), "layout_hash": layout_hash(layout)}


def _reference(simulation: Simulation, _: Nothing) -> dict[str, Any]:
    return {"layout": simulation.level.reference}


QUESTIONS: dict[str, Question] = {
    "can_place": (_CanPlace, _can_place),
    "can_paste": (_CanPaste, _can_paste),
    "can_shift": (_CanShift, _can_shift),
    "can_replace": (_CanReplace, _can_replace),
    "route": (_Route, _route),
    "blueprint": (_Blueprint, _blueprint),
    "blueprint_read": (_BlueprintRead, _blueprint_read),
    "layout": (Nothing, _layout),
    "reference": (Nothing, _reference),
}
