"""Questions about a machine: what it does, and why it has stopped."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine import catalog
from engine.errors import EngineError
from engine.metrics.seconds import recent
from engine.metrics.whereabouts import in_machine
from engine.protocol.asks.question import Question
from engine.simulation import Simulation


@frozen
class _Machine:
    id: int


def machine_data(simulation: Simulation, id: int) -> dict[str, Any]:
    """All about a machine; EngineError when there is none."""
    machine = simulation.floor.machines.get(id)
    if machine is None:
        raise EngineError("machine.unknown", id=id)
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
                "default": spec.value,
                "min": spec.low,
                "max": spec.high,
                "choices": catalog.called(spec.choices),
            }
            for name, spec in simulation.level.settings.get(kind, {}).items()
        ],
    }


QUESTIONS: dict[str, Question] = {
    "machine": (_Machine, lambda simulation, question: machine_data(simulation, question.id)),
}
