"""Levels that somebody wrote: scripts, folders and zips of mods. They are run in a worker, never in this process."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from attrs import define, field, frozen

from engine.cli.words import words
from engine.errors import EngineError
from engine.level.hooks import CallerOf, local_hooks
from engine.level.load import CAMPAIGN, load
from engine.level.spec import Level
from engine.mods.hooks import ModCallers
from engine.mods.mod import FILE, Mod, line_of
from engine.mods.order import incompatible
from engine.mods.package import SCRATCH, ZIP, Package, finish
from engine.mods.problem import LoadProblem
from engine.mods.runner import Failed, load_level
from engine.mods.sandbox import missing
from engine.sandbox.own import ENDING, read_level

HELP = "a number, a name, a level script, a level as data (.json), or the folder or zip of a mod"
_WAIT_S = 0.002


@frozen
class Authored:
    """A level and where its script is."""

    level: Level
    callers: ModCallers
    script: str


@define
class Examined:
    """What was found at a path."""

    levels: list[Authored] = field(factory=list)
    problems: list[LoadProblem] = field(factory=list)
    mod: Mod | None = None
    """None: a script by itself."""


@contextmanager
def opened(which: str) -> Iterator[tuple[Level, CallerOf]]:
    """A level and who calls its hooks, by number, name, or the path of a script or a mod. EngineError when there is no
    such level, or it has problems (`mod.refused`, all of them printed).
    """
    path = Path(which)
    if not _is_authored(path):
        yield load(which), local_hooks
        return
    if path.suffix == ENDING:
        level, problems = read_level(path)
        if level is None:
            raise Refused(problems)
        yield level, local_hooks
        return
    warn_of_walls()
    with tempfile.TemporaryDirectory(prefix="token-factory-") as cache:
        found, script = _with_script(path, Path(cache))
        if found.problems:
            raise Refused(found.problems)
        levels = [each for each in found.levels if script in ("", each.script)]
        if len(levels) != 1:
            raise EngineError("mod.several", known=", ".join(each.script for each in levels)[:300])
        yield levels[0].level, levels[0].callers


class Refused(Exception):
    """What was asked for has problems."""

    def __init__(self, problems: list[LoadProblem]) -> None:
        super().__init__()
        self.problems = problems


def examine(path: Path, cache: Path) -> Examined:
    """Load what lies at a path; EngineError `mod.wrong_path` when it is no script, folder or zip."""
    wait = partial(time.sleep, _WAIT_S)
    if path.suffix == ".py" and path.is_file():
        return _script(path, cache, wait)
    if path.suffix == ENDING and path.is_file():
        level, problems = read_level(path)
        callers = ModCallers(path.parent, path.name, cache)
        return Examined([] if level is None else [Authored(level, callers, path.name)], problems)
    if not (path.is_dir() or (path.suffix == ZIP and path.is_file())):
        raise EngineError("mod.wrong_path")
    package = Package.at(path.absolute() if path.name else path.resolve())
    finish(package.read(cache), wait)
    if package.mod is not None:
        package.problems += _misfits(package.mod, package.folder)
        if not any(problem.field.startswith("levels") for problem in package.problems):
            finish(package.load(cache), wait)  # no script is run that is none of the mod's
    found = Examined(problems=package.problems, mod=package.mod)
    for each in package.levels:
        assert package.folder is not None
        callers = ModCallers(package.folder, each.script, cache / SCRATCH)
        found.levels.append(Authored(each.level, callers, each.script))
    return found


def _misfits(mod: Mod, folder: Path | None) -> Iterator[LoadProblem]:
    """Why a mod is not for this game."""
    with suppress(EngineError):  # a range that is none, told already
        if (reason := incompatible(mod)) and folder is not None:
            _, code, params = reason
            field = code.removeprefix("mod.")
            yield LoadProblem(FILE, line_of((folder / FILE).read_text(encoding="utf-8"), field), field, code, params)


def told(problems: Iterable[LoadProblem], place: str = "") -> list[str]:
    """A line a problem: file, line, field, and what is wrong."""
    lines = []
    for problem in problems:
        data = problem.to_data()
        where = "/".join(part for part in (place, data["file"]) if part)
        where += f":{problem.line}" if problem.line else ""
        parts = [where, data["field"], words(problem.code, data["params"])]
        lines.append(": ".join(part for part in parts if part))
    return lines


def warn_of_walls() -> None:
    """Say what this system cannot keep a script from."""
    for wall in missing():
        print(f"warning: this system cannot hold back a script. {words(wall, {})}", file=sys.stderr)


def _script(path: Path, cache: Path, wait: partial[None]) -> Examined:
    scratch = cache / SCRATCH
    scratch.mkdir(parents=True, exist_ok=True)
    loading = load_level(path, [], scratch)
    try:
        while (result := loading.poll()) is None:
            wait()
    finally:
        loading.stop()
    if isinstance(result, Failed):
        return Examined(problems=result.problems)
    callers = ModCallers(path.resolve(), path.name, scratch)
    return Examined([Authored(level, callers, path.name) for level in result.levels])


def _is_authored(path: Path) -> bool:
    if path.suffix == ".py":
        return path.is_file() and path.resolve().parent != CAMPAIGN
    return path.is_dir() or (path.suffix in (ZIP, ENDING) and path.is_file())


def _with_script(path: Path, cache: Path) -> tuple[Examined, str]:
    """What lies at a path; of a script of a mod, the whole mod, and the script's path in it."""
    if path.suffix == ".py":
        for folder in path.resolve().parents[:3]:
            if (folder / FILE).is_file():
                return examine(folder, cache), path.resolve().relative_to(folder).as_posix()
    return examine(path, cache), ""
