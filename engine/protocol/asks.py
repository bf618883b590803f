"""Questions of the view: read-only, so that no rule has to be known there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import frozen

from engine.errors import EngineError
from engine.floor.belt import latency_ps
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.kinds import KV, PROMPT
from engine.floor.layout import layout_hash, layout_to_data
from engine.floor.machines import DecodeCore
from engine.floor.routing import find_route
from engine.level.load import campaign
from engine.memory.block_table import BlockTable
from engine.metrics.seconds import recent
from engine.protocol.commands import read_fields, read_message
from engine.simulation import Simulation

_T = TypeVar("_T")


def answer(simulation: Simulation | None, message: Any) -> dict[str, Any]:
    """The answer to a question; EngineError with the reason when there is none."""
    name, fields = read_message(message, "ask")
    if name == "levels":
        return {"levels": [{"number": level.number, "id": level.id} for level in campaign()]}
    if simulation is None:
        raise EngineError("level.none_open")
    if name not in _QUESTIONS:
        raise EngineError("message.unknown", name=name[:40])
    schema, reply = _QUESTIONS[name]
    return reply(simulation, read_fields(fields, schema))


@frozen
class _Nothing:
    pass


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


@frozen
class _Machine:
    id: int


@frozen
class _Pad:
    pad: int


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


def _machine(simulation: Simulation, question: _Machine) -> dict[str, Any]:
    machine = simulation.floor.machines.get(question.id)
    if machine is None:
        raise EngineError("machine.unknown", id=question.id)
    first_s, window_ps = recent(simulation.now)
    kind = machine.stand.kind.name
    return {
        "kind": kind,
        "pad": -1 if machine.pad is None else machine.pad.id,
        "gpu": None if machine.pad is None else machine.pad.gpu.name,
        "state": machine.status(),
        "limit": machine.limit(),
        "busy": machine.busy_ps(first_s, simulation.now) / window_ps,
        "queue": machine.queue_length(),
        "batch": machine.batch_size(),
        "slots": machine.slots(),
        "step_ps": machine.step_ps(),
        "settings": [
            {
                "name": name,
                "value": machine.settings[name],
                "min": spec.low,
                "max": spec.high,
                "choices": list(spec.choices),
            }
            for name, spec in simulation.level.settings.get(kind, {}).items()
        ],
    }


def _out_of_memory(simulation: Simulation, question: _Machine) -> dict[str, Any]:
    machine = simulation.floor.machines.get(question.id)
    if not isinstance(machine, DecodeCore) or not machine.report:
        raise EngineError("memory.no_report", id=question.id)
    report = dict(machine.report)
    report["fixes"] = [{"code": code, "value": value} for code, value in report["fixes"]]
    return report


def _memory(simulation: Simulation, question: _Pad) -> dict[str, Any]:
    pad = simulation.floor.pads.get(question.pad)
    if pad is None:
        raise EngineError("pad.unknown", id=question.pad)
    pad.settle(simulation.now)
    told = {
        "vram_bytes": pad.gpu.vram_bytes,
        "fixed_bytes": pad.fixed_bytes,
        "block_bytes": pad.kv_bytes_per_block,
        "total": pad.pool.total,
        "used": pad.pool.used,
        "paged": pad.pool.grows,
    }
    held: dict[int, int] = {}
    for machine in pad.cores:
        for request, blocks in machine.holds().items():
            held[request] = held.get(request, 0) + blocks
    if not pad.pool.grows:
        return {**told, "held": [[request, blocks] for request, blocks in held.items()]}
    if pad.table is None or pad.table.total != pad.pool.total:
        pad.table = BlockTable(pad.pool.total)
    pad.table.follow(held)
    return {**told, "owners": pad.table.owners()}


def _layout(simulation: Simulation, _: _Nothing) -> dict[str, Any]:
    layout = simulation.site.layout()
    return {"layout": layout_to_data(layout), "layout_hash": layout_hash(layout)}


def _reference(simulation: Simulation, _: _Nothing) -> dict[str, Any]:
    return {"layout": simulation.level.reference}


_QUESTIONS: dict[str, tuple[type[Any], Callable[[Simulation, Any], dict[str, Any]]]] = {
    "can_place": (_CanPlace, _can_place),
    "route": (_Route, _route),
    "machine": (_Machine, _machine),
    "out_of_memory": (_Machine, _out_of_memory),
    "memory": (_Pad, _memory),
    "layout": (_Nothing, _layout),
    "reference": (_Nothing, _reference),
}
