"""The grid of a sweep: each axis has several values, and each point of the grid runs with several seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from attrs import frozen

from engine.errors import EngineError

MAX_POINTS = 200_000
MAX_SEEDS = 10_000
LAYOUT, SEED = "layout", "seed"

Value = int | float | str


@frozen
class Point:
    """One run: a value of each axis, and a seed."""

    number: int
    values: dict[str, Value]
    seed: int


@frozen
class Grid:
    """Axes by the names of `engine.what_if.changes.described`, and `layout`; the last one varies fastest, but seeds."""

    axes: Mapping[str, Sequence[Value]]
    seeds: int = 1
    """From 1 on."""

    def points(self) -> list[Point]:
        """All runs; EngineError `sweep.*` where there are too many."""
        if not 1 <= self.seeds <= MAX_SEEDS:
            raise EngineError("sweep.seeds", most=MAX_SEEDS)
        count = self.seeds
        for values in self.axes.values():
            count *= len(values)
        if count > MAX_POINTS:
            raise EngineError("sweep.points", points=count, most=MAX_POINTS)
        names, found = list(self.axes), list[Point]()
        for values in product(*self.axes.values()):
            for seed in range(1, self.seeds + 1):
                found.append(Point(len(found), dict(zip(names, values, strict=True)), seed))
        return found
