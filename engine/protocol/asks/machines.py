"""Questions about a machine: what it does, and why it has stopped."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine.errors import EngineError
from engine.floor.machines import DecodeCore
from engine.metrics.seconds import recent
from engine.metrics.whereabouts import in_machine
from engine.protocol.asks.question import Question
from engine.simulation import Simulation


@frozen
class _Machine:
    id: int


def _machine(simulation: Simulation, question: _Machine) -> dict[str, Any]:
    machine = simulation.floor.machines.get(question.id)
    if machine is None:
        raise EngineError("machine.unknown", id=question.id)
    first_s, window_ps = recent(simulation.now)
    kind = machine.stand.kind.name
    return {
        "kind": kind,
        "pad": -1 if machine.pad is None else machine.pad.id,
        "gpu": None if machine.pad is None else machine.pad.gpu.name,
        "state": machine.status(),
        "limit": machine.limit(),
        "busy": machine.busy_ps(first_s, simulation.now) / window_ps,
        "queue": machine.queue_length(),
        "batch": machine.batch_size(),
        "slots": machine.slots(),
        "step_ps": machine.step_ps(),
        "requests": [place.request for place in in_machine(machine)],
        "settings": [
            {
                "name": name,
                "value": machine.settings[name],
                "min": spec.low,
                "max": spec.high,
                "choices": list(spec.choices),
            }
            for name, spec in simulation.level.settings.get(kind, {}).items()
        ],
    }


def _out_of_memory(simulation: Simulation, question: _Machine) -> dict[str, Any]:
    machine = simulation.floor.machines.get(question.id)
    if not isinstance(machine, DecodeCore) or not machine.report:
        raise EngineError("memory.no_report", id=question.id)
    report = dict(machine.report)
    report["fixes"] = [{"code": code, "value": value} for code, value in report["fixes"]]
    return report


QUESTIONS: dict[str, Question] = {
    "machine": (_Machine, _machine),
    "out_of_memory": (_Machine, _out_of_memory),
}
