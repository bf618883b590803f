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
from engine.floor.grid import NOTHING, Grid, stand
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
        self.allowed = dict(level.allowed)
        """How many of each kind the player may place by now."""
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

    def move(self, id: int, x: int, y: int, rotation: int) -> list[tuple[int, PlacedEnd, PlacedEnd]]:
        """Move or turn a machine; the belts that no longer meet their ports and are gone: their ids and ends."""
        machine = self.own(id)
        where = stand(machine.stand.kind.name, x, y, rotation)
        pad = self.grid.check_stand(where, self._out_of_its_way(id))
        if pad is not machine.pad:
            self._check_memory(where.kind.name, pad, machine.settings)
        lost = [belt for belt in self.floor.belts.values() if not self._meets(belt, id, where)]
        self.apply([belt.id for belt in lost], [], {id: where}, {}, Layout())
        return [(belt.id, self._placed_end(belt.source), self._placed_end(belt.target)) for belt in lost]

    def remove(self, ids: list[int]) -> list[int]:
        """Remove machines (with their belts) and belts; the ids of all that is gone."""
        belts = [id for id in dict.fromkeys(ids) if id in self.floor.belts]
        machines = [self.own(id).id for id in dict.fromkeys(ids) if id not in self.floor.belts]
        for belt in self.floor.belts.values():
            if belt.id not in belts and (belt.source.machine in machines or belt.target.machine in machines):
                belts.append(belt.id)
        self.apply(belts, machines, {}, {}, Layout())
        return belts + machines

    def connect(self, source: End, target: End, tiles: list[Tile], replace: int = NOTHING) -> int:
        """Lay a belt, in the place of the belt `replace` if one is named; its id."""
        if replace != NOTHING and replace not in self.floor.belts:
            raise EngineError("belt.unknown", id=replace)
        self.grid.without(replace).check_belt(source.machine, source.port, target.machine, target.port, tiles)
        self._settle()
        homeless = self._drop_belts([] if replace == NOTHING else [replace])
        id = self._connect(source, target, tiles)
        self._changed(homeless)
        return id

    def set(self, id: int, name: str, value: int) -> None:
        """Change a machine's setting."""
        machine = self.own(id)
        old = dict(machine.settings)
        new = self._settings(machine.stand.kind.name, {**old, name: value})
        self._settle()
        machine.settings.update(new)
        try:
            self._check_memory(machine.stand.kind.name, machine.pad)
        except EngineError:
            machine.settings.update(old)
            raise
        self._changed()

    def reboot(self, id: int) -> None:
        """Restart a core that ran out of memory."""
        machine = self.own(id)
        if not isinstance(machine, DecodeCore) or not machine.crashed:
            raise EngineError("machine.runs", id=id)
        machine.reboot()
        self.revision += 1

    # -- what happens to the floor from outside -------------------------------------------------------------------

    def break_pad(self, pad: Pad) -> None:
        """A card fails: what is on it or on its way there loses its KV and goes back to its dock."""
        self._settle()
        pad.broken = True
        homeless = self.floor.empty(pad)
        for belt in self.floor.belts.values():
            if self.floor.machines[belt.target.machine].pad is pad:
                homeless += self.floor.clear(belt)
        self._changed(homeless)

    def repair_pad(self, pad: Pad) -> None:
        """A card works again, empty."""
        self._settle()
        pad.broken = False
        self._changed()

    def allow(self, kind: str, count: int) -> None:
        """The player may place so many machines of a kind more (less than 0: fewer); what stands, stays."""
        self.allowed[kind] = max(self.allowed.get(kind, 0) + count, 0)
        self.revision += 1

    def may_place(self, kind: str, x: int, y: int, rotation: int, ignore: int = -1) -> Stand:
        """The stand of a machine that may be placed so; EngineError with the reason when it may not.

        `ignore` names a machine that would be moved there instead of a new one.
        """
        where = stand(kind, x, y, rotation)
        if ignore == -1 and self.left(kind) <= 0:
            code = "place.none_left" if self.allowed.get(kind) else "place.not_allowed"
            raise EngineError(code, kind=kind, most=self.allowed.get(kind, 0))
        self.grid.check_stand(where, () if ignore == -1 else self._out_of_its_way(ignore))
        return where

    # -- what there is --------------------------------------------------------------------------------------------

    def left(self, kind: str) -> int:
        """How many machines of a kind may still be placed."""
        return max(self.allowed.get(kind, 0) - self.placed(kind), 0)

    def placed(self, kind: str) -> int:
        """How many machines of a kind the player has placed."""
        placed = 0
        for id, machine in self.floor.machines.items():
            placed += machine.stand.kind.name == kind and id not in self.fixed
        return placed

    def most(self) -> dict[str, int]:
        """How many of each kind a layout may have: what is allowed, or stands, though some of it was taken away."""
        return {kind: max(most, self.placed(kind)) for kind, most in self.allowed.items()}

    def layout(self) -> Layout:
        """What the player has built."""
        machines = []
        for id, machine in self.floor.machines.items():
            if id not in self.fixed:
                at = machine.stand
                machines.append(PlacedMachine(at.kind.name, at.x, at.y, at.rotation, dict(machine.settings)))
        return Layout(machines, [self.placed_belt(belt) for belt in self.floor.belts.values()])

    def placed_belt(self, belt: Belt) -> PlacedBelt:
        """A belt as a layout has it."""
        tiles = [list(tile) for tile in belt.tiles]
        return PlacedBelt(tiles, self._placed_end(belt.source), self._placed_end(belt.target))

    def own(self, id: int) -> Machine:
        """A machine that the player may change."""
        if id not in self.floor.machines:
            raise EngineError("machine.unknown", id=id)
        if id in self.fixed:
            raise EngineError("machine.fixed", kind=self.floor.machines[id].stand.kind.name)
        return self.floor.machines[id]

    # -- several changes at once --------------------------------------------------------------------------------------

    def apply(
        self,
        drop_belts: list[int],
        drop_machines: list[int],
        move: dict[int, Stand],
        settings: dict[int, dict[str, int]],
        add: Layout,
    ) -> None:
        """Take away, move, set and add, in this order. The whole must have been checked before."""
        self._settle()
        homeless = self._drop_belts(drop_belts)
        for id in drop_machines:
            machine = self.floor.machines[id]
            homeless += machine.evict()
        for id in drop_machines:
            machine = self.floor.machines.pop(id)
            machine.stop()
            if machine.pad is not None and machine in machine.pad.cores:
                machine.pad.cores.remove(machine)  # it is no longer asked when memory is given back
        for id in (*drop_machines, *move):
            self.grid.vacate(id)
        carried = []
        for id, where in move.items():
            machine, pad = self.floor.machines[id], self.grid.check_stand(where)
            if pad is not machine.pad:
                carried.append(machine)
                for belt in (*machine.inputs, *machine.outputs):
                    homeless += self.floor.clear(belt)
                homeless += machine.evict()
            machine.stand, machine.pad = where, pad
            self.prepare(machine)  # its source of chance is that of its place
            self.grid.occupy(self.grid.tiles_of(where), id)
        for machine in carried:
            machine.fit()
        for id, values in settings.items():
            machine = self.floor.machines[id]
            machine.settings.update(self._settings(machine.stand.kind.name, values))
        self.build(add)
        self._changed(homeless)

    def build(self, layout: Layout) -> None:
        """Place and connect what `layout` says, beside what is there; EngineError at the first that may not be."""
        for machine in layout.machines:
            self._place(machine.kind, machine.x, machine.y, machine.rotation, machine.settings)
        at = {(machine.stand.x, machine.stand.y): id for id, machine in self.floor.machines.items()}
        for belt in layout.belts:
            source, target = (End(at.get((end.x, end.y), -1), end.port) for end in (belt.source, belt.target))
            self._connect(source, target, [(tile[0], tile[1]) for tile in belt.tiles])

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

    def _out_of_its_way(self, id: int) -> list[int]:
        """A machine and its belts: when it moves they give way, and are laid anew."""
        belts = self.floor.belts.values()
        return [id, *(belt.id for belt in belts if id in (belt.source.machine, belt.target.machine))]

    def _check_memory(self, kind: str, pad: Pad | None, settings: dict[str, int] | None = None) -> None:
        """EngineError when the weights on a pad do not fit, with one more machine of `kind` where `settings` are
        given.
        """
        if pad is None:
            return
        weights = self.floor.weights_with(pad, kind if settings is not None else "", settings)
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
        if self.floor.accounts is not None:
            self.floor.accounts.note(self.floor, int(self.env.now))
        self.floor.send_back(sorted(homeless), int(self.env.now))

    def _settle(self) -> None:
        for machine in self.floor.machines.values():
            machine.settle(int(self.env.now))

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
