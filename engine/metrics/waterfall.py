"""Where the time of a request has gone so far: what is written down already, and the open part, which has the cause
that the request waits for now. The parts add up to the picosecond.
"""

from __future__ import annotations

from engine.floor.floor import Floor
from engine.floor.kinds import PROMPT
from engine.floor.machines.core import Core
from engine.metrics.causes import LINK, OTHERS, PREEMPTION, PREFILL, QUEUE, WEIGHTS
from engine.metrics.whereabouts import DONE, LOST, Place, end_of
from engine.scheduling.stepper import Stepper
from engine.traffic.request import Request


def total_ps(request: Request, now: int) -> int:
    """From arrival until now, or until its end: to the delivery of its last token, if it is done."""
    ended = end_of(request)
    until = now
    if ended == DONE:
        until = request.last_token_ps
    elif ended is not None:
        until = max(request.lost_ps, request.marked_ps)
    return until - request.arrival_ps


def waterfall(floor: Floor, request: Request, place: Place | None, now: int) -> list[int]:
    """Picoseconds per cause; together `total_ps`. `place`: where it is. Settle first."""
    machine = floor.machines.get(place.machine) if place is not None else None
    ended = end_of(request)
    if ended is None and isinstance(machine, Core) and request.id in machine.stepper.joined:
        _, before = machine.stepper.joined[request.id]
        times = zip(request.causes, _spent(machine.stepper, now), before, strict=True)
        return [cause + spent - spent_before for cause, spent, spent_before in times]
    causes = list(request.causes)
    if ended is None:
        causes[_waits_for(floor, request, place)] += now - request.marked_ps
    elif ended == LOST:
        causes[_lost_in(request, place)] += max(request.lost_ps - request.marked_ps, 0)
    return causes


def _lost_in(request: Request, place: Place | None) -> int:
    """What a request was about when its core ran out of memory: a decode step (reading weights, most of the time),
    the hand-off, or waiting for its first step.
    """
    if request.tokens:
        return WEIGHTS
    return QUEUE if place is None else LINK


def _waits_for(floor: Floor, request: Request, place: Place | None) -> int:
    belt = floor.belts.get(place.belt) if place is not None else None
    if request.recompute and (belt is None or belt.packet == PROMPT):
        return PREEMPTION
    if belt is not None:
        return LINK
    machine = floor.machines.get(place.machine) if place is not None else None
    run = machine.stepper.run if isinstance(machine, Core) else None
    in_step = run is not None and any(chunk.sequence.id == request.id for chunk in run.chunks)
    return PREFILL if in_step else QUEUE


def _spent(stepper: Stepper, now: int) -> list[int]:
    """What a sequence has spent that has always been decoding, the part of the present step that has gone included."""
    spent, run = list(stepper.spent), stepper.run
    since = now - stepper.last_end_ps
    if run is not None and run.batch and now > run.start_ps:
        gone = now - run.start_ps
        spent = [all_of_it + part for all_of_it, part in zip(spent, stepper.parts(run, gone), strict=True)]
        since -= gone
    spent[OTHERS] += since
    return spent
