"""Prompt Dock: requests arrive here and go to the Prefill Core that has the least to do."""

from __future__ import annotations

from attrs import define, field
from numpy.random import Generator

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, Machine
from engine.traffic.arrivals import Arrivals, Traffic
from engine.traffic.request import Request


@define
class PromptDockState:
    """What a checkpoint keeps, beside the generator's state."""

    arrivals: Arrivals = field(factory=Arrivals)
    waiting: list[int] = field(factory=list)
    open: bool = False
    """Whether the stream of requests has started."""


class PromptDock(Machine):
    """A front end: it spreads requests over its belts, join the shortest queue."""

    state_class = PromptDockState
    state: PromptDockState
    traffic: Traffic
    random: Generator

    def open(self) -> None:
        """Let the requests come."""
        self.state.arrivals.start(self.traffic, self.random)
        self.state.open = True
        self.nudge()

    def receive(self, request: int, belt: Belt | None) -> None:
        """A request that was sent back queues again."""
        self.state.waiting.append(request)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Take in what arrives, send on what can go."""
        state, arrivals = self.state, self.state.arrivals
        while state.open and arrivals.next_ps <= now:
            arrival = arrivals.next_ps
            prompt, output = arrivals.take(self.traffic, self.random)
            id = len(self.floor.requests) + 1
            request = Request(id, prompt, output, arrival, self.id)
            self.floor.requests[id] = request
            self.floor.ledger.arrived(request)
            state.waiting.append(id)
        while state.waiting and self.outputs:
            belt = min(self.outputs, key=self._load)
            id = state.waiting.pop(0)
            size = self.floor.requests[id].context_tokens * BYTES_PER_TOKEN_ID
            belt.send(id, size, size)
        return arrivals.next_ps if state.open else None

    def _load(self, belt: Belt) -> tuple[int, int]:
        return len(belt.state.flying) + self.floor.machines[belt.target.machine].load(), belt.order

    def evict(self) -> list[int]:
        """A dock is never taken away."""
        return []

    def queue_length(self) -> int:
        """Requests that have nowhere to go."""
        return len(self.state.waiting)

    def status(self) -> str:
        """A dock without a belt is unconnected; with prompts on hand it is blocked."""
        if not self.outputs:
            return UNCONNECTED
        return BLOCKED if self.state.waiting else IDLE
