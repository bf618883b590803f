"""Questions about requests: where one is, where its time has gone, and which packet is whose."""

from __future__ import annotations

from heapq import nlargest
from itertools import islice
from typing import Any

from attrs import frozen

from engine.errors import EngineError
from engine.floor.floor import Floor
from engine.metrics.causes import CAUSES
from engine.metrics.waterfall import total_ps, waterfall
from engine.metrics.whereabouts import NOWHERE, QUEUED, REQUEST_STATES, Place, end_of, in_machine, place_of, places
from engine.protocol.arrays import reals
from engine.protocol.asks.question import Question
from engine.protocol.trail import Trail
from engine.simulation import Simulation
from engine.traffic.request import Request
from engine.units import as_seconds

MOST_UNDER_WAY, MOST_ENDED = 100, 20
_LOOKED_THROUGH = 2000
"""Those that have just ended are among so many that arrived last."""
PICK_WITHIN = 1 / 3
"""Tiles."""


@frozen
class _Request:
    id: int


@frozen
class _Requests:
    machine: int = NOWHERE


@frozen
class _Pick:
    x: float
    y: float


def _request(simulation: Simulation, question: _Request) -> dict[str, Any]:
    request = simulation.floor.requests.get(question.id)
    if request is None:
        raise EngineError("request.unknown", id=question.id)
    _write(simulation)
    floor, now = simulation.floor, simulation.now
    place = place_of(floor, request.id)
    ended = end_of(request)
    machine = floor.machines.get(place.machine) if place is not None else None
    causes = waterfall(floor, request, place, now)
    return {
        "id": request.id,
        "state": ended or (place.state if place is not None else QUEUED),
        "machine": NOWHERE if machine is None else machine.id,
        "belt": NOWHERE if place is None else place.belt,
        "pad": NOWHERE if machine is None or machine.pad is None else machine.pad.id,
        "prompt_tokens": request.prompt_tokens,
        "output_tokens": request.output_tokens,
        "tokens": request.tokens,
        "arrival_ps": request.arrival_ps,
        "prefill_start_ps": request.prefill_start_ps,
        "prefill_end_ps": request.prefill_end_ps,
        "first_token_ps": request.first_token_ps,
        "last_token_ps": request.last_token_ps,
        "longest_pause_ps": request.longest_pause_ps,
        "ttft_ps": request.first_token_ps - request.arrival_ps if request.tokens else None,
        "tpot_ps": _tpot_ps(request),
        "kv_bytes": _kv_bytes(floor, request.id),
        "total_ps": total_ps(request, now),
        "causes": [[name, ps] for name, ps in zip(CAUSES, causes, strict=True)],
    }


def _tpot_ps(request: Request) -> int | None:
    """Mean time per token after the first."""
    if request.tokens < 2:
        return None
    return (request.last_token_ps - request.first_token_ps) // (request.tokens - 1)


def _kv_bytes(floor: Floor, request: int) -> int:
    """What is set aside for a request on all cards: during a hand-off on both."""
    held = 0
    for machine in floor.machines.values():
        if machine.pad is not None:
            held += machine.holds().get(request, 0) * machine.pad.kv_bytes_per_block
    return held


def _requests(simulation: Simulation, question: _Requests) -> dict[str, Any]:
    floor, now = simulation.floor, simulation.now
    _write(simulation)
    if question.machine == NOWHERE:
        found = places(floor)
        shown = list(islice(found.values(), MOST_UNDER_WAY))
        latest = islice(reversed(floor.requests.values()), _LOOKED_THROUGH)
        ended = [(request, state) for request in latest if (state := end_of(request)) is not None]
        for request, state in nlargest(MOST_ENDED, ended, key=lambda one: one[0].arrival_ps + total_ps(one[0], now)):
            shown.append(Place(request.id, state))
    elif question.machine in floor.machines:
        found = {place.request: place for place in in_machine(floor.machines[question.machine])}
        shown = list(islice(found.values(), MOST_UNDER_WAY))
    else:
        raise EngineError("machine.unknown", id=question.machine)
    requests = [floor.requests[place.request] for place in shown]
    return {
        "under_way": len(found),
        "states": list(REQUEST_STATES),
        "id": reals([request.id for request in requests]),
        "state": bytes(REQUEST_STATES.index(place.state) for place in shown),
        "machine": reals([place.machine for place in shown]),
        "tokens": reals([request.tokens for request in requests]),
        "output_tokens": reals([request.output_tokens for request in requests]),
        "age_s": reals([as_seconds(total_ps(request, now)) for request in requests]),
    }


def _pick(simulation: Simulation, question: _Pick) -> dict[str, Any]:
    trail = simulation.floor.watcher
    drawn = None
    if isinstance(trail, Trail):
        drawn = trail.nearest(simulation.now, question.x, question.y, PICK_WITHIN)
    if drawn is None:
        raise EngineError("pick.nothing")
    return {"request": drawn.request, "kind": drawn.kind, "belt": drawn.belt}


def _whereabouts(simulation: Simulation, question: _Request) -> dict[str, Any]:
    """Asked each frame while a request is marked on the floor."""
    floor, trail = simulation.floor, simulation.floor.watcher
    if question.id not in floor.requests:
        raise EngineError("request.unknown", id=question.id)
    place = place_of(floor, question.id) if end_of(floor.requests[question.id]) is None else None
    points = reals(trail.of_request(simulation.now, question.id).ravel() if isinstance(trail, Trail) else ())
    return {"machine": NOWHERE if place is None else place.machine, "points": points}


def _write(simulation: Simulation) -> None:
    simulation.settle()
    simulation.write()


QUESTIONS: dict[str, Question] = {
    "request": (_Request, _request),
    "requests": (_Requests, _requests),
    "pick": (_Pick, _pick),
    "whereabouts": (_Request, _whereabouts),
}
