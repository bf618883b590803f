"""Gateway: the door of a shared server. It refuses what is beyond a tenant's quota, and lets the others in by priority.

A quota is a token bucket (requests per minute, as providers state their limits): it fills evenly and holds what comes
in ten seconds, one request at least, so that a burst passes but no stream above the quota. A refused request is lost:
HTTP 429, and nobody asks again.

Requests wait here, not in the servers' queues, where nobody could pass: one is let in when the server that it would go
to has a slot and hardly anybody waits there. Priorities are aged: a step of priority is worth as much as having come
ten seconds earlier. So nobody starves: a request is overtaken only by those that come within thirty seconds after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, WORKING, Machine
from engine.floor.machines.router import Router
from engine.metrics.causes import LINK, PREEMPTION, QUEUE
from engine.traffic.request import Request
from engine.units import PS_PER_S

BURST_S = 10
"""A bucket holds what comes in so many seconds."""
AGEING_S = 10
"""Seconds of waiting that are worth a step of priority."""
READY = 2
"""Requests that may wait at a server, or be on their way there, so that it never stands idle."""
_ONE = 60 * PS_PER_S
"""What a request takes out of its bucket, which gains its quota each picosecond."""


class Gateway(Machine):
    """Buckets and a queue."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.waiting: list[int] = []
        self.buckets: dict[int, list[int]] = {}
        """Tenant -> [what is in its bucket, since when]; one that nothing was taken from is full."""

    # -- admission -------------------------------------------------------------------------------------------------

    def receive(self, request: int, belt: Belt | None) -> None:
        """A prompt arrives: refused, or it queues."""
        asked = self.floor.requests[request]
        asked.mark(PREEMPTION if asked.recompute else LINK, self.now)
        if not self._admits(asked):
            asked.refused = True
            self.floor.ledger.refused(asked)
            return
        self.waiting.append(request)
        self.nudge()

    def _admits(self, request: Request) -> bool:
        """Whether its tenant's bucket has one left; what was admitted once and comes again is free."""
        quota = self.settings.get(f"quota_{request.tenant}", 0)
        if not quota or request.recompute:
            return True
        full = max(quota * BURST_S * PS_PER_S, _ONE)
        level, since = self.buckets.get(request.tenant, (full, self.now))
        level = min(level + quota * (self.now - since), full)
        admitted = level >= _ONE
        self.buckets[request.tenant] = [level - _ONE if admitted else level, self.now]
        return admitted

    # -- the queue -------------------------------------------------------------------------------------------------

    def act(self, now: int) -> int | None:
        """Let in what its server is ready for, the most urgent first."""
        closed: set[tuple[int, int]] = set()
        """Tenants and prefixes whose server has no use for more: what is like them need not be asked about."""
        for id in sorted(self.waiting, key=self.rank):
            request = self.floor.requests[id]
            like = request.tenant, request.prefix
            way = None
            if like not in closed:
                way = next((belt for belt in self.outputs if self._ready(belt, id, 0)), None)
            if way is None:
                closed.add(like)
                continue
            self.waiting.remove(id)
            request.mark(PREEMPTION if request.recompute else QUEUE, now)
            size = (request.prompt_tokens + request.tokens) * BYTES_PER_TOKEN_ID
            way.send(id, size, size)
        return None

    def rank(self, id: int) -> tuple[int, int]:
        """Its place in the queue: as if it had come earlier by ten seconds per step of priority."""
        request = self.floor.requests[id]
        priority = self.settings.get(f"priority_{request.tenant}", 0)
        return request.arrival_ps - priority * AGEING_S * PS_PER_S, id

    def _ready(self, belt: Belt, request: int, before: int) -> bool:
        """Whether the server that a request would go to over `belt` has a use for it; `before` are on their way."""
        machine, before = self.floor.machines[belt.target.machine], before + len(belt.requests())
        if machine.is_broken:
            return False
        if isinstance(machine, Router):
            way = machine.choose(request)
            return way is not None and self._ready(way, request, before + machine.queue_length())
        machine.settle(self.now)
        slots = machine.slots()
        return before + machine.queue_length() < READY and (not slots or before + machine.load_length() < slots)

    def connected(self) -> None:
        """Be told when slots and memory come free behind it."""
        for machine in self._behind():
            pad = machine.pad
            if pad is not None and self.id not in pad.watchers:
                pad.watchers.append(self.id)

    def _behind(self) -> Iterator[Machine]:
        """The machines that its prompts go to, routers between left out."""
        belts = list(self.outputs)
        for belt in belts:
            machine = self.floor.machines[belt.target.machine]
            if isinstance(machine, Router):
                belts += [one for one in machine.outputs if one not in belts]
            else:
                yield machine

    # -- state -----------------------------------------------------------------------------------------------------

    def evict(self) -> list[int]:
        """Forget all prompts; those that were here."""
        gone, self.waiting = self.waiting, []
        return gone

    def dump(self) -> dict[str, Any]:
        """Who waits, and what is in the buckets."""
        buckets = [[tenant, *bucket] for tenant, bucket in self.buckets.items()]
        return {"waiting": list(self.waiting), "buckets": buckets}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        self.waiting = data["waiting"]
        self.buckets = {tenant: [level, since] for tenant, level, since in data["buckets"]}

    def queue_length(self) -> int:
        """Requests that wait to be let in."""
        return len(self.waiting)

    def doing(self) -> str:
        """A gateway without a way in or out is unconnected."""
        if not self.outputs or not self.inputs:
            return UNCONNECTED
        if self.waiting:
            return BLOCKED
        return WORKING if any(belt.requests() for belt in self.outputs) else IDLE
