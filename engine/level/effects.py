"""What hooks want to happen: each effect is checked before any takes effect, all at the present simulated time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.floor.machines.prompt_dock import PromptDock
from engine.level.check_traffic import check_traffic
from engine.level.hook import BreakPad, ChangeTraffic, Effect, Grant, Message, RepairPad, Take
from engine.level.problems import Problem, Problems
from engine.level.rules import MAX_OF_A_KIND, MAX_TEXT, NEEDED, PLACED, owns
from engine.level.spec import Level

if TYPE_CHECKING:
    from engine.simulation import Simulation

MOST_EFFECTS = 32
"""Of one call."""
_MOST_PARAMS = 16
_MOST_LANGUAGES = 20


def check_effects(level: Level, effects: list[Effect]) -> list[Problem]:
    """All that is wrong with effects; nothing when they can be had."""
    problems = Problems()
    if problems.count("effects", effects, 0, MOST_EFFECTS):
        for index, effect in enumerate(effects):
            _check(level, effect, problems, f"effects[{index}]")
    return problems.found


def _check(level: Level, effect: Effect, problems: Problems, field: str) -> None:
    match effect:
        case Message():
            _check_message(level, effect, problems, field)
        case ChangeTraffic():
            docks = [dock.kind for dock in level.docks].count("prompt_dock")
            check_traffic(effect.traffic, problems, f"{field}.traffic", docks * level.end_s)
            problems.known(f"{field}.tenant", effect.tenant, [tenant.id for tenant in level.tenants] or [""])
        case BreakPad() | RepairPad():
            problems.number(f"{field}.pad", effect.pad, 0, len(level.pads) - 1)
        case Grant() | Take():
            problems.number(f"{field}.count", effect.count, 1, MAX_OF_A_KIND)
            if problems.known(f"{field}.kind", effect.kind, PLACED) and isinstance(effect, Grant):
                for name in NEEDED.get(effect.kind, ()):
                    if name not in level.settings.get(effect.kind, {}):
                        problems.add(f"{field}.kind", "check.missing", name=name)
                if effect.kind == "draft_model" and not level.draft_models:
                    problems.add(f"{field}.kind", "check.missing", name="draft_models")


def _check_message(level: Level, message: Message, problems: Problems, field: str) -> None:
    if isinstance(message.text, str):
        if len(message.text) > 120 or not owns(level.id, message.text):
            problems.add(f"{field}.text", "check.message", id=level.id)
    elif problems.count(f"{field}.text", message.text, 1, _MOST_LANGUAGES):
        for language, text in message.text.items():
            problems.text(f"{field}.text", language, 10)
            problems.text(f"{field}.text", text, MAX_TEXT)
    if problems.count(f"{field}.params", message.params, 0, _MOST_PARAMS):
        for name, value in message.params.items():
            problems.text(f"{field}.params", name, 40)
            if isinstance(value, str):
                problems.text(f"{field}.params", value, 200)
            elif not math.isfinite(value) or abs(value) >= 1e15:
                problems.add(f"{field}.params", "data.field", detail="expected a number below 1e15")


def apply_effects(simulation: Simulation, effects: list[Effect]) -> None:
    """Let them happen now, in their order; EngineError, and nothing has changed, when one of them cannot be."""
    problems = check_effects(simulation.level, effects)
    if problems:
        first = problems[0]
        detail = " ".join([first.code, *(f"{name}={value}" for name, value in first.params.items())])
        raise EngineError("hook.effect", field=first.field, detail=detail[:200])
    for effect in effects:
        _apply(simulation, effect)


def _apply(simulation: Simulation, effect: Effect) -> None:
    floor, site, now = simulation.floor, simulation.site, simulation.now
    match effect:
        case Message():
            own = isinstance(effect.text, dict)
            text = {"text": "", "texts": effect.text} if own else {"text": effect.text, "texts": {}}
            floor.event(now, "hook.message", level=simulation.level.id, **text, params=effect.params)
        case ChangeTraffic():
            stream = max(simulation.level.tenant_index(effect.tenant), 0)
            floor.streams[stream] = effect.traffic
            for machine in floor.machines.values():
                if isinstance(machine, PromptDock):
                    machine.change(stream, now)
            site.revision += 1
            floor.event(now, "traffic.changed")
        case BreakPad():
            if not floor.pads[effect.pad].broken:
                site.break_pad(floor.pads[effect.pad])
                floor.event(now, "pad.broken", pad=effect.pad)
        case RepairPad():
            if floor.pads[effect.pad].broken:
                site.repair_pad(floor.pads[effect.pad])
                floor.event(now, "pad.repaired", pad=effect.pad)
        case Grant() | Take():
            count = effect.count if isinstance(effect, Grant) else -min(effect.count, site.allowed.get(effect.kind, 0))
            if count:
                site.allow(effect.kind, min(count, MAX_OF_A_KIND - site.allowed.get(effect.kind, 0)))
                floor.event(now, "grant", kind=effect.kind, count=count)
