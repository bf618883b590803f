"""Packets that move, for drawing. Nothing here has any effect on the simulation.

A packet that crosses its belt in less than `SHOWN_PS` a tile is shown as if it took that long: most cross in a few
milliseconds of simulated time, which nobody could see. A hand-off of KV is shown as a train of vectors, as long as it
keeps the wire busy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any, TypeVar

import msgpack
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from engine.floor.belt import Belt
from engine.floor.floor import Floor
from engine.floor.geometry import SIDES, Tile, turned_side
from engine.floor.kinds import PACKET_KINDS, PROMPT, Port, Stand
from engine.floor.machines.core import Core
from engine.protocol.arrays import reals
from engine.units import PS_PER_S

SHOWN_PS = PS_PER_S // 4
VECTORS_PER_HAND_OFF = 8
WAITING_PER_TILE = 3
_FIRST_CAPACITY = 64
_MOST_GONE = 8
"""Packets that have left the picture are kept up to this part of all: to drop some copies the others."""
_MOST_SPARE = 1024
"""Rows are copied several times on their way: no more than so many that nobody sees."""
_TOKEN_GAP_PS = SHOWN_PS // 6

REJECT = "reject"
DRAWN_KINDS = (*PACKET_KINDS, REJECT)
_START, _TRAVEL, _BELT, _KIND, _REQUEST = range(5)
_NOWHERE = np.empty((2, 0), np.float32)
_Number = TypeVar("_Number", np.int64, np.float32)


@frozen
class Drawn:
    """A packet in the picture."""

    request: int
    kind: str
    belt: int


@frozen
class _Queue:
    """Where prompts that wait for a core are drawn: places on its belts from their ends backwards, in turns."""

    core: Core
    belts: NDArray[np.int64]
    ways: NDArray[np.float32]


class Trail:
    """The packets of one simulation, as rows of one numpy array: start, travel time, belt, kind, request."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.basis: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 1.0)
        self._new: list[tuple[int, int, int, int, int]] = []
        self._packets = np.empty((5, 0), np.int64)
        self._queues: list[_Queue] = []
        self._forgot_ps = -1
        """Up to when it is known what has landed."""
        self._landed: set[tuple[int, int]] = set()
        """Kind and belt of what has come to the end of its way since `landed` was asked last."""
        self._first_of_belt = np.empty(0, np.int64)
        self._tiles_of_belt = np.empty(0, np.int64)
        self._curves = np.empty((3, 2, 0), np.float32)
        self._rows: dict[str, tuple[tuple[float, ...] | None, NDArray[np.float32], msgpack.ExtType | None]] = {}
        """Per packet kind: the basis in its rows, the rows, and how they were sent last."""

    # -- being told what moves (engine.floor.floor.Watcher) -----------------------------------------------------------

    def sent(self, belt: Belt, request: int, start_ps: int, wire_ps: int, arrival_ps: int) -> None:
        """A packet went on the wire."""
        kind = DRAWN_KINDS.index(belt.packet)
        count = 1 if belt.packet == PROMPT or wire_ps == 0 else VECTORS_PER_HAND_OFF
        travel = max(arrival_ps - start_ps - wire_ps, self._shown_ps(belt))
        for index in range(count):
            self._new.append((start_ps + wire_ps * index // count, travel, belt.id, kind, request))

    def made(self, belt: Belt, at_ps: int, requests: Sequence[int]) -> None:
        """Tokens were made: they follow each other closely, in the order of the batch."""
        self._follow(belt, DRAWN_KINDS.index(belt.packet), at_ps, requests)

    def rejected(self, belt: Belt, at_ps: int, requests: Sequence[int], behind: int) -> None:
        """Drafts were thrown away."""
        self._follow(belt, DRAWN_KINDS.index(REJECT), at_ps + behind * _TOKEN_GAP_PS, requests)

    def _follow(self, belt: Belt, kind: int, at_ps: int, requests: Sequence[int]) -> None:
        travel = self._shown_ps(belt)
        for index, request in enumerate(requests):
            self._new.append((at_ps + index * _TOKEN_GAP_PS, travel, belt.id, kind, request))

    def horizon_ps(self, belt: Belt) -> int:
        """Tokens made before this have left the picture."""
        return belt.now - self._shown_ps(belt)

    def _shown_ps(self, belt: Belt) -> int:
        return SHOWN_PS * len(belt.tiles)

    # -- being asked where it is --------------------------------------------------------------------------------------

    def layout_changed(self) -> None:
        """Learn the paths of the belts; forget what moved on belts that are gone."""
        nodes: list[tuple[float, float]] = []
        bends: list[tuple[float, float]] = []
        most = max(self.floor.belts, default=0) + 1
        self._first_of_belt = np.full(most, -1, np.int64)
        self._tiles_of_belt = np.ones(most, np.int64)
        for belt in self.floor.belts.values():
            self._first_of_belt[belt.id] = len(nodes)
            self._tiles_of_belt[belt.id] = len(belt.tiles)
            nodes.extend(_path(self.floor, belt))
            bends.extend((x + 0.5, y + 0.5) for x, y in (*belt.tiles, belt.tiles[-1]))
        self._curves = _curves(np.array(nodes or [(0.0, 0.0)]), np.array(bends or [(0.0, 0.0)]))
        self._queues = _queues(self.floor)
        self._take_in_new()
        known = self._packets[_BELT] < most
        known[known] = self._first_of_belt[self._packets[_BELT, known]] >= 0
        self._keep(known)

    def forget(self, now: int) -> None:
        """Forget what has left the picture by now: once there is enough of it, since the rest is copied then."""
        self._take_in_new()
        ends = self._packets[_START] + self._packets[_TRAVEL]
        gone = ends <= now
        lately = np.flatnonzero(gone & (ends > self._forgot_ps))
        self._forgot_ps = now
        if len(lately):
            kinds, belts = self._packets[_KIND, lately].tolist(), self._packets[_BELT, lately].tolist()
            self._landed.update(zip(kinds, belts, strict=True))
        if _MOST_GONE * np.count_nonzero(gone) > len(gone):
            self._keep(~gone)

    def landed(self) -> dict[str, list[int]]:
        """Per packet kind the machines that some have come to since this was asked last, as they are drawn."""
        found: dict[str, list[int]] = {}
        for kind, id in sorted(self._landed):
            belt = self.floor.belts.get(id)
            if belt is not None:
                found.setdefault(DRAWN_KINDS[kind], []).append(belt.target.machine)
        self._landed.clear()
        return found

    def packets(self, now: int) -> dict[str, list[Any]]:
        """Per packet kind [visible count, rows]: rows in grid units, in the layout of `MultiMesh.set_as_bulk_array`."""
        self._take_in_new()
        moving = self._moving(now)
        origins, kinds = self._points(moving, now), moving[_KIND]
        waiting, counts = self._waiting(), np.bincount(kinds, minlength=len(DRAWN_KINDS)).tolist()
        result: dict[str, list[Any]] = {}
        for index, name in enumerate(DRAWN_KINDS):
            points = _chosen(origins, kinds == index) if counts[index] else _NOWHERE
            if name == PROMPT and waiting.size:
                points = np.concatenate([points, waiting], axis=1)
            result[name] = [points.shape[1], self._bulk(name, points)]
        return result

    def nearest(self, now: int, x: float, y: float, within: float) -> Drawn | None:
        """The packet drawn nearest to a point, if one is drawn as near as `within`."""
        points, (kinds, belts, requests) = self._picture(now)
        if not points.size:
            return None
        distances = np.hypot(points[0] - x, points[1] - y)
        index = int(distances.argmin())
        if not distances[index] <= within:  # nor where the point is no number
            return None
        return Drawn(int(requests[index]), DRAWN_KINDS[kinds[index]], int(belts[index]))

    def of_request(self, now: int, request: int) -> NDArray[np.float32]:
        """Where the packets of a request are drawn, (n, 2)."""
        points, (_, _, requests) = self._picture(now, request)
        return _chosen(points, requests == request).T

    def _picture(self, now: int, request: int | None = None) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """All that is drawn: the points, (2, n), and kind, belt and request of each, (3, n). Of what moves only that of
        `request`, if one is given.
        """
        moving = self._moving(now)
        if request is not None:
            moving = _chosen(moving, moving[_REQUEST] == request)
        points, told = self._points(moving, now), moving[[_KIND, _BELT, _REQUEST]]
        for queue in self._queues:
            waiting = [sequence.id for sequence in islice(queue.core.scheduler.waiting, len(queue.belts))]
            if waiting:
                belts = queue.belts[: len(waiting)]
                points = np.concatenate([points, self._along(belts, queue.ways[: len(waiting)])], axis=1)
                kinds = np.full(len(waiting), DRAWN_KINDS.index(PROMPT))
                told = np.concatenate([told, np.stack([kinds, belts, np.array(waiting)])], axis=1)
        return points, told

    def _moving(self, now: int) -> NDArray[np.int64]:
        """The packets that have started and not arrived."""
        start = self._packets[_START]
        return _chosen(self._packets, (start <= now) & (now < start + self._packets[_TRAVEL]))

    def _points(self, moving: NDArray[np.int64], now: int) -> NDArray[np.float32]:
        way = (now - moving[_START]) / moving[_TRAVEL] * self._tiles_of_belt[moving[_BELT]]
        return self._along(moving[_BELT], way.astype(np.float32))

    def _along(self, belts: NDArray[np.int64], way: NDArray[np.float32]) -> NDArray[np.float32]:
        """Points `way` tiles along their belts, x and y, (2, n): in each tile a curve that bends towards its centre."""
        whole = np.minimum(way.astype(np.int64), self._tiles_of_belt[belts] - 1)
        a, b, c = self._curves.take(self._first_of_belt[belts] + whole, axis=2)
        part = (way - whole).astype(np.float32)
        points: NDArray[np.float32] = a + part * (b + part * c)
        return points

    def _waiting(self) -> NDArray[np.float32]:
        """Prompts that wait, queued on their belts."""
        belts: list[NDArray[np.int64]] = []
        ways: list[NDArray[np.float32]] = []
        for queue in self._queues:
            waiting = queue.core.queue_length()
            if waiting:
                belts.append(queue.belts[:waiting])
                ways.append(queue.ways[:waiting])
        if not belts:
            return _NOWHERE
        return self._along(np.concatenate(belts), np.concatenate(ways))

    def _bulk(self, name: str, points: NDArray[np.float32]) -> msgpack.ExtType:
        basis, rows, packed = self._rows.get(name, (None, np.empty((0, 8), np.float32), None))
        count, capacity = points.shape[1], max(_FIRST_CAPACITY, len(rows))
        while capacity < count:
            capacity += min(capacity, _MOST_SPARE)
        if basis != self.basis or len(rows) < capacity:
            rows = np.zeros((capacity, 8), np.float32)
            rows[:, [0, 1, 4, 5]] = self.basis
            packed = None
        if count or packed is None:  # where nothing is visible, what was sent before does as well
            rows[:count, 3], rows[:count, 7] = points
            packed = reals(rows)
        self._rows[name] = self.basis, rows, packed
        return packed

    def _take_in_new(self) -> None:
        if self._new:
            fresh = np.array(self._new, np.int64).T
            self._new.clear()
            self._packets = np.concatenate([self._packets, fresh], axis=1)

    def _keep(self, which: NDArray[np.bool_]) -> None:
        self._packets = _chosen(self._packets, which)


def _chosen(columns: NDArray[_Number], which: NDArray[np.bool_]) -> NDArray[_Number]:
    """Some of the columns; by their numbers, which numpy does six times as fast as by a mask."""
    return columns if which.all() else columns.take(np.flatnonzero(which), axis=1)


def _queues(floor: Floor) -> list[_Queue]:
    found = []
    for machine in floor.machines.values():
        belts = [belt for belt in machine.inputs if belt.packet == PROMPT]
        if belts and isinstance(machine, Core):
            places = [(place, belt) for belt in belts for place in range(len(belt.tiles) * WAITING_PER_TILE)]
            places.sort(key=lambda entry: entry[0])  # stable: in turns
            ways = [len(belt.tiles) - (place + 0.5) / WAITING_PER_TILE for place, belt in places]
            ids = [belt.id for _, belt in places]
            found.append(_Queue(machine, np.array(ids, np.int64), np.array(ways, np.float32)))
    return found


def _curves(nodes: NDArray[np.float64], bends: NDArray[np.float64]) -> NDArray[np.float32]:
    """For each node the way to the next one, as a + b t + c t^2: a, b and c of x and y, (3, 2, n). A quadratic curve
    that bends towards the tile's centre. A belt's last node has no next one and is never asked for.
    """
    ends = np.roll(nodes, -1, axis=0)
    curves = np.stack([nodes, 2 * (bends - nodes), nodes - 2 * bends + ends]).transpose(0, 2, 1)
    return np.ascontiguousarray(curves, np.float32)


def _path(floor: Floor, belt: Belt) -> list[tuple[float, float]]:
    """Points in grid units where packets enter and leave each tile of a belt, from port to port."""
    source, target = floor.machines[belt.source.machine].stand, floor.machines[belt.target.machine].stand
    first = _edge(belt.tiles[0], source, source.kind.outputs[belt.source.port])
    last = _edge(belt.tiles[-1], target, target.kind.inputs[belt.target.port])
    between = [((a[0] + b[0] + 1) / 2, (a[1] + b[1] + 1) / 2) for a, b in pairwise(belt.tiles)]
    return [first, *between, last]


def _edge(tile: Tile, stand: Stand, port: Port) -> tuple[float, float]:
    """The middle of the edge that `tile` shares with the machine whose port it is in front of."""
    dx, dy = SIDES[turned_side(port.side, stand.rotation)]
    return tile[0] + 0.5 - dx / 2, tile[1] + 0.5 - dy / 2
