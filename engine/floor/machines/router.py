"""Router: sends each prompt to one of several servers, by what they have to do, by whose it is, or by how it begins.

By prefix it is cache-aware, as SGLang's router is: prompts with the same beginning go where that beginning went before,
as long as that server does not have far more to do than another. Source: SGLang, "Cache-aware load balancing" (v0.4).
With a way to fall back to, a prompt takes that one when the server that it is meant for has no slot left or is broken,
as LiteLLM's routers do.
"""

from __future__ import annotations

from typing import Any

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, Machine
from engine.metrics.causes import LINK, PREEMPTION, QUEUE

BY_LOAD, BY_TASK, BY_PREFIX = range(3)
"""The setting `policy`."""
WAYS = ("", "e", "s", "n")
"""The setting `way_<tenant>`: any way, or the one out of this port."""
IMBALANCE = 8
"""Requests that a server may have more than another and still gets the prompts whose beginning it knows."""


class Router(Machine):
    """Holds a prompt only while no way leads on."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.waiting: list[int] = []
        self.homes: dict[int, str] = {}
        """Prefix -> the port that it went out of last."""

    def receive(self, request: int, belt: Belt | None) -> None:
        """A prompt arrives, and goes on at once."""
        asked = self.floor.requests[request]
        asked.mark(PREEMPTION if asked.recompute else LINK, self.now)
        self.waiting.append(request)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Send on what is here."""
        while self.waiting:
            request = self.floor.requests[self.waiting[0]]
            way = self.choose(request.id)
            if way is None:
                break
            self.waiting.pop(0)
            if request.prefix >= 0:
                self.homes[request.prefix] = way.source.port
            request.mark(PREEMPTION if request.recompute else QUEUE, now)
            size = (request.prompt_tokens + request.tokens) * BYTES_PER_TOKEN_ID
            way.send(request.id, size, size)
            for belt in self.inputs:  # a Gateway counts what is on its way here
                self.floor.nudge(belt.source.machine)
        return None

    def choose(self, request: int) -> Belt | None:
        """The way that a prompt would take now."""
        asked, policy = self.floor.requests[request], self.settings["policy"]
        ways = [belt for belt in self.outputs if not self.floor.machines[belt.target.machine].is_broken]
        fallback = next((belt for belt in ways if belt.source.port == WAYS[self.settings.get("fallback", 0)]), None)
        first = [belt for belt in ways if belt is not fallback]
        if not first:
            return fallback
        loads = {belt.source.port: self._load(belt) for belt in first}
        known = list(self.homes.values()) if policy == BY_PREFIX else []
        least = min(first, key=lambda belt: (loads[belt.source.port], known.count(belt.source.port), belt.order))
        port = ""
        if policy == BY_TASK:
            port = WAYS[self.settings.get(f"way_{asked.tenant}", 0)]
        elif policy == BY_PREFIX:
            port = self.homes.get(asked.prefix, "")
            if port in loads and loads[port] > loads[least.source.port] + IMBALANCE:
                port = ""
        if fallback is not None and port == fallback.source.port:
            return fallback
        way = next((belt for belt in first if belt.source.port == port), None)
        if fallback is not None and self._is_full(way, port, least, loads):
            return fallback
        return way or least

    def _is_full(self, way: Belt | None, port: str, least: Belt, loads: dict[str, int]) -> bool:
        """Whether the server that a prompt is meant for has no slot left, or cannot be reached."""
        if way is None and port:
            return True
        way = way or least
        slots = self.floor.machines[way.target.machine].slots()
        return bool(slots) and loads[way.source.port] >= slots

    def _load(self, belt: Belt) -> int:
        machine = self.floor.machines[belt.target.machine]
        machine.settle(self.now)
        return len(belt.requests()) + machine.load_length()

    def load_length(self) -> int:
        """What is here, and what the server with the least to do has to do."""
        return len(self.waiting) + min((self._load(belt) for belt in self.outputs), default=0)

    def queue_length(self) -> int:
        """Prompts that have nowhere to go."""
        return len(self.waiting)

    def evict(self) -> list[int]:
        """Forget all prompts; those that were here."""
        gone, self.waiting = self.waiting, []
        return gone

    def dump(self) -> dict[str, Any]:
        """Who waits, and where beginnings went."""
        return {"waiting": list(self.waiting), "homes": [[prefix, port] for prefix, port in self.homes.items()]}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        self.waiting, self.homes = data["waiting"], dict(data["homes"])

    def doing(self) -> str:
        """A router without a way in or out is unconnected."""
        if not self.outputs or not self.inputs:
            return UNCONNECTED
        return BLOCKED if self.waiting else IDLE
