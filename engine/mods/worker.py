"""Inside a mod's process: walls first, then the mod's scripts, one request at a time.

Nothing here protects the game: a script can change all of it. That is done by the walls, which the kernel keeps, and by
the game, which believes nothing that comes out of the pipe.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import types
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import EngineError
from engine.level import Level
from engine.level.calling import call
from engine.level.data import level_to_data
from engine.level.lines import field_lines
from engine.mods import kernel, sandbox, wire

LONGEST = 300
"""Characters of what an error says."""


def main() -> NoReturn:
    """Serve the game until it closes the pipe. Arguments: the folders to import from."""
    library = [Path(path) for path in sys.path if path not in sys.argv]
    source, target = _pipes()
    setup = wire.read(source)
    _die_with(setup["parent"])
    folder, scratch = Path(setup["folder"]), Path(setup["scratch"])
    sys.path.append(str(folder))
    tempfile.tempdir = str(scratch)
    os.environ.clear()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy would start more
    importlib.import_module("numpy")  # scripts may use it; its libraries lie all over the system
    level: Level | None = None
    try:
        _put_up(target, setup["walls"], [*map(Path, setup["readable"]), *library], scratch)
        while True:
            request = wire.read(source)
            if "load" in request:
                level, answer = _load(folder, request["load"])
            else:
                answer = _call(folder, level, request)
            _answer(target, answer, request.get("load", ""))
    finally:
        os._exit(0)


def _pipes() -> tuple[int, int]:
    """The pipes from and to the game. What scripts print goes nowhere."""
    os.closerange(3, 65_536)
    source, target = os.dup(0), os.dup(1)
    os.dup2(2, 0)
    os.dup2(2, 1)
    return source, target


def _put_up(target: int, walls: list[str], readable: list[Path], scratch: Path) -> None:
    try:
        sandbox.put_up(walls, readable, scratch)
    except OSError as error:
        wire.write(target, {"walls": _said(error)})
        raise
    wire.write(target, {"walls": walls})


def _die_with(parent: int) -> None:
    """When the game is killed, no pipe wakes a script that never reads."""
    if sys.platform == "linux":
        import signal

        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # nobody keeps what it leaves when it crashes
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


# -- loading -----------------------------------------------------------------------------------------------------------


def _load(folder: Path, script: str) -> tuple[Level | None, dict[str, Any]]:
    """Run a script of the mod's; its level, and what the game is told."""
    path = folder / script
    module = types.ModuleType(f"level_script_{path.stem}")
    module.__file__ = str(path)
    try:
        source = path.read_text("utf-8-sig")
        code = compile(source, str(path), "exec", dont_inherit=True)
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)
        level = module.__dict__.get("LEVEL")
        if not isinstance(level, Level):
            return None, {"problem": {"code": "worker.no_level", "params": {}, "file": script, "line": 0}}
    except BaseException as error:
        sys.modules.pop(module.__name__, None)
        return None, {"problem": _problem(error, folder, script)}
    try:
        return level, {"level": level_to_data(level), "lines": field_lines(source)}
    except BaseException as error:  # a value of a kind that data cannot be
        return None, {"problem": {"code": "data.field", "params": {"detail": _said(error)}, "file": script, "line": 0}}


# -- calling hooks -----------------------------------------------------------------------------------------------------


def _call(folder: Path, level: Level | None, asked: dict[str, Any]) -> dict[str, Any]:
    """Call a hook of the loaded level; what the game is told."""
    name = asked["name"]
    try:
        hooks = level.hooks if level else []
        if all(hook.name != name for hook in hooks):
            raise EngineError("hook.unknown", name=name)
        answer = call(hooks, [asked])[0]
    except BaseException as error:
        problem = _problem(error, folder, "")
        return {"code": problem["code"], "params": problem["params"]}
    if answer.get("code") == "hook.failed":
        answer["params"]["file"] = _inside(answer["params"]["file"], folder)
    return answer


# -- telling -----------------------------------------------------------------------------------------------------------


def _answer(target: int, answer: dict[str, Any], script: str) -> None:
    try:
        wire.write(target, answer)
    except wire.Closed:
        os._exit(0)
    except BaseException as error:  # what cannot be packed, or is too long
        told = {"code": "data.field", "params": {"detail": _said(error)}}
        wire.write(target, {"problem": {**told, "file": script, "line": 0}} if script else told)


def _problem(error: BaseException, folder: Path, script: str) -> dict[str, Any]:
    """An error as it can be told: its code, and the place in the mod where it came from."""
    file, line = _place(error, folder)
    params: dict[str, Any]
    if isinstance(error, MemoryError):
        code, params = "worker.memory", {"mib": sandbox.MEMORY_MIB}
    elif isinstance(error, EngineError):
        code, params = error.code, error.params
    elif isinstance(error, SyntaxError):
        code, params = "worker.syntax", {"detail": _said(error.msg)}
        file, line = _inside(error.filename, folder) or file, error.lineno or line
    else:
        code, params = "worker.raised", {"error": _kind(error), "detail": _said(error)}
    return {"code": code, "params": params, "file": file or script, "line": line}


def _place(error: BaseException, folder: Path) -> tuple[str, int]:
    """The innermost place in the mod's own files."""
    file, line, trace = "", 0, error.__traceback__
    while trace is not None:
        inside = _inside(trace.tb_frame.f_code.co_filename, folder)
        if inside:
            file, line = inside, trace.tb_lineno
        trace = trace.tb_next
    return file, line


def _inside(file: str | None, folder: Path) -> str:
    path = Path(file or "")
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else ""


def _kind(error: BaseException) -> str:
    try:
        return type(error).__name__[:LONGEST]
    except BaseException:
        return "?"


def _said(error: object) -> str:
    try:
        return str(error)[:LONGEST]
    except BaseException:
        return "?"
