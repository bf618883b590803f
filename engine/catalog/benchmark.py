"""A benchmark: what a kind of task asks of a model, and how well each model does it."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure


@frozen
class Benchmark:
    """One entry of `data/benchmarks.json`."""

    name: str
    asks: str
    models: dict[str, Figure]
    """Scores by model, in points of 100."""

    def score(self, model: str) -> float | None:
        """A model's score; None where nobody has published one."""
        found = self.models.get(model)
        return None if found is None else found.value
