"""Questions about what limits the factory, and what a change would bring."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from engine.diagnosis.diagnosis import fix_data
from engine.diagnosis.limits import limit_of
from engine.diagnosis.waits import place
from engine.diagnosis.what_if import ALWAYS
from engine.errors import EngineError
from engine.floor.machines import DecodeCore
from engine.metrics.seconds import recent
from engine.protocol.asks.machines import machine_data
from engine.protocol.asks.question import Nothing

if TYPE_CHECKING:
    from engine.protocol.tabs import Tab


@frozen
class _Machine:
    id: int


@frozen
class _WhatIf:
    id: int
    name: str
    value: int


def _overlay(tab: Tab, _: Nothing) -> dict[str, Any]:
    """What each machine is limited by now, for how much of the last ten seconds, and how busy it was."""
    simulation, evidence = tab.simulation, tab.diagnosis.evidence
    first_s, window_ps = recent(simulation.now)
    machines = list(simulation.floor.machines.values())
    limits = [limit_of(machine, machine.status()) for machine in machines]
    return {
        "id": [machine.id for machine in machines],
        "limit": limits,
        "share": [evidence.share(place(machine), limit) for machine, limit in zip(machines, limits, strict=True)],
        "busy": [min(machine.busy_ps(first_s, simulation.now) / window_ps, 1.0) for machine in machines],
    }


def _what_if(tab: Tab, question: _WhatIf) -> dict[str, Any]:
    """What each metric is, and what it would be with a setting changed; both from whole runs."""
    simulation, diagnosis = tab.simulation, tab.diagnosis
    layout = simulation.site.layout()
    changed = diagnosis.with_setting(simulation, question.id, question.name, question.value)
    if not diagnosis.simulates(simulation):
        raise EngineError("what_if.too_large")
    after, after_share = diagnosis.outcome(changed)
    before, before_share = diagnosis.outcome(layout)
    if before is None or after is None:
        return {"pending": True, "share": (before_share + after_share) / 2}
    for outcome in (before, after):
        if outcome.refusal is not None:
            raise outcome.refusal
    metrics = []
    for name in dict.fromkeys([*(goal.name for goal in simulation.level.goals), *ALWAYS]):
        metric, _, tenant = name.partition(" ")
        told = {"code": f"goal.{metric}", "tenant": tenant}
        metrics.append({**told, "before": before.values[name], "after": after.values[name]})
    return {"pending": False, "metrics": metrics}


def _machine(tab: Tab, question: _Machine) -> dict[str, Any]:
    """All about a machine, and what limited it, for which shares of the last ten seconds."""
    told = machine_data(tab.simulation, question.id)
    shares = tab.diagnosis.evidence.shares(place(tab.simulation.floor.machines[question.id]))
    return {**told, "limits": [[name, share] for name, share in shares]}


def _out_of_memory(tab: Tab, question: _Machine) -> dict[str, Any]:
    """Who held what when a core ran out of memory, and the changes that would have helped, as far as they are known:
    the smallest with which no core does, and the one that is named for the goals.
    """
    machine = tab.simulation.floor.machines.get(question.id)
    if not isinstance(machine, DecodeCore) or not machine.report:
        raise EngineError("memory.no_report", id=question.id)
    search, fixes = tab.diagnosis.search, []
    if search is not None and search.without_crash is not None:
        fixes.append(fix_data(search, *search.without_crash))
    if search is not None and search.done and search.fix is not None:
        fixes.append(fix_data(search, search.fix, search.after))
    told = [fix for number, fix in enumerate(fixes) if fix is not None and fix not in fixes[:number]]
    report, level = machine.report, tab.simulation.level
    usable = int(report["vram_bytes"] * level.memory_utilization) - report["weights_bytes"] - report["overhead_bytes"]
    free = max(usable - report["kv_bytes"], 0)
    return {**report, "free_bytes": free, "fixes": told, "looking": search is not None and not search.done}


QUESTIONS: dict[str, tuple[type[Any], Callable[[Tab, Any], dict[str, Any]]]] = {
    "overlay": (Nothing, _overlay),
    "what_if": (_WhatIf, _what_if),
    "machine": (_Machine, _machine),
    "out_of_memory": (_Machine, _out_of_memory),
}
"""Of a tab: they need more than its simulation."""
