"""A sketch of a factory: a copy of the floor, on which changes are tried as a player would make them. Nothing runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from engine.diagnosis.waits import place
from engine.errors import EngineError
from engine.floor.floor import Floor
from engine.floor.geometry import Tile, rectangle
from engine.floor.grid import stand
from engine.floor.kinds import KINDS, Stand
from engine.floor.layout import Layout
from engine.floor.machines.base import Machine
from engine.floor.pad import Pad
from engine.floor.routing import find_route
from engine.level.spec import Level
from engine.simulation import Simulation

_TRIED = 6
"""Places of a machine that are tried, the best first."""
_NO_WAY = 10_000


@frozen
class Step:
    """One thing to do, as a code with parameters."""

    code: str
    params: dict[str, Any] = field(factory=dict)


class Sketch:
    """A copy of a layout. Machines are named by their ids here."""

    def __init__(self, level: Level, layout: Layout) -> None:
        self.level = level
        self.site = Simulation(level, 0).site
        self.site.apply([], [], {}, {}, layout)

    @property
    def floor(self) -> Floor:
        """What stands here."""
        return self.site.floor

    def layout(self) -> Layout:
        """What has become of it."""
        return self.site.layout()

    def become(self, layout: Layout) -> None:
        """Put `layout` in the place of all that is here."""
        own = [id for id in self.floor.machines if id not in self.site.fixed]
        self.site.apply(list(self.floor.belts), own, {}, {}, layout)

    def of_kind(self, *kinds: str) -> list[Machine]:
        """Machines of some kinds, in the order of their places."""
        found = [machine for machine in self.floor.machines.values() if machine.stand.kind.name in kinds]
        return sorted(found, key=lambda machine: machine.order)

    def at(self, where: Tile) -> Machine:
        """The machine whose origin is there. Where a change did not work out, its id may be a new one."""
        return next(machine for machine in self.floor.machines.values() if place(machine) == where)

    # -- belts ---------------------------------------------------------------------------------------------------------

    def connect(self, source: int, target: int) -> bool:
        """Lay a belt by the shortest free way; whether there was one."""
        start, end = self.floor.machines[source].stand, self.floor.machines[target].stand
        try:
            route = find_route(self.site.grid, (start.x, start.y), (end.x, end.y))
        except EngineError:
            return False
        if route.target is None or route.target.machine != target or route.source.machine != source:
            return False
        self.site.connect(route.source, route.target, route.tiles)
        return True

    def connect_all(self, wires: Sequence[tuple[int, int]]) -> bool:
        """Lay several belts, or none."""
        before = set(self.floor.belts)
        if all(self.connect(source, target) for source, target in wires):
            return True
        self.site.remove([id for id in self.floor.belts if id not in before])
        return False

    def wires_of(self, id: int) -> list[tuple[int, int]]:
        """The belts of a machine, as (source, target)."""
        belts = (*self.floor.inputs.get(id, []), *self.floor.outputs.get(id, []))
        return [(belt.source.machine, belt.target.machine) for belt in belts]

    # -- machines ------------------------------------------------------------------------------------------------------

    def add(
        self,
        kind: str,
        pad: Pad | None,
        sources: Sequence[int] = (),
        targets: Sequence[int] = (),
        settings: dict[str, int] | None = None,
        not_at: Stand | None = None,
    ) -> int | None:
        """Place a machine on a pad (None: on the floor) where its belts are short, and lay them; its id, or None when
        there is no room.
        """
        for best in self._places(kind, pad, sources, targets)[:_TRIED]:
            if best == not_at:
                continue
            try:
                id = self.site.place(kind, best.x, best.y, best.rotation, settings)
            except EngineError:
                continue
            if self.connect_all([*((source, id) for source in sources), *((id, target) for target in targets)]):
                return id
            self.site.remove([id])
        return None

    def move(
        self, id: int, pad: Pad | None, more_sources: Sequence[int] = (), more_targets: Sequence[int] = ()
    ) -> int | None:
        """Place a machine anew, on a pad or closer to those that it works with, with all its belts and some more; its
        new id, or None when there is no room, and it stays.
        """
        machine, before = self.floor.machines[id], self.layout()
        wires, kind, settings, at = self.wires_of(id), machine.stand.kind.name, dict(machine.settings), machine.stand
        sources = [source for source, target in wires if target == id] + list(more_sources)
        targets = [target for source, target in wires if source == id] + list(more_targets)
        self.site.remove([id])
        new = self.add(kind, pad, sources, targets, settings, at)
        if new is None:
            self.become(before)
        return new

    def _places(self, kind: str, pad: Pad | None, sources: Sequence[int], targets: Sequence[int]) -> list[Stand]:
        """Where a machine may stand, those first where its belts would be shortest."""
        level, grid = self.level, self.site.grid
        area = (0, 0, level.width, level.height) if pad is None else (pad.x, pad.y, pad.width, pad.height)
        before = [self.floor.machines[id].stand for id in sources]
        after = [self.floor.machines[id].stand for id in targets]
        found = []
        for x, y in rectangle(*area):
            if (x, y) in grid.taken:
                continue
            for rotation in range(4):
                here = stand(kind, x, y, rotation)
                try:
                    if grid.check_stand(here) is not pad and KINDS[kind].on_pad:
                        continue
                except EngineError:
                    continue
                length = 0
                for other in before:
                    length += self._apart(other, here)
                for other in after:
                    length += self._apart(here, other)
                found.append((length, x, y, rotation, here))
        return [entry[-1] for entry in sorted(found, key=lambda entry: entry[:4]) if entry[0] < _NO_WAY]

    def _apart(self, source: Stand, target: Stand) -> int:
        """Least tiles of a belt between two machines."""
        best, grid = _NO_WAY, self.site.grid
        covered = set(grid.tiles_of(source)) | set(grid.tiles_of(target))
        for output in source.kind.outputs.values():
            start = source.port_tile(output)
            if start in covered or start in grid.taken or not grid.inside(start):
                continue
            for entry in target.kind.inputs.values():
                end = target.port_tile(entry)
                if output.packets[0] in entry.packets and end not in covered and end not in grid.taken:
                    best = min(best, abs(start[0] - end[0]) + abs(start[1] - end[1]) + 1)
        return best
