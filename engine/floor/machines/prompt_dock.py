"""Prompt Dock: requests arrive here and go to the Prefill Core that has the least to do."""

from __future__ import annotations

from typing import Any

import cattrs
from numpy.random import Generator

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, Machine
from engine.metrics.causes import PREEMPTION, QUEUE
from engine.traffic.arrivals import NEVER, Arrivals, Turn
from engine.traffic.request import Request
from engine.traffic.trace import TraceTraffic
from engine.traffic.traffic import Traffic


class PromptDock(Machine):
    """A front end: it spreads requests over its belts, join the shortest queue."""

    random: Generator
    turn: Turn = (0, 1)
    """Which requests of a trace are its own."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arrivals = Arrivals()
        self.waiting: list[int] = []
        self.is_open = False
        """Whether the stream of requests has started."""

    def open(self) -> None:
        """Let the requests come."""
        self.arrivals.start(self.traffic, self.random, self.turn)
        self.is_open = True
        self.nudge()

    def change(self, now: int) -> None:
        """The floor's traffic has changed: its stream begins anew."""
        if self.is_open:
            self.arrivals = Arrivals(from_ps=now)
            self.arrivals.start(self.traffic, self.random, self.turn)
            self.nudge()

    @property
    def traffic(self) -> Traffic | TraceTraffic:
        """What comes here."""
        return self.floor.traffic

    def receive(self, request: int, belt: Belt | None) -> None:
        """A request that was sent back queues again."""
        self.waiting.append(request)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Take in what arrives, send on what can go."""
        arrivals = self.arrivals
        while self.is_open and arrivals.next_ps <= now:
            arrival = arrivals.next_ps
            prompt, output = arrivals.take(self.traffic, self.random, self.turn)
            id = len(self.floor.requests) + 1
            request = Request(id, prompt, output, arrival, self.id)
            self.floor.requests[id] = request
            self.floor.ledger.arrived(request)
            self.waiting.append(id)
        ways = [belt for belt in self.outputs if not self.floor.machines[belt.target.machine].is_broken]
        while self.waiting and ways:
            belt = min(ways, key=self._load)
            id = self.waiting.pop(0)
            request = self.floor.requests[id]
            request.mark(PREEMPTION if request.recompute else QUEUE, now)
            size = (request.prompt_tokens + request.tokens) * BYTES_PER_TOKEN_ID
            belt.send(id, size, size)
        return arrivals.next_ps if self.is_open and arrivals.next_ps < NEVER else None

    def _load(self, belt: Belt) -> tuple[int, int]:
        return len(belt.requests()) + self.floor.machines[belt.target.machine].load_length(), belt.order

    def dump(self) -> dict[str, Any]:
        """The stream, and who waits."""
        arrivals = cattrs.unstructure(self.arrivals)
        if not self.arrivals.from_ps:
            del arrivals["from_ps"]  # as it has always been: what has not happened is no part of a hash
        return {"arrivals": arrivals, "waiting": list(self.waiting), "open": self.is_open}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        self.arrivals = cattrs.structure(data["arrivals"], Arrivals)
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
