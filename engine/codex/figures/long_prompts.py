"""A long prompt in chunks, between those that decode."""

from __future__ import annotations

from engine.codex.figures.factory import batch, context, deployment, prompt, setting
from engine.codex.figures.figure import Figure
from engine.simulation import Simulation
from engine.units import PS_PER_MS


def _chunk_tokens(simulation: Simulation) -> int | None:
    """Of a Chunker; None where the level has none."""
    return setting(simulation, "chunker", "chunk_tokens") if "chunker" in simulation.level.settings else None


def _prompt_part(simulation: Simulation) -> int | None:
    """Prompt tokens in a step beside those that decode now."""
    chunk = _chunk_tokens(simulation)
    return None if chunk is None else max(chunk - (batch(simulation) or 0), 1)


def _chunks(simulation: Simulation) -> int | None:
    """Steps that the longest prompt takes."""
    part = _prompt_part(simulation)
    return None if part is None else -(-prompt(simulation) // part)


def _chunk_ms(simulation: Simulation) -> float | None:
    """A step with a part of the longest prompt, halfway through it, and those that decode now."""
    part, decoding = _prompt_part(simulation), batch(simulation) or 0
    if part is None:
        return None
    tokens = min(part, prompt(simulation))
    chunk = tokens, (prompt(simulation) - tokens) // 2, False
    mixed = deployment(simulation, "model_server").mixed(decoding, decoding * context(simulation), [chunk])
    return mixed.step_ps / PS_PER_MS


FIGURES = {
    "chunk_tokens": Figure("tokens", _chunk_tokens),
    "chunks": Figure("count", _chunks),
    "chunk_ms": Figure("ms", _chunk_ms),
}
