"""Calling the code of hooks: in this process for the levels of the game, in a worker for those of mods."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from engine.errors import EngineError
from engine.level.data import effects_to_data, run_from_data
from engine.level.hook import BreakPad, ChangeTraffic, Grant, Hook, Message, RepairPad, Take
from engine.level.memory import memory_text

_EFFECTS = (Message, ChangeTraffic, BreakPad, RepairPad, Grant, Take)


def call(hooks: list[Hook], calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Call hooks one after the other, up to the first that fails; what `HookCaller.answer` answers."""
    by_name = {hook.name: hook for hook in hooks}
    answers = []
    for asked in calls:
        answers.append(_call(by_name[asked["name"]], asked))
        if "code" in answers[-1]:
            break
    return answers


def _call(hook: Hook, asked: dict[str, Any]) -> dict[str, Any]:
    run = run_from_data(asked["run"])
    try:
        if hook.do is None:
            raise TypeError("it has no code")
        effects = hook.do(run)
        if effects is None:
            effects = []
        if not isinstance(effects, list) or not all(isinstance(effect, _EFFECTS) for effect in effects):
            raise TypeError(f"it has to return a list of effects or None, not {effects!r}"[:200])
        memory_text(run.memory)
        return {"name": hook.name, "effects": effects_to_data(effects), "memory": run.memory}
    except EngineError as error:
        return {"name": hook.name, "code": error.code, "params": error.params}
    except Exception as error:
        return {"name": hook.name, "code": "hook.failed", "params": failure(hook, error)}


def failure(hook: Hook, error: Exception) -> dict[str, str | int]:
    """Where and why a hook failed: the last line of its own file."""
    file = getattr(getattr(hook.do, "__code__", None), "co_filename", "")
    frames = traceback.extract_tb(sys.exc_info()[2])
    lines = [frame.lineno or 0 for frame in frames if frame.filename == file]
    detail = f"{type(error).__name__}: {error}"[:200]
    return {"hook": hook.name, "file": file, "line": lines[-1] if lines else 0, "detail": detail}
