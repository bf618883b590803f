"""Why tasks do not count, or cost too much, though nobody waits.

Their model is not good enough, they are refused, or answered too slowly; a card does nothing for most of the day, or an
API takes most of the money.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import catalog
from engine.diagnosis.bottleneck import WHILE_DECODING, Cause
from engine.diagnosis.evidence import Evidence
from engine.diagnosis.losses import Losses, Spent, together
from engine.diagnosis.waits import place
from engine.floor.belt import Belt
from engine.floor.floor import Floor
from engine.floor.machines.api_port import ApiPort
from engine.floor.machines.base import Machine
from engine.floor.machines.model_server import ModelServer
from engine.floor.machines.router import BY_TASK, WAYS, Router
from engine.supply.told import good_enough
from engine.units import PS_PER_MS

_IN_TIME = ("on_time", "worst_on_time")
_OF_TASKS = (*_IN_TIME, "usd_per_task")
_IN_MONEY = ("usd_per_task", "usd_per_mtok")
_IDLE = 0.1
"""A card that does nothing for less of the time is no reason that tasks are dear."""


def of_tasks(floor: Floor, metric: str, evidence: Evidence, spent: Spent) -> Cause | None:
    """What keeps tasks from counting, or makes them dear; `evidence` is of a whole run that missed the metric, in which
    so much was `spent`.
    """
    weak = next(_weak(floor), None) if metric in _OF_TASKS else None
    return weak or (_dear(floor, evidence, spent) if metric in _IN_MONEY else None)


def of_losses(floor: Floor, metric: str, evidence: Evidence, losses: Sequence[Losses]) -> Cause | None:
    """Why most of those that miss `metric` do, where it is not that they wait; `evidence` is of when they came."""
    if metric not in _IN_TIME or not losses:
        return None
    worst = max(range(len(losses)), key=lambda tenant: losses[tenant].missed / max(losses[tenant].requests, 1))
    lost = together(losses) if metric == "on_time" else losses[worst]
    if lost.refused > max(lost.waited, lost.slow):
        return refusals(floor, losses)
    return _slow(floor, evidence, lost) if lost.slow > max(lost.waited, lost.refused) else None


def refusals(floor: Floor, losses: Sequence[Losses]) -> Cause | None:
    """The tenant of whom a Gateway refuses most, if it does refuse."""
    gateways = [machine for machine in floor.machines.values() if machine.stand.kind.name == "gateway"]
    if not gateways or not any(one.refused for one in losses):
        return None
    most = max(range(len(losses)), key=lambda tenant: losses[tenant].refused)
    percent = max(round(100 * losses[most].refused / losses[most].requests), 1)
    params = {"kind": "gateway", "tenant": floor.level.tenants[most].id, "percent": percent}
    return Cause("bottleneck.turned_away", params, place(gateways[0]))


def _slow(floor: Floor, evidence: Evidence, lost: Losses) -> Cause | None:
    """The server that makes most of the tokens, and how slowly they come."""
    servers = [machine for machine in floor.machines.values() if isinstance(machine, ModelServer)]
    made = {server.id: 0.0 for server in servers}
    for server in servers:
        for cause in WHILE_DECODING:
            made[server.id] += evidence.requests(cause, place(server))
    if not any(made.values()):
        return None
    server = max(servers, key=lambda one: (made[one.id], -one.order))
    ms = lost.slow_ps // lost.slow_tokens // PS_PER_MS
    params = {"kind": "model_server", "pad": server.here.id, "ms": ms}
    return Cause("bottleneck.slow", params, place(server))


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


def _dear(floor: Floor, evidence: Evidence, spent: Spent) -> Cause | None:
    """The card that does least, or an API that is paid for everything, or for more than cards cost that do nothing."""
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
    if spent.api > spent.idle and ports:
        percent = round(100 * spent.api / spent.total)
        return Cause("bottleneck.api", {"kind": "api_port", "percent": percent}, place(ports[0]))
    share, server = min(busy.values(), key=lambda one: (one[0], one[1].order))
    if share > 1 - _IDLE:
        return None
    return Cause("bottleneck.idle", {"pad": server.here.id, "percent": round(100 * (1 - share))}, place(server))
