"""What a sequence's KV takes, and how many fit: reserved in one piece, or in blocks."""

from __future__ import annotations

from engine.codex.figures.factory import context, pad, prompt, setting
from engine.codex.figures.figure import Figure
from engine.level.spec import CONTIGUOUS
from engine.memory.paged import DEFAULT_BLOCK_SIZE
from engine.metrics import report
from engine.physics.kv_cache import kv_bytes_per_token
from engine.simulation import Simulation
from engine.units import MIB


def _room_bytes(simulation: Simulation) -> int:
    """Room for KV on the Decode Core's card with its models loaded; before they are, with the level's model."""
    card, model = pad(simulation, "decode_core"), simulation.floor.model
    room = int(card.gpu.vram_bytes * simulation.level.memory_utilization)
    return max(room - (card.fixed_bytes or card.gpu.overhead_bytes + model.weight_bytes), 0)


def _token_bytes(simulation: Simulation) -> int:
    """KV of a token on the Decode Core's card: a draft model that stands there keeps its own."""
    total = kv_bytes_per_token(simulation.floor.model)
    for draft in simulation.floor.on_pad(pad(simulation, "decode_core"), "draft_model"):
        total += draft.kv_bytes_per_token()
    return total


def _reserved_bytes(simulation: Simulation) -> int | None:
    """What is reserved for a sequence, as long as it may get; None where the level reserves nothing."""
    if simulation.level.kv_memory != CONTIGUOUS:
        return None
    return simulation.floor.kv_bytes(setting(simulation, "decode_core", "max_model_len"))


def _reserved_mib(simulation: Simulation) -> float | None:
    reserved = _reserved_bytes(simulation)
    return None if reserved is None else reserved / MIB


def _reserved_fit(simulation: Simulation) -> int | None:
    reserved = _reserved_bytes(simulation)
    return None if reserved is None else _room_bytes(simulation) // reserved


def _paged_fit(simulation: Simulation) -> int:
    """Sequences of the mean length that fit when nothing is reserved."""
    return _room_bytes(simulation) // (_token_bytes(simulation) * context(simulation))


def _block_tokens(simulation: Simulation) -> int | None:
    if "page_allocator" not in simulation.level.allowed:
        return None
    if "page_allocator" not in simulation.level.settings:
        return DEFAULT_BLOCK_SIZE
    return setting(simulation, "page_allocator", "block_size")


def _block_kib(simulation: Simulation) -> float | None:
    tokens = _block_tokens(simulation)
    return None if tokens is None else simulation.floor.kv_bytes(tokens) / 1024


def _block_waste(simulation: Simulation) -> float | None:
    """Tokens that the last block of a sequence has room for, in the mean."""
    tokens = _block_tokens(simulation)
    return None if tokens is None else (tokens - 1) / 2


def _used(simulation: Simulation) -> float | None:
    simulation.settle()
    pool = pad(simulation, "decode_core").pool
    return pool.used / pool.total * 100 if pool.total else None


FIGURES = {
    "kv_token_kib": Figure("kib", lambda simulation: kv_bytes_per_token(simulation.floor.model) / 1024),
    "kv_prompt_mib": Figure("mib", lambda simulation: simulation.floor.kv_bytes(prompt(simulation)) / MIB),
    "kv_memory_mib": Figure("mib", lambda simulation: _room_bytes(simulation) / MIB),
    "kv_memory_tokens": Figure("tokens", lambda simulation: _room_bytes(simulation) // _token_bytes(simulation)),
    "kv_used": Figure("percent", _used),
    "reserved_mib": Figure("mib", _reserved_mib),
    "reserved_fit": Figure("count", _reserved_fit),
    "paged_fit": Figure("count", _paged_fit),
    "block_tokens": Figure("tokens", _block_tokens),
    "block_kib": Figure("kib", _block_kib),
    "block_waste": Figure("tokens", _block_waste),
    "preemptions": Figure("count", report.preemptions),
}
