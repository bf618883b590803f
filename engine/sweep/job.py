"""What a worker needs for the runs of a sweep, as plain data, and one run."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import frozen

from engine.cli.words import words
from engine.errors import EngineError
from engine.floor.layout import Layout, layout_from_data
from engine.level.data import level_from_data
from engine.level.spec import Level
from engine.sweep.grid import LAYOUT, SEED, Grid, Point, Value
from engine.what_if.changes import changed, from_described
from engine.what_if.figures import row
from engine.what_if.play import run, run_traced

ENGINE = Path(__file__).resolve().parents[1]
ERROR = "error"
_PARTS = ("*.py", "*.json")

Cell = Value | bool | None
Row = dict[str, Cell]


@frozen
class Job:
    """A level and its layouts."""

    level: str
    """JSON of the level's data, the trace's requests in it."""
    layouts: str
    """JSON: the name of a layout -> its data."""
    traced: bool
    """Whether a run ends with a trace's last request."""


def identity(job: Job, grid: Grid) -> str:
    """Equal for the same grid on the same level, layouts and trace, by the same engine."""
    told = [job.level, job.layouts, job.traced, {name: list(values) for name, values in grid.axes.items()}, grid.seeds]
    return hashlib.sha256(json.dumps([engine_hash(), *told]).encode()).hexdigest()[:32]


def engine_hash() -> str:
    """Equal where the engine's sources and its catalog are."""
    digest = hashlib.sha256()
    for path in sorted(path for part in _PARTS for path in ENGINE.rglob(part)):
        digest.update(path.relative_to(ENGINE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:32]


def run_point(job: Job, point: Point) -> Row:
    """A run in one line: its place in the grid, then its figures, or why there are none."""
    level, layouts = _read(job)
    told: Row = {**point.values, SEED: point.seed, ERROR: ""}
    try:
        layout = layouts[str(point.values.get(LAYOUT, next(iter(layouts))))]
        level, layout = changed(level, layout, from_described(point.values, (LAYOUT,)))
        play = run_traced if job.traced else run
        return told | row(play(level, point.seed, layout, None), level)
    except EngineError as error:
        return told | {ERROR: words(error.code, error.params)}


@lru_cache(maxsize=2)
def _read(job: Job) -> tuple[Level, dict[str, Layout]]:
    layouts: dict[str, Any] = json.loads(job.layouts)
    return level_from_data(json.loads(job.level)), {name: layout_from_data(data) for name, data in layouts.items()}
