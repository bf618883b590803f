"""A belt is a link: what is sent at the same time shares its bandwidth evenly.

A packet alone keeps the wire busy for its bytes / bandwidth. Each tile stores what it forwards, one layer's KV at a
time, and adds the hop's own latency: a long way costs time to first token.
"""

from __future__ import annotations

from bisect import insort

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

    wire: list[list[int]] = field(factory=list)
    """[request, time on the wire that is left if it were alone, time from there to the end] of what is being sent."""
    shared_ps: int = 0
    """Up to when the wire's time has been shared out."""
    flying: list[list[int]] = field(factory=list)
    """[request, arrival] of what has left the wire, in the order of arrival."""


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
        """How long a packet takes from port to port when it has the wire for itself."""
        return latency_ps(self.floor.link, len(self.tiles), payload_bytes, chunk_bytes)

    def requests(self) -> list[int]:
        """What is on the belt."""
        return [entry[0] for entry in (*self.state.wire, *self.state.flying)]

    def send(self, request: int, payload_bytes: int, chunk_bytes: int) -> None:
        """Put a packet on the wire; all that is on it share its bandwidth evenly."""
        state, now = self.state, self.now
        self._share(now)
        wire = self.floor.link.wire_ps(payload_bytes)
        rest = self.latency_ps(payload_bytes, chunk_bytes) - wire
        state.wire.append([request, wire, rest])
        if self.floor.watcher is not None:
            busy = wire * len(state.wire)
            self.floor.watcher.sent(self, request, now, busy, now + busy + rest)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Take off the wire what is through, deliver what has arrived."""
        state = self.state
        while state.wire and self._through_ps() <= now:
            self._share(self._through_ps())
            for entry in [entry for entry in state.wire if entry[1] <= 0]:
                state.wire.remove(entry)
                insort(state.flying, [entry[0], state.shared_ps + entry[2]], key=lambda one: one[1])
        while state.flying and state.flying[0][1] <= now:
            request, _ = state.flying.pop(0)
            self.floor.machines[self.target.machine].receive(request, self)
        due = [state.flying[0][1]] if state.flying else []
        return min([*due, self._through_ps()]) if state.wire else min(due, default=None)

    def _through_ps(self) -> int:
        """When the next packet is through."""
        left = [entry[1] for entry in self.state.wire]
        return self.state.shared_ps + min(left) * len(left)

    def _share(self, now: int) -> None:
        """Share out the wire's time since the last change of what is on it."""
        state = self.state
        if state.wire:
            each = (now - state.shared_ps) // len(state.wire)
            for entry in state.wire:
                entry[1] -= each
        state.shared_ps = now

    def evict(self) -> list[int]:
        """Drop everything on the belt; the requests that were on it."""
        requests = self.requests()
        self.state = BeltState()
        return requests


def latency_ps(link: Link, tiles: int, payload_bytes: int, chunk_bytes: int) -> int:
    """Time to cross a belt of `tiles` tiles: the bytes once, and per tile a hop that stores one chunk."""
    return link.wire_ps(payload_bytes) + tiles * (link.ps_per_tile + link.wire_ps(chunk_bytes))
