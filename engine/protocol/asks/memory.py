"""The map of a card's memory."""

from __future__ import annotations

from array import array
from sys import byteorder
from typing import Any

from attrs import frozen

from engine.errors import EngineError
from engine.floor.pad import Pad
from engine.memory.block_table import BlockTable
from engine.memory.contiguous import ContiguousPool
from engine.metrics.memory import SHARES, holdings, shares, size_bytes
from engine.protocol.asks.question import Question
from engine.simulation import Simulation

_MOST_OWNERS = 2**16 - 1


@frozen
class _Pad:
    pad: int


def _memory(simulation: Simulation, question: _Pad) -> dict[str, Any]:
    pad = simulation.floor.pads.get(question.pad)
    if pad is None:
        raise EngineError("pad.unknown", id=question.pad)
    pad.settle(simulation.now)
    pool, overhead = pad.pool, pad.gpu.overhead_bytes if pad.fixed_bytes else 0
    held = holdings(pad)
    blocks, tokens, reserved = dict[int, int](), dict[int, int](), dict[int, int]()
    for one in held:
        blocks[one.request] = blocks.get(one.request, 0) + one.taken // pool.block_size
        tokens[one.request] = tokens.get(one.request, 0) + one.tokens
        reserved[one.request] = reserved.get(one.request, 0) + one.reserved
    told = {
        "vram_bytes": pad.gpu.vram_bytes,
        "fixed_bytes": pad.fixed_bytes,
        "weights_bytes": pad.fixed_bytes - overhead,
        "overhead_bytes": overhead,
        "size_bytes": size_bytes(pad),
        "block_bytes": pad.kv_bytes_per_block,
        "block_tokens": pool.block_size,
        "total": pool.total,
        "used": pool.used,
        "paged": pool.grows,
        "shares": dict(zip(SHARES, shares(pad, held), strict=True)),
        "tokens": [[request, count, reserved[request]] for request, count in tokens.items()],
    }
    if pool.grows:
        return {**told, **_blocks(pad, blocks, tokens)}
    if isinstance(pool, ContiguousPool):
        size = pool.piece_bytes
        told["pieces"] = sorted(
            ([owner, start, size] for owner, starts in pool.starts.items() for start in starts),
            key=lambda piece: piece[1],
        )
        told["holes"] = [[start, length, length // size] for start, length in pool.arena.holes]
    return {**told, "held": [[request, count] for request, count in blocks.items()]}


def _blocks(pad: Pad, blocks: dict[int, int], tokens: dict[int, int]) -> dict[str, Any]:
    """Whose each block is, and which are not full."""
    size = pad.pool.block_size
    if pad.table is None or pad.table.total != pad.pool.total:
        pad.table = BlockTable(pad.pool.total)
    pad.table.follow(blocks)
    owners = array("H", bytes(2 * pad.pool.total))
    partial = []
    for index, (request, count) in enumerate(tokens.items()):
        for place, block in enumerate(pad.table.tables.get(request, ())):
            owners[block] = min(index + 1, _MOST_OWNERS)
            filled = count - place * size
            if filled < size:
                partial.append([block, max(filled, 0)])
    if byteorder == "big":
        owners.byteswap()
    return {"owners": owners.tobytes(), "partial": partial}


QUESTIONS: dict[str, Question] = {
    "memory": (_Pad, _memory),
}
