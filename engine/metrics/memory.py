"""What a card's KV memory holds, looked at once a simulated second and averaged over the window.

The shares are those of the PagedAttention paper (Kwon et al., SOSP 2023, figure 2): tokens whose KV is there; what is
reserved for tokens that will come; what is taken and never used (internal fragmentation); what is left between pieces
and too small for one (external fragmentation); and what is free.
"""

from __future__ import annotations

from attrs import define, field, frozen

from engine.floor.machines.core import Core
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.machines.prefill_core import PrefillCore
from engine.floor.pad import Pad
from engine.memory.contiguous import ContiguousPool
from engine.memory.shared import SharedPool
from engine.scheduling.sequence import Sequence
from engine.simulation import Simulation
from engine.units import PS_PER_S

SHARED = 0
"""In the place of a request: blocks that several of them may share."""
SHARES = ("tokens", "reserved", "internal", "external", "free")


@frozen
class Holding:
    """A sequence's part of a memory, in tokens."""

    request: int
    tokens: int
    """Whose KV is there."""
    taken: int
    """For which there is room in what it has taken."""
    longest: int
    """Whose KV will be there at its end."""
    decodes: bool
    """Whether it is where tokens are made, or on its way there."""

    @property
    def reserved(self) -> int:
        """Tokens that will come, of those that there is room for."""
        return max(min(self.taken, self.longest) - self.tokens, 0)


def holdings(pad: Pad) -> list[Holding]:
    """Every sequence that has memory on a pad. Together they have taken exactly what the pool has handed out."""
    found: list[Holding] = []
    for core in pad.cores:
        if isinstance(core, Core):
            found += _of_core(core, pad)
    if isinstance(pad.pool, SharedPool) and pad.pool.references:
        tokens = len(pad.pool.references) * pad.pool.block_size
        found.append(Holding(SHARED, tokens, tokens, tokens, False))
    return found


def _of_core(core: Core, pad: Pad) -> list[Holding]:
    pool, scheduler, decodes = pad.pool, core.scheduler, core.decodes
    growing = core.stepper.run is not None and core.stepper.run.batch > 0
    found: list[Holding] = []
    for sequence in scheduler.decoding.values():
        tokens = sequence.known + scheduler.counter - sequence.joined - 1
        # a pool that grows has given room for the token that the present step computes
        blocks = pool.blocks(tokens + growing) if pool.grows else sequence.blocks
        longest = sequence.known - sequence.made + sequence.output_tokens - 1
        found.append(_alone(sequence, tokens, blocks, longest, pad, decodes))
    for sequence in (*scheduler.prefilling, *scheduler.waiting, *core.stepper.through):
        if sequence.blocks:
            found.append(_of(sequence, sequence.computed, pad, decodes))
    if isinstance(core, DecodeCore):
        for id, sequence in core.expected.items():
            found.append(_of(sequence, 0 if _is_sent(core, id) else sequence.computed, pad, decodes))
    if isinstance(core, PrefillCore):
        for id, blocks in core.sent.items():
            request = core.floor.requests[id]
            tokens = min(request.context_tokens, blocks * pool.block_size)
            found.append(Holding(id, tokens, blocks * pool.block_size, tokens, False))
    return found


def _of(sequence: Sequence, tokens: int, pad: Pad, decodes: bool) -> Holding:
    longest = sequence.longest if decodes else sequence.known
    return _alone(sequence, tokens, sequence.blocks, longest, pad, decodes)


def _alone(sequence: Sequence, tokens: int, blocks: int, longest: int, pad: Pad, decodes: bool) -> Holding:
    """What it does not share."""
    shared = sequence.shared * pad.pool.block_size
    taken = blocks * pad.pool.block_size - shared
    return Holding(sequence.id, tokens - shared, taken, longest - shared, decodes)


def _is_sent(core: DecodeCore, request: int) -> bool:
    """Whether a sequence's KV is still on another card, or on its way from there."""
    senders = (core.floor.machines[belt.source.machine] for belt in core.inputs)
    return any(isinstance(sender, PrefillCore) and request in sender.sent for sender in senders)


@define
class MemoryBook:
    """Sums over the looks at all pads; `look` is called once a simulated second."""

    looks: int = 0
    sequences: int = 0
    """Sequences with memory for decoding, summed over the looks; so for the two below."""
    tokens: int = 0
    """Tokens whose KV they had."""
    taken: int = 0
    """Tokens for which they had room."""
    shares: dict[int, list[int]] = field(factory=dict)
    """Pad -> bytes per share, in the order of SHARES."""

    def look(self, simulation: Simulation) -> None:
        """Write down what is held now, if the window has begun."""
        if simulation.now < simulation.level.warmup_s * PS_PER_S:
            return
        simulation.settle()
        self.looks += 1
        for pad in simulation.floor.pads.values():
            held = holdings(pad)
            for one in held:
                if one.decodes:
                    self.sequences += 1
                    self.tokens += one.tokens
                    self.taken += one.taken
            sums = self.shares.setdefault(pad.id, [0] * len(SHARES))
            for index, amount in enumerate(shares(pad, held)):
                sums[index] += amount

    def shares_of(self, pad: int) -> dict[str, float] | None:
        """Each share of a pad's KV memory on average; None where it has none, or nobody looked."""
        sums = self.shares.get(pad, [])
        total = 0
        for amount in sums:
            total += amount
        return {name: amount / total for name, amount in zip(SHARES, sums, strict=True)} if total else None


def size_bytes(pad: Pad) -> int:
    """All of a pad's KV memory."""
    pool = pad.pool
    return pool.arena.size if isinstance(pool, ContiguousPool) else pool.total * pad.kv_bytes_per_block


def shares(pad: Pad, held: list[Holding]) -> list[int]:
    """Bytes of a pad's KV memory per share, in the order of SHARES."""
    pool = pad.pool
    per_token = pad.kv_bytes_per_block // pool.block_size
    tokens, reserved = 0, 0
    for one in held:
        tokens += one.tokens
        reserved += one.reserved
    taken, free, external = pool.used * pool.block_size, pad.kv_bytes_per_block * pool.free, 0
    if isinstance(pool, ContiguousPool):
        external = pool.arena.free - free
    return [per_token * tokens, per_token * reserved, per_token * (taken - tokens - reserved), external, free]
