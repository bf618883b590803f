"""Questions about building: may this go here, and what would it be."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine.errors import EngineError
from engine.floor.belt import latency_ps
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.kinds import KV, PROMPT
from engine.floor.layout import layout_hash, layout_to_data
from engine.floor.routing import find_route
from engine.protocol.asks.question import Nothing, Question
from engine.simulation import Simulation


@frozen
class _CanPlace:
    kind: str
    x: int
    y: int
    rot: int
    ignore: int = -1


@frozen
class _Route:
    source: list[int]
    target: list[int]


def _can_place(simulation: Simulation, question: _CanPlace) -> dict[str, Any]:
    simulation.site.may_place(question.kind, question.x, question.y, question.rot, question.ignore)
    return {}


def _route(simulation: Simulation, question: _Route) -> dict[str, Any]:
    if len(question.source) != 2 or len(question.target) != 2:
        raise EngineError("message.malformed", detail="a tile is [x, y]")
    start, goal = (question.source[0], question.source[1]), (question.target[0], question.target[1])
    route = find_route(simulation.site.grid, start, goal)
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
    tokens = simulation.level.traffic.prompt.high
    if packet == KV:
        return simulation.floor.kv_bytes(tokens), simulation.floor.layer_bytes(tokens)
    size = BYTES_PER_TOKEN_ID * (tokens if packet == PROMPT else 1)
    return size, size


def _layout(simulation: Simulation, _: Nothing) -> dict[str, Any]:
    layout = simulation.site.layout()
    return {"layout": layout_to_data(layout), "layout_hash": layout_hash(layout)}


def _reference(simulation: Simulation, _: Nothing) -> dict[str, Any]:
    return {"layout": simulation.level.reference}


QUESTIONS: dict[str, Question] = {
    "can_place": (_CanPlace, _can_place),
    "route": (_Route, _route),
    "layout": (Nothing, _layout),
    "reference": (Nothing, _reference),
}
