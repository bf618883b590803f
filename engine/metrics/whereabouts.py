"""Where requests are now and what becomes of them there, read off machines and belts. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from engine.floor.belt import Belt
from engine.floor.floor import Floor
from engine.floor.machines import ApiPort, DecodeCore, Gateway, Machine, ModelServer, PrefillCore, PromptDock, Router
from engine.traffic.request import Request

REQUEST_STATES = ("queued", "link", "prefill", "waiting", "decode", "done", "refused", "lost")
"""Before its prompt is worked on; on a belt; its prompt is computed (again, after a preemption); its KV waits for a
Decode Core; its answer is made; all of it is made; too long for the server; its core ran out of memory.
"""
QUEUED, LINK, PREFILL, WAITING, DECODE, DONE, REFUSED, LOST = REQUEST_STATES
NOWHERE = -1


@frozen
class Place:
    """Where a request is: in a machine or on a belt."""

    request: int
    state: str
    machine: int = NOWHERE
    belt: int = NOWHERE


def end_of(request: Request) -> str | None:
    """How a request has ended; None while it is under way."""
    if request.refused:
        return REFUSED
    if request.lost_ps >= 0:
        return LOST
    return DONE if request.done else None


def in_machine(machine: Machine) -> Iterator[Place]:
    """The requests that a machine works on or that wait in it, in order; not those on their way to it."""
    for request, state in _states(machine):
        yield Place(request, state, machine=machine.id)


def on_belt(belt: Belt) -> Iterator[Place]:
    """The requests on a belt."""
    for request in belt.requests():
        yield Place(request, LINK, belt=belt.id)


def places(floor: Floor) -> dict[int, Place]:
    """All requests under way, the oldest first."""
    found: dict[int, Place] = {}
    for machine in floor.machines.values():
        found.update((place.request, place) for place in in_machine(machine))
    for belt in floor.belts.values():
        # what was lost at the far end of a belt is still on it
        found.update((place.request, place) for place in on_belt(belt) if end_of(floor.requests[place.request]) is None)
    return dict(sorted(found.items()))


def place_of(floor: Floor, request: int) -> Place | None:
    """Where a request is; None when it is nowhere any more."""
    for machine in floor.machines.values():
        for id, state in _states(machine):
            if id == request:
                return Place(request, state, machine=machine.id)
    for belt in floor.belts.values():
        if request in belt.requests():
            return Place(request, LINK, belt=belt.id)
    return None


def _states(machine: Machine) -> Iterator[tuple[int, str]]:
    if isinstance(machine, PromptDock | Gateway | Router):
        yield from ((request, QUEUED) for request in machine.waiting)
    elif isinstance(machine, ApiPort):
        yield from ((request, DECODE if call.made else PREFILL) for request, call in machine.calls.items())
        yield from ((request, QUEUED) for request in machine.waiting)
    elif isinstance(machine, PrefillCore):
        yield from ((sequence.id, WAITING) for sequence in machine.stepper.through)
        yield from ((sequence.id, PREFILL) for sequence in machine.scheduler.prefilling)
        yield from ((sequence.id, QUEUED) for sequence in machine.scheduler.waiting)
    elif isinstance(machine, ModelServer):
        yield from ((request, DECODE) for request in machine.scheduler.decoding)
        yield from ((sequence.id, PREFILL) for sequence in machine.scheduler.prefilling)
        yield from ((sequence.id, QUEUED) for sequence in machine.scheduler.waiting)
    elif isinstance(machine, DecodeCore):
        yield from ((request, DECODE) for request in machine.scheduler.decoding)
        for sequence in machine.scheduler.prefilling:  # the step after a hand-off makes the first token
            again = machine.floor.requests[sequence.id].recompute
            yield sequence.id, PREFILL if again else DECODE
        yield from ((sequence.id, WAITING) for sequence in machine.scheduler.waiting)
