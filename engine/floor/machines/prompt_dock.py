"""Prompt Dock: requests arrive here and go to the Prefill Core that has the least to do."""

from __future__ import annotations

from typing import Any

import cattrs
from numpy.random import Generator

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, Machine
from engine.metrics.causes import PREEMPTION, QUEUE
from engine.traffic.arrivals import Arrivals, Traffic
from engine.traffic.request import Request
from engine.traffic.trace import TraceTraffic


class PromptDock(Machine):
    """A front end: it spreads requests over its belts, join the shortest queue."""

    traffic: Traffic | TraceTraffic
    random: Generator

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arrivals = Arrivals()
        self.waiting: list[int] = []
        self.is_open = False
        """Whether the stream of requests has started."""

    def open(self) -> None:
        """Let the requests come."""
        self.arrivals.start(self.traffic, self.random)
        self.is_open = True
        self.nudge()

    def receive(self, request: int, belt: Belt | None) -> None:
        """A request that was sent back queues again."""
        self.waiting.append(request)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Take in what arrives, send on what can go."""
        arrivals = self.arrivals
        while self.is_open and arrivals.next_ps <= now:
            arrival = arrivals.next_ps
            prompt, output = arrivals.take(self.traffic, self.random)
            id = len(self.floor.requests) + 1
            request = Request(id, prompt, output, arrival, self.id)
            self.floor.requests[id] = request
            self.floor.ledger.arrived(request)
            self.waiting.append(id)
        while self.waiting and self.outputs:
            belt = min(self.outputs, key=self._load)
            id = self.waiting.pop(0)
            request = self.floor.requests[id]
            request.mark(PREEMPTION if request.recompute else QUEUE, now)
            size = (request.prompt_tokens + request.tokens) * BYTES_PER_TOKEN_ID
            belt.send(id, size, size)
        return arrivals.next_ps if self.is_open else None

    def _load(self, belt: Belt) -> tuple[int, int]:
        return len(belt.requests()) + self.floor.machines[belt.target.machine].load_length(), belt.order

    def dump(self) -> dict[str, Any]:
        """The stream, and who waits."""
        return {"arrivals": cattrs.unstructure(self.arrivals), "waiting": list(self.waiting), "open": self.is_open}

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

    def status(self) -> str:
        """A dock without a belt is unconnected; with prompts on hand it is blocked."""
        if not self.outputs:
            return UNCONNECTED
        return BLOCKED if self.waiting else IDLE
