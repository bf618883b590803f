"""What the level gives: its requests and its cards."""

from __future__ import annotations

from engine.codex.figures.factory import pad, prompt
from engine.codex.figures.figure import Figure
from engine.units import as_seconds

FIGURES = {
    "prompt_tokens": Figure("tokens", prompt),
    "output_tokens": Figure("tokens", lambda simulation: simulation.floor.traffic.output.high),
    "arrival_s": Figure("s", lambda simulation: as_seconds(simulation.floor.traffic.interval_ps)),
    "cards": Figure("count", lambda simulation: len(simulation.floor.pads)),
    "bandwidth": Figure("gb_per_s", lambda simulation: pad(simulation, "decode_core").gpu.bandwidth_bytes_per_s / 1e9),
    "flops": Figure("tflops", lambda simulation: pad(simulation, "prefill_core").gpu.flops / 1e12),
}
