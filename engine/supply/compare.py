"""Own, rented or by the token: a card against every offer, for a kind of task with its deadline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from engine import catalog
from engine.catalog.api import Api
from engine.physics.money import rent_nusd
from engine.physics.roofline import Deployment
from engine.serving.settings import Settings
from engine.slices import Slices, whole
from engine.supply.break_even import HOUR_PS, OwnedHour, break_even
from engine.supply.capacity import Capacity, Work, capacity_slices, served_slices
from engine.units import NUSD_PER_USD, as_seconds

OWNED, RENTED, SPOT = "owned", "rented", "spot"
POINTS = 8
"""Of a curve of an own card's hour over utilisation."""


def compare(
    deployment: Deployment, work: Work, apis: Sequence[Api], usd_per_kwh: float, settings: Settings | None = None
) -> dict[str, Any]:
    """What a card can do within the deadline, what its hour costs, and from which utilisation on it beats each offer.

    `break_even` is by offer and way of having the card; None: never. `possible` says whether an offer keeps the
    deadline itself. EngineError `supply.too_slow` or `serving.no_memory` where the card cannot do the task.
    """
    return whole(compare_slices(deployment, work, apis, usd_per_kwh, settings or Settings()))


def compare_slices(
    deployment: Deployment, work: Work, apis: Sequence[Api], usd_per_kwh: float, settings: Settings
) -> Slices[dict[str, Any]]:
    """The same in slices."""
    most = yield from capacity_slices(deployment, settings, work)
    hours = yield from _hours(deployment, settings, work, most, usd_per_kwh)
    return {
        "gpu": deployment.gpu.id,
        "model": deployment.model.id,
        "requests_per_s": most.requests_per_s,
        "output_tokens_per_s": most.flow.output_tokens / 3600,
        "usd_per_hour": {way: hour(1.0) / NUSD_PER_USD for way, hour in hours.items()},
        "usd_per_task": {way: hour(1.0) / NUSD_PER_USD / (most.requests_per_s * 3600) for way, hour in hours.items()},
        "curve": [
            {"utilisation": share, **{way: hour(share) / NUSD_PER_USD for way, hour in hours.items()}}
            for share in (step / POINTS for step in range(POINTS + 1))
        ],
        "offers": [
            {
                "api": api.id,
                "usd_per_hour": most.flow.at(api) / NUSD_PER_USD,
                "usd_per_task": _task_nusd(api, work) / NUSD_PER_USD,
                "possible": keeps(api, work),
                "break_even": {way: break_even(most.flow.at(api), hour) for way, hour in hours.items()},
            }
            for api in apis
        ],
    }


def keeps(api: Api, work: Work) -> bool:
    """Whether an offer's answers are on time, the longest included."""
    last_ps = api.ttft_ps + (work.longest - 1) * api.tpot_ps
    ttft_kept = not work.ttft_s or as_seconds(api.ttft_ps) <= work.ttft_s
    return ttft_kept and (not work.e2e_s or as_seconds(last_ps) <= work.e2e_s)


def _task_nusd(api: Api, work: Work) -> float:
    """A task of mean lengths."""
    return work.prompt_tokens * api.nusd_per_token_in + work.output_tokens * api.nusd_per_token_out


def _hours(
    deployment: Deployment, settings: Settings, work: Work, most: Capacity, usd_per_kwh: float
) -> Slices[dict[str, Any]]:
    """By way of having the card: nano-dollars of its hour over utilisation."""
    gpu, found, busy = deployment.gpu, dict[str, Any](), [(0.0, 0.0)]
    for share in (step / POINTS for step in range(1, POINTS + 1)):
        load = yield from served_slices(deployment, settings, work, most.requests_per_s * share)
        busy.append((share, load.busy))
    if gpu.price_usd is not None:
        found[OWNED] = partial(_owned, OwnedHour.of(gpu, catalog.costs(), usd_per_kwh), busy)
    for way, rent in ((RENTED, gpu.rent_usd_per_hour), (SPOT, gpu.rent_spot_usd_per_hour)):
        if rent is not None:
            found[way] = partial(_rented, rent_nusd(rent, HOUR_PS))
    return found


def _owned(hour: OwnedHour, busy: Sequence[tuple[float, float]], utilisation: float) -> float:
    """Between the loads that were served, along a straight line."""
    for (low, before), (high, after) in pairwise(busy):
        if utilisation <= high:
            return hour.nusd(before + (after - before) * (utilisation - low) / (high - low))
    return hour.nusd(busy[-1][1])


def _rented(hour_nusd: int, _: float) -> float:
    return hour_nusd
