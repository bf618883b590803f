"""The map of a card's memory."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine.errors import EngineError
from engine.memory.block_table import BlockTable
from engine.protocol.asks.question import Question
from engine.simulation import Simulation


@frozen
class _Pad:
    pad: int


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


QUESTIONS: dict[str, Question] = {
    "memory": (_Pad, _memory),
}
