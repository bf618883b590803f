"""Finding and loading level scripts."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import attrs

from engine.errors import EngineError
from engine.level.spec import Level

CAMPAIGN = Path(__file__).resolve().parents[2] / "levels"
BENCH = "bench"
"""The level that the benchmarks run."""
APART = (BENCH, "title")
"""Levels that are no part of the campaign."""


def campaign() -> list[Level]:
    """The levels of the campaign, in order."""
    return sorted((load_script(path) for path in _scripts()), key=lambda level: level.number)


def load(which: str) -> Level:
    """A level by number, id or file; EngineError `level.unknown` or `level.broken`."""
    if which.endswith(".py"):
        return load_script(Path(which))
    if which in APART:
        return load_script(CAMPAIGN / f"{which}.py")
    levels = campaign()
    for level in levels:
        if which in (str(level.number), level.id):
            return level
    known = ", ".join(f"{level.number} ({level.id})" for level in levels)
    raise EngineError("level.unknown", level=which[:80], known=known)


def load_script(path: Path) -> Level:
    """The level that a script declares as `LEVEL`."""
    if not path.is_file():
        raise EngineError("level.missing", path=str(path))
    spec = importlib.util.spec_from_file_location(f"level_script_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise EngineError("level.missing", path=str(path))
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise EngineError("level.broken", path=str(path), detail=f"{type(error).__name__}: {error}") from error
    level = getattr(module, "LEVEL", None)
    if not isinstance(level, Level):
        raise EngineError("level.broken", path=str(path), detail="it declares no LEVEL")
    return attrs.evolve(level, script=str(path))


def _scripts() -> Iterator[Path]:
    yield from sorted(CAMPAIGN.glob("level_*.py"))
