"""The bill and the break-evens of a level as plain data: for the view's questions and for reports."""

from __future__ import annotations

from typing import Any

from engine import catalog
from engine.errors import EngineError
from engine.level.spec import Level, Tenant
from engine.physics.roofline import Deployment
from engine.serving.settings import Settings
from engine.simulation import Simulation
from engine.slices import Slices, whole
from engine.supply.capacity import Work
from engine.supply.compare import compare_slices
from engine.units import NUSD_PER_USD


def bill_data(simulation: Simulation) -> dict[str, Any]:
    """What each card and each API Port has cost since the start, in nano-dollars that add up to the total."""
    found, machines = simulation.bill(), simulation.floor.machines
    return {
        "total_nusd": found.total,
        "usd": found.total / NUSD_PER_USD,
        "pads": [
            {
                "pad": pad.pad,
                "gpu": simulation.floor.pads[pad.pad].gpu.id,
                "way": pad.way,
                "purchase_nusd": pad.purchase,
                "management_nusd": pad.management,
                "electricity_nusd": pad.electricity,
                "rent_nusd": pad.rent,
                "total_nusd": pad.total,
            }
            for pad in found.pads
        ],
        "apis": [
            {
                "machine": api.machine,
                "x": machines[api.machine].stand.x,
                "y": machines[api.machine].stand.y,
                "api": api.api,
                "total_nusd": api.total,
            }
            for api in found.apis
        ],
    }


def break_even_data(level: Level, only: int | None = None) -> list[dict[str, Any]]:
    """As `break_even_slices` tells it."""
    return whole(break_even_slices(level, only))


def break_even_slices(level: Level, only: int | None = None) -> Slices[list[dict[str, Any]]]:
    """For each task of a level and each card that it has: from which utilisation the card beats each offer.

    The card runs the smallest model of the level that is good enough. All offers of the catalog whose model is good
    enough are compared; `here` are those that the level has. `refused` says why a card cannot do a task. `only`: the
    index of the one that is compared, since each takes a while; of the others only what they are about is told.
    """
    supply = level.supply
    usd_per_kwh = catalog.costs().electricity_usd_per_kwh if supply is None else catalog.place(supply.place).usd_per_kwh
    found: list[dict[str, Any]] = []
    for tenant, work in _tasks(level):
        model = _model(level, tenant)
        apis = [api for api in catalog.apis().values() if good_enough(api.model, tenant)]
        for gpu in dict.fromkeys(pad.gpu for pad in level.pads):
            entry: dict[str, Any] = {"tenant": "" if tenant is None else tenant.id, "gpu": gpu, "model": model}
            entry["gpu_name"] = catalog.gpu(gpu).name
            if model and only in (None, len(found)):
                try:
                    deployment = Deployment(catalog.gpu(gpu), catalog.model(model))
                    entry |= yield from compare_slices(deployment, work, apis, usd_per_kwh, Settings())
                except EngineError as error:
                    entry["refused"] = {"code": error.code, "params": error.params}
            for offer in entry.get("offers", []):
                offer["here"] = offer["api"] in level.apis
                offer["name"] = catalog.api(offer["api"]).name.split(",")[0]
            found.append(entry)
    return found


def good_enough(model: str, tenant: Tenant | None) -> bool:
    """Whether answers of a model count for a tenant."""
    if tenant is None or not tenant.benchmark:
        return True
    score = catalog.benchmark(tenant.benchmark).score(model)
    return score is not None and score >= tenant.quality


def _tasks(level: Level) -> list[tuple[Tenant | None, Work]]:
    if level.tenants:
        return [(tenant, _work(tenant.traffic, tenant.ttft_s, tenant.e2e_s)) for tenant in level.tenants]
    return [] if level.traffic is None else [(None, _work(level.traffic, 0.0, 0.0))]


def _work(traffic: Any, ttft_s: float, e2e_s: float) -> Work:
    return Work.of(traffic.prompt, traffic.output, ttft_s, e2e_s)


def _model(level: Level, tenant: Tenant | None) -> str:
    """The smallest of the level's models that is good enough; empty: none is."""
    models = [catalog.model(id) for id in level.models or [level.model] if good_enough(id, tenant)]
    return min(models, key=lambda model: (model.weight_bytes_read, model.id)).id if models else ""
