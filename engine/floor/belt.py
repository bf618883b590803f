"""A belt is a link: packets go on the wire one after another and arrive in the same order.

A packet keeps the wire busy for its bytes / bandwidth. Each tile stores what it forwards, one layer's KV at a time,
and adds the hop's own latency: a long way costs time to first token.
"""

from __future__ import annotations

from attrs import define, field

from engine.catalog.link import Link
from engine.floor.floor import Floor
from engine.floor.geometry import Tile, order_of
from engine.floor.process import Process


@define(frozen=True)
class End:
    """A machine's port that a belt starts or ends at."""

    machine: int
    port: str


@define
class BeltState:
    """What a checkpoint keeps of a belt."""

    wire_free_ps: int = 0
    flying: list[list[int]] = field(factory=list)
    """[request, arrival ps] of what is on its way, first to arrive first."""


class Belt(Process):
    """A path of tiles from an output port to an input port."""

    def __init__(self, id: int, floor: Floor, packet: str, source: End, target: End, tiles: tuple[Tile, ...]) -> None:
        super().__init__(id)
        self.floor, self.packet = floor, packet
        self.source, self.target, self.tiles = source, target, tiles
        self.state = BeltState()

    @property
    def order(self) -> int:
        """The place of its first tile."""
        return order_of(self.tiles[0])

    def latency_ps(self, payload_bytes: int, chunk_bytes: int) -> int:
        """How long a packet takes from port to port when the wire is free."""
        return latency_ps(self.floor.link, len(self.tiles), payload_bytes, chunk_bytes)

    def send(self, request: int, payload_bytes: int, chunk_bytes: int) -> None:
        """Put a packet on the wire, after those that wait for it."""
        state, link = self.state, self.floor.link
        start = max(self.now, state.wire_free_ps)
        wire = link.wire_ps(payload_bytes)
        state.wire_free_ps = start + wire
        arrival = start + self.latency_ps(payload_bytes, chunk_bytes)
        if state.flying:
            arrival = max(arrival, state.flying[-1][1])
        state.flying.append([request, arrival])
        if self.floor.watcher is not None:
            self.floor.watcher.sent(self, start, wire, arrival)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Deliver what has arrived."""
        flying = self.state.flying
        while flying and flying[0][1] <= now:
            request, _ = flying.pop(0)
            self.floor.machines[self.target.machine].receive(request, self)
        return flying[0][1] if flying else None

    def evict(self) -> list[int]:
        """Drop everything on the belt; the requests that were on it."""
        requests = [request for request, _ in self.state.flying]
        self.state.flying.clear()
        return requests


def latency_ps(link: Link, tiles: int, payload_bytes: int, chunk_bytes: int) -> int:
    """Time to cross a belt of `tiles` tiles: the bytes once, and per tile a hop that stores one chunk."""
    return link.wire_ps(payload_bytes) + tiles * (link.ps_per_tile + link.wire_ps(chunk_bytes))
