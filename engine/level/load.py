"""Finding and loading level scripts."""

from __future__ import annotations

import importlib.util
import re
import traceback
from collections.abc import Iterator
from pathlib import Path

import attrs

from engine.errors import EngineError
from engine.level.lines import field_lines, line_of
from engine.level.spec import Level
from engine.level.versions import GONE

CAMPAIGN = Path(__file__).resolve().parents[2] / "levels"
BENCH = "bench"
"""The level that the benchmarks run."""
APART = (BENCH, "title")
"""Levels that are no part of the campaign."""


def campaign() -> list[Level]:
    """The levels of the campaign, in order."""
    return sorted((load_script(path) for path in _scripts()), key=lambda level: level.number)


def load(which: str) -> Level:
    """A level by number, id or file; EngineError `level.*`. One from a file is checked, those of the game are right."""
    if which.endswith(".py"):
        return checked(load_script(Path(which)))
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
        line, detail = failure(error, str(path))
        raise EngineError("level.broken", path=str(path), line=line, detail=detail) from error
    level = getattr(module, "LEVEL", None)
    if not isinstance(level, Level):
        raise EngineError("level.broken", path=str(path), line=1, detail="it declares no LEVEL")
    return attrs.evolve(level, script=str(path))


def checked(level: Level) -> Level:
    """A level that has nothing wrong; EngineError `level.wrong` with the first thing and its line for any other."""
    from engine.level.check import check_level  # it needs the whole engine, which loads levels

    problems = check_level(level)
    if not problems:
        return level
    first = problems[0]
    line = line_of(first.field, field_lines(Path(level.script).read_text(encoding="utf-8")))
    detail = " ".join([first.code, *(f"{name}={value}" for name, value in first.params.items())])
    more = len(problems) - 1
    raise EngineError("level.wrong", path=level.script, line=line, field=first.field, detail=detail, more=more)


def failure(error: BaseException, path: str) -> tuple[int, str]:
    """The line of a script at which it failed (0: none), and why: with the field, where one is to blame."""
    detail = f"{type(error).__name__}: {error}"[:300]
    unknown = re.search(r"unexpected keyword argument '(\w+)'", detail)
    if isinstance(error, TypeError) and unknown is not None and unknown[1] in GONE:
        detail = f"{unknown[1]}: {GONE[unknown[1]]}"
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno or 0, detail
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return (frames[-1].lineno or 0) if frames else 0, detail


def _scripts() -> Iterator[Path]:
    yield from sorted(CAMPAIGN.glob("level_*.py"))
