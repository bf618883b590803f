"""Where things may stand: the rules of placing machines and belts, each refusal with its reason."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from engine.errors import EngineError
from engine.floor.floor import Floor
from engine.floor.geometry import Tile, adjacent, rectangle
from engine.floor.kinds import KINDS, Stand
from engine.floor.pad import Pad

NOTHING = -1


class Grid:
    """Which machine or belt (by id) is on which tile."""

    def __init__(self, floor: Floor, width: int, height: int) -> None:
        self.floor, self.width, self.height = floor, width, height
        self.taken: dict[Tile, int] = {}
        self._left_out = NOTHING

    def without(self, belt: int) -> Grid:
        """The grid as it would be if a belt were not there."""
        if belt == NOTHING:
            return self
        other = Grid(self.floor, self.width, self.height)
        other.taken = {tile: owner for tile, owner in self.taken.items() if owner != belt}
        other._left_out = belt
        return other

    def inside(self, tile: Tile) -> bool:
        """Whether the tile is on the floor."""
        return 0 <= tile[0] < self.width and 0 <= tile[1] < self.height

    def occupy(self, tiles: list[Tile], id: int) -> None:
        """Take tiles for a machine or belt."""
        for tile in tiles:
            self.taken[tile] = id

    def vacate(self, id: int) -> None:
        """Free what `id` took."""
        self.taken = {tile: owner for tile, owner in self.taken.items() if owner != id}

    def tiles_of(self, stand: Stand) -> list[Tile]:
        """The footprint."""
        return list(rectangle(stand.x, stand.y, *stand.size))

    def check_stand(self, stand: Stand, ignore: Collection[int] = ()) -> Pad | None:
        """The pad that a machine would stand on (None for a dock); EngineError when it may not stand there.

        `ignore`: machines and belts that would not be in its way.
        """
        tiles = self.tiles_of(stand)
        for tile in tiles:
            if not self.inside(tile):
                raise EngineError("place.outside", kind=stand.kind.name)
        for tile in tiles:
            if tile in self.taken and self.taken[tile] not in ignore:
                raise EngineError("place.occupied", kind=stand.kind.name, x=tile[0], y=tile[1])
        if not stand.kind.on_pad:
            return None
        pads = [self.pad_at(tile) for tile in tiles]
        first = pads[0]
        if all(pad is None for pad in pads):
            raise EngineError("place.needs_pad", kind=stand.kind.name)
        if first is None or any(pad is not first for pad in pads):
            raise EngineError("place.across_pads", kind=stand.kind.name)
        return first

    def pad_at(self, tile: Tile) -> Pad | None:
        """The pad under a tile."""
        for pad in self.floor.pads.values():
            if pad.x <= tile[0] < pad.x + pad.width and pad.y <= tile[1] < pad.y + pad.height:
                return pad
        return None

    def check_path(self, tiles: list[Tile]) -> None:
        """EngineError unless the tiles are a free, connected path that does not touch a tile twice."""
        if not tiles:
            raise EngineError("belt.empty")
        for tile in tiles:
            if not self.inside(tile):
                raise EngineError("belt.outside", x=tile[0], y=tile[1])
            if tile in self.taken:
                raise EngineError("belt.occupied", x=tile[0], y=tile[1])
        if len(set(tiles)) < len(tiles) or not all(adjacent(a, b) for a, b in pairwise(tiles)):
            raise EngineError("belt.broken")

    def check_belt(self, source: int, source_port: str, target: int, target_port: str, tiles: list[Tile]) -> str:
        """The packet kind of a belt between two ports; EngineError when it may not be there."""
        machines = self.floor.machines
        for id in (source, target):
            if id not in machines:
                raise EngineError("belt.nowhere")
        start, end = machines[source].stand, machines[target].stand
        if source_port not in start.kind.outputs:
            raise EngineError("belt.no_output", kind=start.kind.name, port=source_port)
        if target_port not in end.kind.inputs:
            raise EngineError("belt.no_input", kind=end.kind.name, port=target_port)
        self.check_path(tiles)
        output, input = start.kind.outputs[source_port], end.kind.inputs[target_port]
        if start.port_tile(output) != tiles[0]:
            raise EngineError("belt.start", kind=start.kind.name)
        if end.port_tile(input) != tiles[-1]:
            raise EngineError("belt.end", kind=end.kind.name)
        packet = output.packets[0]
        if packet not in input.packets:
            raise EngineError("belt.packet", kind=end.kind.name, packet=packet)
        return packet

    def ports_taken(self) -> set[tuple[int, str]]:
        """(machine, port) of all ports that have a belt."""
        taken: set[tuple[int, str]] = set()
        for belt in self.floor.belts.values():
            if belt.id != self._left_out:
                taken.add((belt.source.machine, belt.source.port))
                taken.add((belt.target.machine, belt.target.port))
        return taken


def stand(kind: str, x: int, y: int, rotation: int) -> Stand:
    """A machine kind at a place; EngineError for an unknown kind or rotation."""
    if kind not in KINDS:
        raise EngineError("place.kind", kind=kind[:40])
    if not 0 <= rotation <= 3:
        raise EngineError("place.rotation", rotation=rotation)
    return Stand(KINDS[kind], x, y, rotation)
