"""KV on its way from the card that prefills to the one that decodes."""

from __future__ import annotations

from engine.codex.figures.factory import prompt
from engine.codex.figures.figure import Figure
from engine.floor.belt import latency_ps
from engine.floor.kinds import KV
from engine.physics.kv_cache import layer_kv_bytes
from engine.simulation import Simulation
from engine.units import PS_PER_MS, as_seconds


def _tiles(simulation: Simulation) -> int | None:
    """Of the shortest belt that carries KV; None before there is one."""
    belts = [belt for belt in simulation.floor.belts.values() if belt.packet == KV]
    return min((len(belt.tiles) for belt in belts), default=None)


def _handoff_s(simulation: Simulation) -> float:
    """From the end of a prefill of the longest prompt until its KV has arrived; without a belt, as over none."""
    floor, tokens = simulation.floor, prompt(simulation)
    return as_seconds(
        latency_ps(floor.link, _tiles(simulation) or 0, floor.kv_bytes(tokens), floor.layer_bytes(tokens))
    )


def _tile_ms(simulation: Simulation) -> float:
    """What a tile more adds: a hop and a layer's KV."""
    chunk = layer_kv_bytes(simulation.floor.model, prompt(simulation))
    return latency_ps(simulation.floor.link, 1, 0, chunk) / PS_PER_MS


FIGURES = {
    "link_gb_per_s": Figure("gb_per_s", lambda simulation: simulation.floor.link.bytes_per_s / 1e9),
    "handoff_s": Figure("s", _handoff_s),
    "handoff_tiles": Figure("count", _tiles),
    "tile_ms": Figure("ms", _tile_ms),
}
