"""Running mods from the game's side: loading their levels, and calling their hooks. What they answer is checked; what
they do wrong ends them, and is told.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from engine.errors import EngineError
from engine.level.check import check_level
from engine.level.data import Malformed, effects_from_data, level_from_data
from engine.level.lines import line_of
from engine.level.problems import Problem
from engine.level.spec import Level
from engine.mods.problem import LoadProblem, shown
from engine.mods.process import Exchange, Limits, Process
from engine.protocol.codes import CODES

LOAD = Limits(real_s=2)
"""Of one script; the start of the interpreter is not counted."""
HOOK = Limits(real_s=1, cpu_ms=50, bytes=65_536)
PATIENCE_S = 0.002
"""Of a frame, for an answer: most hooks need less, and then no frame passes before the game goes on."""
_MOST_LINE = 1_000_000
_MOST_BESIDE = 100
_BESIDE = (".py", ".csv")


@frozen
class Loaded:
    """Levels, in the order of the scripts; everything about them was checked. Their hooks have no code."""

    levels: list[Level]


@frozen
class Failed:
    """What is wrong: all that could be found out."""

    problems: list[LoadProblem]


class Loading:
    """Scripts on their way. Somebody has to look (`poll`) again and again: slow scripts are ended by that."""

    def __init__(self, process: Process, scripts: list[str]) -> None:
        self._process = process
        self._scripts = scripts
        self._exchanges = [process.ask({"load": script}, LOAD, partial(_read, script)) for script in scripts]
        self._result: Loaded | Failed | None = None

    def poll(self) -> Loaded | Failed | None:
        """None: not yet."""
        if self._result is None:
            self._process.watch()
            failure = self._process.failure
            done = [exchange for exchange in self._exchanges if exchange.done]
            if failure is None and len(done) < len(self._exchanges):
                return None
            self._result = self._told(done, failure if len(done) < len(self._exchanges) else None)
            self._process.stop()
        return self._result

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self._process.stop()

    def _told(self, done: list[Exchange], failure: EngineError | None) -> Loaded | Failed:
        problems = [problem for exchange in done for problem in exchange.answer.problems]
        if failure is not None:
            problems.append(LoadProblem.of(failure, self._scripts[len(done)]))
        if problems:
            return Failed(problems)
        return Loaded([exchange.answer.level for exchange in done])


@frozen
class _Read:
    level: Level | None
    problems: list[LoadProblem]


class WorkerHooks:
    """Calls the hooks of a mod's level: a `HookCaller`. Its process starts at once and stays until `close`."""

    def __init__(self, folder_or_script: Path, script: str, scratch: Path) -> None:
        self._process, (script,) = _begin(folder_or_script, [script], scratch)
        self._process.ask({"load": script}, LOAD, _loaded_again)
        self._calls: list[dict[str, Any]] = []
        self._exchanges: list[Exchange] = []
        self._patient = False

    def ask(self, calls: list[dict[str, Any]]) -> None:
        """Begin to call hooks, one after the other."""
        self._calls, self._patient = calls, True
        self._exchanges = [self._process.ask(call, HOOK, partial(_answer_of, call["name"])) for call in calls]

    def answer(self) -> list[dict[str, Any]] | None:
        """None: not yet."""
        self._process.watch()
        if self._patient and self._exchanges:
            self._exchanges[-1].ready.wait(PATIENCE_S)
            self._patient = False
        failure = self._process.failure
        told: list[dict[str, Any]] = []
        for call, exchange in zip(self._calls, self._exchanges, strict=True):
            if not exchange.done:
                if failure is None:
                    return None
                return [*told, _stopped(call, failure)]
            told.append(exchange.answer)
            if "code" in exchange.answer:
                break
        return told

    def close(self) -> None:
        """Nobody will ask again."""
        self._process.stop()


def load_level(folder_or_script: Path, which: Iterable[str], scratch: Path) -> Loading:
    """Begin to load the level scripts `which` (paths inside the folder) of a mod's folder, or a single script with its
    own name alone.

    `scratch` is a folder that there is: the mod gets one of its own in it, which is removed in the end. EngineError
    `worker.no_python`.
    """
    return Loading(*_begin(folder_or_script, list(which), scratch))


def _begin(folder_or_script: Path, scripts: list[str], scratch: Path) -> tuple[Process, list[str]]:
    """A process, and the scripts by their paths in its folder."""
    path = folder_or_script.resolve()
    if path.is_dir():
        return Process(path, [path], scratch), scripts
    return Process(path.parent, _beside(path), scratch), [path.name]


def _beside(script: Path) -> list[Path]:
    """What a single script may read: it may lie among all sorts of things that are none of its business."""
    found = [path for path in sorted(script.parent.iterdir()) if path.suffix in _BESIDE and path.is_file()]
    return [script, *found[:_MOST_BESIDE]]


# -- what answers mean -------------------------------------------------------------------------------------------------


def _read(script: str, answer: dict[str, Any]) -> _Read:
    """A level out of what a script's process says of it, or what is wrong."""
    if "problem" in answer:
        return _Read(None, [_problem(answer["problem"])])
    try:
        level = level_from_data(answer.get("level"))
        found = check_level(level)
    except Malformed as error:
        found = error.problems
    except EngineError as error:
        found = [Problem("", error.code, error.params)]
    lines = _lines(answer.get("lines"))
    told = [LoadProblem(script, line_of(one.field, lines), one.field, one.code, one.params) for one in found]
    return _Read(None, told) if told else _Read(evolve(level, script=script), [])


def _loaded_again(answer: dict[str, Any]) -> None:
    if "problem" in answer:
        problem = _problem(answer["problem"])
        raise EngineError(problem.code, **problem.params)


def _answer_of(name: str, answer: dict[str, Any]) -> dict[str, Any]:
    """What a hook answered; EngineError for what no hook can answer."""
    match answer:
        case {"code": _, "params": _}:
            problem = _problem({"file": "", "line": 0, **answer})
            return {"name": name, "code": problem.code, "params": problem.params}
        case {"effects": list(effects), "memory": dict(memory)}:
            effects_from_data(effects)
            try:
                json.dumps(answer, allow_nan=False)
            except ValueError as error:
                raise EngineError("worker.message", detail="a number that is not finite") from error
            return {"name": name, "effects": effects, "memory": memory}
    raise EngineError("worker.message", detail="no answer of a hook")


def _problem(told: Any) -> LoadProblem:
    """What a process says is wrong, in words that can be shown."""
    match told:
        case {"code": str(code), "params": dict(params), "file": str(file), "line": int(line)}:
            if code in CODES and set(params) == set(CODES[code]) and all(map(_is_param, params.values())):
                texts = {name: shown(value) if type(value) is str else value for name, value in params.items()}
                return LoadProblem(shown(file), line if 0 <= line <= _MOST_LINE else 0, "", code, texts)
    raise EngineError("worker.message", detail="a problem that is none")


def _is_param(value: Any) -> bool:
    return type(value) in (str, int) or (type(value) is float and math.isfinite(value))


def _lines(told: Any) -> dict[str, int]:
    """Where a process says that fields are declared."""
    lines = told if isinstance(told, dict) else {}
    return {field: line for field, line in lines.items() if type(line) is int and 0 <= line <= _MOST_LINE}


def _stopped(call: dict[str, Any], failure: EngineError) -> dict[str, Any]:
    return {"name": call["name"], "code": failure.code, "params": failure.params}
