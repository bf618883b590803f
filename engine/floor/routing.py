"""Finding a way for a belt: a shortest free path, straight on where it can, always the same one."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence, Set

from attrs import frozen

from engine.errors import EngineError
from engine.floor.belt import End
from engine.floor.geometry import SIDES, Tile, step
from engine.floor.grid import Grid


@frozen
class Route:
    """A way from a port: whole when `target` is given."""

    packet: str
    tiles: list[Tile]
    source: End
    target: End | None


def find_route(grid: Grid, start: Tile, goal: Tile, via: Sequence[Tile] = ()) -> Route:
    """The best belt from the machine at (or whose output is at) `start` over the tiles `via` towards `goal`;
    EngineError if there is none.
    """
    outputs = _free_outputs(grid, start)
    if not outputs:
        raise EngineError("route.no_output")
    best: Route | None = None
    for source, tile, packet in outputs:
        for target, end in _goals(grid, goal, packet, source.machine):
            tiles = _way(grid, [tile, *via, end])
            if tiles and (best is None or len(tiles) < len(best.tiles)):
                best = Route(packet, tiles, source, target)
    if best is None:
        raise EngineError("route.no_way")
    return best


def way_between(grid: Grid, source: End, target: End) -> list[Tile]:
    """A shortest free way between two free ports that fit each other; [] if there is none."""
    machines = grid.floor.machines
    if source.machine not in machines or target.machine not in machines:
        return []
    start, end = machines[source.machine].stand, machines[target.machine].stand
    first, last = start.kind.outputs.get(source.port), end.kind.inputs.get(target.port)
    if first is None or last is None or first.packets[0] not in last.packets:
        return []
    return _shortest(grid, start.port_tile(first), end.port_tile(last), set())


def _way(grid: Grid, points: Sequence[Tile]) -> list[Tile]:
    """The shortest way from point to point that touches no tile twice; [] if there is none."""
    way = [points[0]]
    for point in points[1:]:
        if point == way[-1] and len(points) > 2:
            continue
        leg = _shortest(grid, way[-1], point, set(way[:-1]))
        if not leg:
            return []
        way += leg[1:]
    return way


def _free_outputs(grid: Grid, start: Tile) -> list[tuple[End, Tile, str]]:
    """(port, its tile, packet) of free outputs of the machine on `start`, or of those in front of which `start`
    lies.
    """
    taken, found = grid.ports_taken(), list[tuple[End, Tile, str]]()
    for id, machine in grid.floor.machines.items():
        here = grid.taken.get(start) == id
        for name, port in machine.stand.kind.outputs.items():
            tile = machine.stand.port_tile(port)
            if (here or tile == start) and (id, name) not in taken:
                found.append((End(id, name), tile, port.packets[0]))
    return found


def _goals(grid: Grid, goal: Tile, packet: str, source: int) -> list[tuple[End | None, Tile]]:
    """Free inputs of the machine on `goal` that take `packet`; else, for a free tile, the inputs that it is in front
    of, or itself.
    """
    taken, found = grid.ports_taken(), list[tuple[End | None, Tile]]()
    on_machine = grid.taken.get(goal) in grid.floor.machines
    for id, machine in grid.floor.machines.items():
        for name, port in machine.stand.kind.inputs.items():
            tile = machine.stand.port_tile(port)
            meant = grid.taken.get(goal) == id if on_machine else tile == goal
            if meant and packet in port.packets and (id, name) not in taken and id != source:
                found.append((End(id, name), tile))
    if not found and on_machine:
        raise EngineError("route.no_input", packet=packet)
    return found or [(None, goal)]


def _shortest(grid: Grid, start: Tile, end: Tile, used: Set[Tile]) -> list[Tile]:
    """Breadth first from tile to tile, past the tiles `used`; [] if there is no free way."""
    if end in used or not _free(grid, start) or not _free(grid, end):
        return []
    before: dict[Tile, Tile | None] = {start: None}
    todo = deque([start])
    while todo and end not in before:
        tile = todo.popleft()
        for side in _sides_first(tile, before[tile]):
            other = step(tile, side)
            if other not in before and other not in used and _free(grid, other):
                before[other] = tile
                todo.append(other)
    if end not in before:
        return []
    path, at = [], end
    while True:
        path.append(at)
        previous = before[at]
        if previous is None:
            return path[::-1]
        at = previous


def _sides_first(tile: Tile, previous: Tile | None) -> list[str]:
    """All sides, the one straight on first."""
    sides = list(SIDES)
    if previous is not None:
        ahead = (tile[0] - previous[0], tile[1] - previous[1])
        sides.sort(key=lambda side: SIDES[side] != ahead)
    return sides


def _free(grid: Grid, tile: Tile) -> bool:
    return grid.inside(tile) and tile not in grid.taken
