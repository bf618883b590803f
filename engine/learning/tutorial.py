"""The step of a level's tutorial that is due. Nothing is remembered: what is built, the run and the facts decide, so
that steps may be done in any order and come back when the player undoes them.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from engine.codex.figures import figure
from engine.errors import EngineError
from engine.learning.conditions import holds
from engine.learning.targets import taken, targets
from engine.level.lessons import Condition, Step, Told
from engine.simulation import ENDED, Simulation

MOST_FACTS = 200
MOST_FACT_LENGTH = 80


def due(simulation: Simulation, facts: Set[str]) -> tuple[int, Step] | None:
    """The first step that is not done, and its place; None when there is none left, or the level is won.

    A step that only asks to look at something is over, too, as soon as the one after it is done.
    """
    steps = simulation.level.tutorial
    if simulation.passed:
        return None
    for place, step in enumerate(steps):
        if holds(step.done, simulation, facts):
            continue
        after = steps[place + 1] if place + 1 < len(steps) else None
        if _looks(step.done) and after is not None and holds(after.done, simulation, facts):
            continue
        return place, step
    return None


def tutorial(simulation: Simulation, facts: list[str]) -> dict[str, Any]:
    """The step that is due as the view is told it: {done: true} or {step (from 1), of, id, code, target, targets,
    values}.
    """
    if len(facts) > MOST_FACTS or any(len(fact) > MOST_FACT_LENGTH for fact in facts):
        raise EngineError("message.malformed", detail="too many facts")
    known = frozenset(facts)
    found = due(simulation, known)
    if found is None:
        return {"done": True}
    place, step = found
    way = targets(step.done, simulation, known)
    if simulation.phase == ENDED and not _looks(step.done):
        way = ["time:restart"]  # nothing can be built after the end
    open_ = [target for target in way if not taken(target, simulation, known)]
    return {
        "done": False,
        "step": place + 1,
        "of": len(simulation.level.tutorial),
        "id": step.id,
        "code": f"tutorial.{simulation.level.id}.{step.id}",
        "target": open_[0] if open_ else way[-1],
        "targets": way,
        "values": {name: figure(simulation, name) for name in step.params},
    }


def hint(simulation: Simulation, step: int) -> dict[str, Any]:
    """A hint of the level, from mild (1) to plain."""
    level = simulation.level
    if not 1 <= step <= level.hints:
        raise EngineError("hint.none", most=level.hints)
    return {"code": f"hint.{level.id}.{step}", "of": level.hints}


def _looks(condition: Condition) -> bool:
    return isinstance(condition, Told)
