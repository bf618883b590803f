"""Building: everything that a player may do to the floor. Each change is checked first and takes effect whole, or not
at all.
"""

from __future__ import annotations

from collections.abc import Callable

import simpy

from engine.errors import EngineError
from engine.floor.belt import Belt, End
from engine.floor.floor import Floor
from engine.floor.geometry import Tile
from engine.floor.grid import Grid, stand
from engine.floor.kinds import Stand
from engine.floor.layout import Layout, PlacedBelt, PlacedEnd, PlacedMachine
from engine.floor.machines import MACHINES, DecodeCore, Machine
from engine.floor.pad import Pad
from engine.level.spec import Level
from engine.units import MIB


class Site:
    """The floor under construction. Ids are counted up and never used again."""

    def __init__(self, level: Level, floor: Floor, env: simpy.Environment) -> None:
        self.level, self.floor, self.env = level, floor, env
        self.grid = Grid(floor, level.width, level.height)
        self.next_id = 1
        self.revision = 0
        self.fixed: set[int] = set()
        self.prepare: Callable[[Machine], None] = lambda machine: None
        """Gives a new machine what only the game knows."""
        for dock in level.docks:
            self.fixed.add(self.add_machine(self._new_id(), stand(dock.kind, dock.x, dock.y, dock.rotation), {}).id)

    # -- changes ------------------------------------------------------------------------------------------------------

    def place(self, kind: str, x: int, y: int, rotation: int, settings: dict[str, int] | None = None) -> int:
        """Place a machine; its id."""
        id = self._place(kind, x, y, rotation, settings or {})
        self._changed()
        return id

    def move(self, id: int, x: int, y: int, rotation: int) -> list[int]:
        """Move or turn a machine; the belts that no longer meet their ports, which are removed."""
        machine = self._own(id)
        where = stand(machine.stand.kind.name, x, y, rotation)
        pad = self.grid.check_stand(where, ignore=id)
        self._settle()
        lost = [belt.id for belt in self.floor.belts.values() if not self._meets(belt, id, where)]
        homeless = self._drop_belts(lost)
        if pad is not machine.pad:
            for belt in (*machine.inputs, *machine.outputs):
                homeless += self.floor.clear(belt)
            homeless += machine.evict()
        self.grid.vacate(id)
        self.grid.occupy(self.grid.tiles_of(where), id)
        moved, machine.stand, machine.pad = pad is not machine.pad, where, pad
        if moved:
            machine.fit()
        self._changed(homeless)
        return lost

    def remove(self, ids: list[int]) -> list[int]:
        """Remove machines (with their belts) and belts; the ids of all that is gone."""
        belts = [id for id in dict.fromkeys(ids) if id in self.floor.belts]
        machines = [self._own(id).id for id in dict.fromkeys(ids) if id not in self.floor.belts]
        for belt in self.floor.belts.values():
            if belt.id not in belts and (belt.source.machine in machines or belt.target.machine in machines):
                belts.append(belt.id)
        self._settle()
        homeless = self._drop_belts(belts)
        for id in machines:
            machine = self.floor.machines[id]
            homeless += machine.evict()
            machine.stop()
            del self.floor.machines[id]
            self.grid.vacate(id)
        self._changed(homeless)
        return belts + machines

    def connect(self, source: End, target: End, tiles: list[Tile]) -> int:
        """Lay a belt; its id."""
        id = self._connect(source, target, tiles)
        self._changed()
        return id

    def set(self, id: int, name: str, value: int) -> None:
        """Change a machine's setting."""
        machine = self._own(id)
        self._settle()
        machine.settings.update(self._settings(machine.stand.kind.name, {**machine.settings, name: value}))
        self._changed()

    def reboot(self, id: int) -> None:
        """Restart a core that ran out of memory."""
        machine = self._own(id)
        if not isinstance(machine, DecodeCore) or not machine.crashed:
            raise EngineError("machine.runs", id=id)
        machine.reboot()
        self.revision += 1

    def replace(self, layout: Layout) -> None:
        """Put `layout` in the place of all that the player has built; nothing changes if any of it is refused."""
        old = self.layout()
        try:
            self._build(layout)
        except EngineError:
            self._build(old)
            raise

    def may_place(self, kind: str, x: int, y: int, rotation: int, ignore: int = -1) -> Stand:
        """The stand of a machine that may be placed so; EngineError with the reason when it may not.

        `ignore` names a machine that would be moved there instead of a new one.
        """
        where = stand(kind, x, y, rotation)
        if ignore == -1 and self.left(kind) <= 0:
            code = "place.none_left" if self.level.allowed.get(kind) else "place.not_allowed"
            raise EngineError(code, kind=kind, most=self.level.allowed.get(kind, 0))
        self.grid.check_stand(where, ignore)
        return where

    # -- what there is --------------------------------------------------------------------------------------------

    def left(self, kind: str) -> int:
        """How many machines of a kind may still be placed."""
        placed = 0
        for id, machine in self.floor.machines.items():
            placed += machine.stand.kind.name == kind and id not in self.fixed
        return self.level.allowed.get(kind, 0) - placed

    def layout(self) -> Layout:
        """What the player has built."""
        machines = []
        for id, machine in self.floor.machines.items():
            if id not in self.fixed:
                at = machine.stand
                machines.append(PlacedMachine(at.kind.name, at.x, at.y, at.rotation, dict(machine.settings)))
        belts = [
            PlacedBelt(
                [list(tile) for tile in belt.tiles], self._placed_end(belt.source), self._placed_end(belt.target)
            )
            for belt in self.floor.belts.values()
        ]
        return Layout(machines, belts)

    # -- inside ----------------------------------------------------------------------------------------------------

    def add_machine(self, id: int, where: Stand, settings: dict[str, int]) -> Machine:
        """Put a machine on the floor without asking, and without starting it."""
        pad = self.grid.check_stand(where)
        self._check_memory(where.kind.name, pad, settings)
        machine = MACHINES[where.kind.name](id, self.floor, where, pad, settings)
        self.prepare(machine)
        self.floor.machines[id] = machine
        self.grid.occupy(self.grid.tiles_of(where), id)
        return machine

    def add_belt(self, belt: Belt) -> None:
        """Put a belt on the floor without asking, and without starting it."""
        self.floor.belts[belt.id] = belt
        self.grid.occupy(list(belt.tiles), belt.id)

    def _check_memory(self, kind: str, pad: Pad | None, settings: dict[str, int]) -> None:
        """EngineError when a machine's weights have no room beside what is on the pad already."""
        if pad is None:
            return
        weights = self.floor.weights_with(pad, kind, settings)
        room = int(pad.gpu.vram_bytes * self.level.memory_utilization) - pad.gpu.overhead_bytes
        if weights > room:
            raise EngineError("place.too_big", kind=kind, mib=weights // MIB, room=room // MIB, gpu=pad.gpu.name)

    def _place(self, kind: str, x: int, y: int, rotation: int, settings: dict[str, int]) -> int:
        where = self.may_place(kind, x, y, rotation)
        values = self._settings(kind, settings)
        machine = self.add_machine(self._new_id(), where, values)
        machine.start(self.env, None)
        return machine.id

    def _connect(self, source: End, target: End, tiles: list[Tile]) -> int:
        packet = self.grid.check_belt(source.machine, source.port, target.machine, target.port, tiles)
        belt = Belt(self._new_id(), self.floor, packet, source, target, tuple(tiles))
        self.add_belt(belt)
        belt.start(self.env, None)
        return belt.id

    def _new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    def _changed(self, homeless: list[int] | None = None) -> None:
        self.revision += 1
        homeless = [*(homeless or []), *self.floor.fit_memory()]
        self.floor.connect()
        self.floor.send_back(sorted(homeless), int(self.env.now))

    def _settle(self) -> None:
        for machine in self.floor.machines.values():
            machine.settle(int(self.env.now))

    def _own(self, id: int) -> Machine:
        """A machine that the player may change."""
        if id not in self.floor.machines:
            raise EngineError("machine.unknown", id=id)
        if id in self.fixed:
            raise EngineError("machine.fixed", kind=self.floor.machines[id].stand.kind.name)
        return self.floor.machines[id]

    def _settings(self, kind: str, values: dict[str, int]) -> dict[str, int]:
        specs = self.level.settings.get(kind, {})
        for name, value in values.items():
            if name not in specs:
                raise EngineError("setting.unknown", kind=kind, name=name[:40])
            if not specs[name].low <= value <= specs[name].high:
                raise EngineError("setting.range", name=name, low=specs[name].low, high=specs[name].high)
        return {name: values.get(name, spec.value) for name, spec in specs.items()}

    def _drop_belts(self, ids: list[int]) -> list[int]:
        """Take belts away; the requests that were on them."""
        homeless: list[int] = []
        for id in ids:
            belt = self.floor.belts[id]
            homeless += self.floor.clear(belt)
            del self.floor.belts[id]
            belt.stop()
            self.grid.vacate(id)
        return homeless

    def _meets(self, belt: Belt, id: int, where: Stand) -> bool:
        """Whether `belt` still fits when machine `id` stands at `where`."""
        covered = set(self.grid.tiles_of(where))
        if covered.intersection(belt.tiles):
            return False
        if belt.source.machine == id and where.port_tile(where.kind.outputs[belt.source.port]) != belt.tiles[0]:
            return False
        return not (
            belt.target.machine == id and where.port_tile(where.kind.inputs[belt.target.port]) != belt.tiles[-1]
        )

    def _placed_end(self, end: End) -> PlacedEnd:
        at = self.floor.machines[end.machine].stand
        return PlacedEnd(at.x, at.y, end.port)

    def _build(self, layout: Layout) -> None:
        self.remove([id for id in self.floor.machines if id not in self.fixed] + list(self.floor.belts))
        for machine in layout.machines:
            self._place(machine.kind, machine.x, machine.y, machine.rotation, machine.settings)
        at = {(machine.stand.x, machine.stand.y): id for id, machine in self.floor.machines.items()}
        for belt in layout.belts:
            source, target = (End(at.get((end.x, end.y), -1), end.port) for end in (belt.source, belt.target))
            self._connect(source, target, [(tile[0], tile[1]) for tile in belt.tiles])
        self._changed()
