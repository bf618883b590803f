"""Why tasks do not count, or cost too much, though nobody waits.

Their model is not good enough, a card does nothing for most of the day, or an API is paid for everything.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import catalog
from engine.diagnosis.bottleneck import Cause
from engine.diagnosis.evidence import Evidence
from engine.diagnosis.waits import place
from engine.floor.belt import Belt
from engine.floor.floor import Floor
from engine.floor.machines.api_port import ApiPort
from engine.floor.machines.base import Machine
from engine.floor.machines.model_server import ModelServer
from engine.floor.machines.router import BY_TASK, WAYS, Router
from engine.supply.told import good_enough

_OF_TASKS = ("on_time", "worst_on_time", "usd_per_task")
_IN_MONEY = ("usd_per_task", "usd_per_mtok")
_IDLE = 0.1
"""A card that does nothing for less of the time is no reason that tasks are dear."""


def of_tasks(floor: Floor, metric: str, evidence: Evidence) -> Cause | None:
    """What keeps tasks from counting, or makes them dear; `evidence` is of a whole run that missed the metric."""
    weak = next(_weak(floor), None) if metric in _OF_TASKS else None
    return weak or (_dear(floor, evidence) if metric in _IN_MONEY else None)


def _weak(floor: Floor) -> Iterator[Cause]:
    """Models that answer tenants for whom they are not good enough."""
    for index, tenant in enumerate(floor.level.tenants):
        for machine in _answering(floor, index):
            model = machine.model().id if isinstance(machine, ModelServer) else machine.api(machine.offer).model
            if not good_enough(model, tenant):
                name = catalog.model(model).name
                yield Cause("bottleneck.quality", {"model": name, "tenant": tenant.id}, place(machine))


def _answering(floor: Floor, tenant: int) -> Iterator[ModelServer | ApiPort]:
    """Who gets a tenant's prompts."""
    todo = [machine for machine in floor.machines.values() if machine.stand.kind.name == "prompt_dock"]
    seen = {machine.id for machine in todo}
    while todo:
        machine = todo.pop(0)
        for belt in machine.outputs:
            if belt.target.machine not in seen and _leads(machine, belt, tenant):
                target = floor.machines[belt.target.machine]
                seen.add(target.id)
                if isinstance(target, ModelServer | ApiPort):
                    yield target
                else:
                    todo.append(target)


def _leads(machine: Machine, belt: Belt, tenant: int) -> bool:
    """Whether a tenant's prompts may go this way out of a machine."""
    if not isinstance(machine, Router) or machine.settings["policy"] != BY_TASK:
        return True
    port = WAYS[machine.settings.get(f"way_{tenant}", 0)]
    return belt.source.port == port or port not in [other.source.port for other in machine.outputs]


def _dear(floor: Floor, evidence: Evidence) -> Cause | None:
    """The card that does least, or an API that is paid for everything."""
    busy: dict[int, tuple[float, ModelServer]] = {}
    for machine in floor.machines.values():
        if isinstance(machine, ModelServer):
            before, first = busy.get(machine.here.id, (0.0, machine))
            busy[machine.here.id] = before + evidence.share(place(machine), "compute", "bandwidth"), first
    ports = [machine for machine in floor.machines.values() if isinstance(machine, ApiPort) and machine.inputs]
    if not busy and ports:
        return Cause("bottleneck.paid", {"kind": "api_port"}, place(ports[0]))
    if not busy:
        return None
    share, server = min(busy.values(), key=lambda one: (one[0], one[1].order))
    if share > 1 - _IDLE:
        return None
    return Cause("bottleneck.idle", {"pad": server.here.id, "percent": round(100 * (1 - share))}, place(server))
