"""The live numbers of a factory, each by its name: computed from the level's cards, model and link and from the run so
far, never written down. `None` where there is nothing to say yet. A file per subject.
"""

from __future__ import annotations

from typing import Any

from engine.codex.figures import (
    kv_memory,
    level,
    links,
    long_prompts,
    money,
    quality,
    run,
    shared_server,
    speculation,
    steps,
    supply,
)
from engine.codex.figures.figure import Figure
from engine.simulation import Simulation

FIGURES: dict[str, Figure] = {
    **shared_server.FIGURES,
    **level.FIGURES,
    **steps.FIGURES,
    **long_prompts.FIGURES,
    **kv_memory.FIGURES,
    **links.FIGURES,
    **speculation.FIGURES,
    **run.FIGURES,
    **money.FIGURES,
    **supply.FIGURES,
    **quality.FIGURES,
}


def figure(simulation: Simulation, name: str) -> dict[str, Any]:
    """A figure as messages have it: {code, value, unit}; KeyError if there is none of that name."""
    found = FIGURES[name]
    return {"code": f"figure.{name}", "value": found.of(simulation), "unit": f"unit.{found.unit}"}
