"""Packets that move, for drawing. Nothing here has any effect on the simulation.

A packet that crosses its belt in less than `SHOWN_PS` a tile is shown as if it took that long: most cross in a few
milliseconds of simulated time, which nobody could see. A hand-off of KV is shown as a train of vectors, as long as it
keeps the wire busy.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from engine.floor.belt import Belt
from engine.floor.floor import Floor
from engine.floor.geometry import SIDES, Tile, turned_side
from engine.floor.kinds import PACKET_KINDS, PROMPT, Port, Stand
from engine.protocol.arrays import reals
from engine.units import PS_PER_S

SHOWN_PS = PS_PER_S // 4
VECTORS_PER_HAND_OFF = 8
WAITING_PER_TILE = 3
_FIRST_CAPACITY = 64


class Trail:
    """The packets of one simulation, as columns of numpy arrays: start, travel time, belt, kind."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.basis: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 1.0)
        self._new: list[tuple[int, int, int, int]] = []
        self._start = np.empty(0, np.int64)
        self._travel = np.empty(0, np.int64)
        self._belt = np.empty(0, np.int64)
        self._kind = np.empty(0, np.int64)
        self._path_first: dict[int, int] = {}
        self._first_of_belt = np.empty(0, np.int64)
        self._tiles_of_belt = np.empty(0, np.int64)
        self._curves = np.empty((0, 6), np.float32)
        self._rows: dict[str, tuple[tuple[float, ...] | None, NDArray[np.float32], msgpack.ExtType | None]] = {}
        """Per packet kind: the basis in its rows, the rows, and how they were sent last."""

    # -- being told what moves (engine.floor.floor.Watcher) -----------------------------------------------------------

    def sent(self, belt: Belt, start_ps: int, wire_ps: int, arrival_ps: int) -> None:
        """A packet went on the wire."""
        kind = PACKET_KINDS.index(belt.packet)
        count = 1 if belt.packet == PROMPT or wire_ps == 0 else VECTORS_PER_HAND_OFF
        travel = max(arrival_ps - start_ps - wire_ps, self._shown_ps(belt))
        for index in range(count):
            self._new.append((start_ps + wire_ps * index // count, travel, belt.id, kind))

    def made(self, belt: Belt, at_ps: int, tokens: int) -> None:
        """Tokens were made: they follow each other closely, in the order of the batch."""
        kind, travel = PACKET_KINDS.index(belt.packet), self._shown_ps(belt)
        gap = SHOWN_PS // 6
        for index in range(tokens):
            self._new.append((at_ps + index * gap, travel, belt.id, kind))

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
        self._take_in_new()
        known = self._belt < most
        known[known] = self._first_of_belt[self._belt[known]] >= 0
        self._keep(known)

    def packets(self, now: int) -> dict[str, list[Any]]:
        """Per packet kind [visible count, rows]: rows in grid units, in the layout of `MultiMesh.set_as_bulk_array`."""
        self._take_in_new()
        self._keep(now < self._start + self._travel)
        moving = self._start <= now
        start, travel, belt, kinds = self._start, self._travel, self._belt, self._kind
        if not moving.all():
            start, travel, belt, kinds = start[moving], travel[moving], belt[moving], kinds[moving]
        way = (now - start) / travel * self._tiles_of_belt[belt]
        origins = self._along(belt, way.astype(np.float32))
        waiting = self._waiting()
        result: dict[str, list[Any]] = {}
        for index, name in enumerate(PACKET_KINDS):
            points = origins[kinds == index] if len(kinds) else origins
            if name == PROMPT and len(waiting):
                points = np.concatenate([points, waiting])
            result[name] = [len(points), self._bulk(name, points)]
        return result

    def _along(self, belts: NDArray[np.int64], way: NDArray[np.float32]) -> NDArray[np.float32]:
        """Points `way` tiles along their belts, (n, 2): in each tile a curve that bends towards its centre."""
        whole = np.minimum(way.astype(np.int64), self._tiles_of_belt[belts] - 1)
        curves = self._curves[self._first_of_belt[belts] + whole]
        part = (way - whole).astype(np.float32)[:, np.newaxis]
        points: NDArray[np.float32] = curves[:, 0:2] + part * (curves[:, 2:4] + part * curves[:, 4:6])
        return points

    def _waiting(self) -> NDArray[np.float32]:
        """Prompts that wait, queued on their belts from the end backwards."""
        belts: list[int] = []
        ways: list[float] = []
        for belt in self.floor.belts.values():
            if belt.packet == PROMPT:
                waiting = self.floor.machines[belt.target.machine].queue_length()
                room = len(belt.tiles) * WAITING_PER_TILE
                for place in range(min(waiting, room)):
                    belts.append(belt.id)
                    ways.append(len(belt.tiles) - (place + 0.5) / WAITING_PER_TILE)
        if not belts:
            return np.empty((0, 2), np.float32)
        return self._along(np.array(belts, np.int64), np.array(ways, np.float32))

    def _bulk(self, name: str, points: NDArray[np.float32]) -> msgpack.ExtType:
        basis, rows, packed = self._rows.get(name, (None, np.empty((0, 8), np.float32), None))
        capacity = max(_FIRST_CAPACITY, len(rows))
        while capacity < len(points):
            capacity *= 2
        if basis != self.basis or len(rows) < capacity:
            rows = np.zeros((capacity, 8), np.float32)
            rows[:, [0, 1, 4, 5]] = self.basis
            packed = None
        if len(points) or packed is None:  # where nothing is visible, what was sent before does as well
            rows[: len(points), 3] = points[:, 0]
            rows[: len(points), 7] = points[:, 1]
            packed = reals(rows)
        self._rows[name] = self.basis, rows, packed
        return packed

    def _take_in_new(self) -> None:
        if self._new:
            fresh = np.array(self._new, np.int64)
            self._new.clear()
            self._start = np.concatenate([self._start, fresh[:, 0]])
            self._travel = np.concatenate([self._travel, fresh[:, 1]])
            self._belt = np.concatenate([self._belt, fresh[:, 2]])
            self._kind = np.concatenate([self._kind, fresh[:, 3]])

    def _keep(self, which: NDArray[np.bool_]) -> None:
        if not which.all():
            self._start, self._travel = self._start[which], self._travel[which]
            self._belt, self._kind = self._belt[which], self._kind[which]


def _curves(nodes: NDArray[np.float64], bends: NDArray[np.float64]) -> NDArray[np.float32]:
    """For each node the way to the next one, as a + b t + c t^2 in columns a, b, c of x and y: a quadratic curve that
    bends towards the tile's centre. A belt's last node has no next one and is never asked for.
    """
    ends = np.roll(nodes, -1, axis=0)
    return np.hstack([nodes, 2 * (bends - nodes), nodes - 2 * bends + ends]).astype(np.float32)


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
