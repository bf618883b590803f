"""Prompt Dock: requests arrive here and go to the machine behind it that has the least to do."""

from __future__ import annotations

from typing import Any

import cattrs
from numpy.random import Generator

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, Machine
from engine.metrics.causes import PREEMPTION, QUEUE
from engine.traffic.arrivals import Arrivals, Turn
from engine.traffic.request import Request
from engine.traffic.traffic import NEVER


class PromptDock(Machine):
    """A front end: it spreads requests over its belts, join the shortest queue."""

    randoms: list[Generator]
    """One a stream."""
    turn: Turn = (0, 1)
    """Which requests of a trace are its own."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.streams = [Arrivals() for _ in self.floor.streams]
        self.waiting: list[int] = []
        self.is_open = False
        """Whether the streams of requests have started."""

    def open(self) -> None:
        """Let the requests come."""
        for stream in range(len(self.streams)):
            self._start(stream)
        self.is_open = True
        self.nudge()

    def change(self, stream: int, now: int) -> None:
        """The floor's traffic has changed: a stream begins anew."""
        if self.is_open:
            self.streams[stream] = Arrivals(from_ps=now)
            self._start(stream)
            self.nudge()

    def _start(self, stream: int) -> None:
        self.streams[stream].start(self.floor.streams[stream], self.randoms[stream], self.turn)

    def receive(self, request: int, belt: Belt | None) -> None:
        """A request that was sent back queues again."""
        self.waiting.append(request)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Take in what arrives, send on what can go."""
        while self.is_open and self._next_ps() <= now:
            self._arrive()
        ways = [belt for belt in self.outputs if not self.floor.machines[belt.target.machine].is_broken]
        while self.waiting and ways:
            belt = min(ways, key=self._load)
            id = self.waiting.pop(0)
            request = self.floor.requests[id]
            request.mark(PREEMPTION if request.recompute else QUEUE, now)
            size = (request.prompt_tokens + request.tokens) * BYTES_PER_TOKEN_ID
            belt.send(id, size, size)
        return self._next_ps() if self.is_open and self._next_ps() < NEVER else None

    def _next_ps(self) -> int:
        return min(arrivals.next_ps for arrivals in self.streams)

    def _arrive(self) -> None:
        """The next request is there."""
        at = self._next_ps()
        stream = [arrivals.next_ps for arrivals in self.streams].index(at)
        traffic, random = self.floor.streams[stream], self.randoms[stream]
        arrived = self.streams[stream].take(traffic, random, self.turn)
        id = len(self.floor.requests) + 1
        request = Request(id, arrived.prompt_tokens, arrived.output_tokens, at, self.id)
        request.prefix, request.prefix_tokens = arrived.prefix, arrived.prefix_tokens
        if self.floor.level.tenants:
            request.tenant = stream
            if request.prefix < 0:
                request.prefix, request.prefix_tokens = self._prefix(stream)
        self.floor.requests[id] = request
        self.floor.ledger.arrived(request)
        self.waiting.append(id)

    def _prefix(self, tenant: int) -> tuple[int, int]:
        """Which beginning a tenant's next prompt has, counted over all tenants, and its length."""
        tenants = self.floor.level.tenants
        asks = tenants[tenant]
        if not asks.prefix_tokens:
            return -1, 0
        first = 0
        for other in tenants[:tenant]:
            first += other.prefixes
        drawn = int(self.randoms[tenant].integers(asks.prefixes)) if asks.prefixes > 1 else 0
        return first + drawn, asks.prefix_tokens

    def _load(self, belt: Belt) -> tuple[int, int]:
        return len(belt.requests()) + self.floor.machines[belt.target.machine].load_length(), belt.order

    def dump(self) -> dict[str, Any]:
        """The streams, and who waits."""
        streams = [_dump(arrivals) for arrivals in self.streams]
        named = {"streams": streams} if self.floor.level.tenants else {"arrivals": streams[0]}
        return {**named, "waiting": list(self.waiting), "open": self.is_open}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        self.streams = cattrs.structure(data.get("streams") or [data["arrivals"]], list[Arrivals])
        self.waiting, self.is_open = data["waiting"], data["open"]

    def evict(self) -> list[int]:
        """A dock is never taken away."""
        return []

    def queue_length(self) -> int:
        """Requests that have nowhere to go."""
        return len(self.waiting)

    def doing(self) -> str:
        """A dock without a belt is unconnected; with prompts on hand it is blocked."""
        if not self.outputs:
            return UNCONNECTED
        return BLOCKED if self.waiting else IDLE


def _dump(arrivals: Arrivals) -> dict[str, Any]:
    """As it has always been: what has not happened is no part of a hash."""
    data: dict[str, Any] = cattrs.unstructure(arrivals)
    for name in ("from_ps", "shift_ps"):
        if not data[name]:
            del data[name]
    return data
