"""Smaller models and weights in 4 bits: what they save, and how well they do the task."""

from __future__ import annotations

from collections.abc import Callable

from engine import catalog
from engine.codex.figures.factory import context, pad, prompt
from engine.codex.figures.figure import Figure, Of, Value
from engine.physics.roofline import Deployment
from engine.simulation import Simulation
from engine.units import PS_PER_MS, as_seconds


def _in_4_bits(compute: Callable[[Simulation, Deployment], float]) -> Of:
    """Of the level's model in 4 bits; None where the catalog has no such one."""

    def value(simulation: Simulation) -> Value:
        id = f"{simulation.level.model}-w4a16"
        if id not in catalog.models():
            return None
        return compute(simulation, Deployment(pad(simulation, "model_server").gpu, catalog.model(id)))

    return value


def _step_ms(simulation: Simulation, four: Deployment) -> float:
    return four.decode(1).steps_ps(1, context(simulation), 1) / PS_PER_MS


def _prefill_s(simulation: Simulation, four: Deployment) -> float:
    return as_seconds(four.prefill([prompt(simulation)]).step_ps)


def _score(benchmark: str, model: str) -> Of:
    return lambda simulation: catalog.benchmark(benchmark).score(model)


FIGURES = {
    "weights_4_bit_gb": Figure("gb", _in_4_bits(lambda _, four: four.model.weight_bytes_read / 1e9)),
    "step_4_bit_ms": Figure("ms", _in_4_bits(_step_ms)),
    "prefill_4_bit_s": Figure("s", _in_4_bits(_prefill_s)),
    "summaries_3b": Figure("points", _score("tldr9", "llama-3.2-3b")),
    "summaries_8b": Figure("points", _score("tldr9", "llama-3.1-8b")),
    "code_8b": Figure("points", _score("humaneval", "llama-3.1-8b")),
    "code_8b_4_bit": Figure("points", _score("humaneval", "llama-3.1-8b-w4a16")),
}
