"""From a plan to a layout: machines as close to those they work with as the cards allow, belts by the ways that the
game itself proposes, or by a detour where the plan asks for one.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import attrs
from attrs import frozen

from engine.errors import EngineError
from engine.floor.geometry import SIDES, Tile, rectangle, step
from engine.floor.grid import Grid, stand
from engine.floor.kinds import Stand
from engine.floor.layout import Layout
from engine.floor.routing import find_route
from engine.level.spec import Level
from engine.proof.plan import ANYWHERE, Part, Plan
from engine.simulation import Simulation

_GOOD = 4
"""Layouts of a plan among which the shortest is taken."""
_SLACK = 8
"""By how many tiles the last tries may place a machine worse than best, so that belts get past it."""
_ORDERS = 3
"""Orders in which the belts of a try are laid."""
_ROUNDS = 2
_NO_WAY = 10_000


Way = tuple[int, Tile, Tile]
"""Tiles of a belt, at least; where it starts and ends."""


@frozen(eq=False)
class Spot:
    """A machine at a place: the tiles that it covers, and those where its belts start and end, with what they carry."""

    place: Stand
    tiles: frozenset[Tile]
    starts: list[tuple[Tile, str]]
    ends: list[tuple[Tile, tuple[str, ...]]]


class Builder:
    """Builds plans. Where machines stand doesn't depend on settings, so it is worked out once for plans that differ
    only in them; a plan always gives the same layout. `tries`: how often machines are placed anew before it gives up.
    """

    def __init__(self, level: Level, tries: int) -> None:
        self.level, self.tries = level, tries
        self._built: dict[Plan, Layout | None] = {}
        self._spots: dict[tuple[str, int], list[Spot]] = {}
        self._ways: dict[tuple[Spot, Spot], list[Way]] = {}
        self._docks = [self._spot(stand(dock.kind, dock.x, dock.y, dock.rotation)) for dock in level.docks]

    def build(self, plan: Plan) -> Layout | None:
        """A layout of `plan`; None when no room was found for it."""
        bare = Plan(tuple(attrs.evolve(part, settings=()) for part in plan.parts), plan.wires, plan.way)
        if bare not in self._built:
            try:
                self._built[bare] = self._shortest(bare)
            except EngineError:  # as they come, the machines do not fit their cards; set otherwise, they may
                return self._refit(plan)
        layout = self._built[bare]
        if layout is None:
            return None
        machines = [
            attrs.evolve(machine, settings=dict(part.settings))
            for machine, part in zip(layout.machines, plan.parts, strict=True)
        ]
        return attrs.evolve(layout, machines=machines)

    def _refit(self, plan: Plan) -> Layout | None:
        """A layout of `plan` with its own settings."""
        try:
            return self._shortest(plan)
        except EngineError:
            return None

    def _shortest(self, plan: Plan) -> Layout | None:
        """The layout with the fewest tiles of belt out of several tries; EngineError when a machine is refused."""
        random, good = Random(0), list[Layout]()
        for attempt in range(self.tries):
            places = self._places(plan, random, _SLACK * attempt / self.tries)
            layout = _connected(self.level, plan, places, random) if places else None
            if layout is not None:
                good.append(layout)
            if len(good) == _GOOD:
                break
        return min(good, key=_tiles, default=None)

    # -- where machines stand ------------------------------------------------------------------------------------------

    def _places(self, plan: Plan, random: Random, slack: float) -> list[Stand] | None:
        """Anywhere at first, then each in turn where its belts are shortest, give or take `slack` tiles."""
        docks, spots = len(self._docks), list(self._docks)
        for part in plan.parts:
            taken = {tile for spot in spots for tile in spot.tiles}
            free = [spot for spot in self._spots_of(part) if taken.isdisjoint(spot.tiles)]
            if not free:
                return None
            spots.append(random.choice(free))
        numbers = list(range(docks, len(spots)))
        for _ in range(_ROUNDS):
            for number in random.sample(numbers, len(numbers)):
                taken = {tile for other, spot in enumerate(spots) if other != number for tile in spot.tiles}
                feeders = [spots[source] for source, target in plan.wires if target == number]
                takers = [spots[target] for source, target in plan.wires if source == number]
                best, least = spots[number], float(_NO_WAY)
                for spot in self._spots_of(plan.parts[number - docks]):
                    if taken.isdisjoint(spot.tiles):
                        length = random.uniform(0, slack + 0.5)
                        for feeder in feeders:
                            length += self._apart(feeder, spot, taken)
                        for taker in takers:
                            length += self._apart(spot, taker, taken)
                        if length < least:
                            best, least = spot, length
                spots[number] = best
        return [spot.place for spot in spots[docks:]]

    def _apart(self, source: Spot, target: Spot, taken: set[Tile]) -> int:
        """Least tiles of a belt between two machines, whose ends nobody may stand on."""
        pair = source, target
        if pair not in self._ways:
            self._ways[pair] = _ways(source, target)
        for length, start, end in self._ways[pair]:
            if start not in taken and end not in taken:
                return length
        return _NO_WAY

    def _spots_of(self, part: Part) -> list[Spot]:
        """Everywhere that a machine may stand on its card, turned every way."""
        key = part.kind, part.pad
        if key not in self._spots:
            area = (0, 0, self.level.width, self.level.height)
            if part.pad != ANYWHERE:
                pad = self.level.pads[part.pad]
                area = pad.x, pad.y, pad.width, pad.height
            within = set(rectangle(*area))
            every = [stand(part.kind, *tile, rotation) for tile in rectangle(*area) for rotation in range(4)]
            spots = [self._spot(place) for place in every]
            self._spots[key] = [spot for spot in spots if within.issuperset(spot.tiles)]
        return self._spots[key]

    def _spot(self, place: Stand) -> Spot:
        floor = set(rectangle(0, 0, self.level.width, self.level.height))
        starts = [(place.port_tile(port), port.packets[0]) for port in place.kind.outputs.values()]
        ends = [(place.port_tile(port), port.packets) for port in place.kind.inputs.values()]
        return Spot(
            place,
            frozenset(rectangle(place.x, place.y, *place.size)),
            [start for start in starts if start[0] in floor],
            [end for end in ends if end[0] in floor],
        )


def _ways(source: Spot, target: Spot) -> list[Way]:
    """Belts between two machines that their own tiles leave room for, the shortest first."""
    return sorted(
        (abs(start[0] - end[0]) + abs(start[1] - end[1]) + 1, start, end)
        for start, packet in source.starts
        for end, packets in target.ends
        if packet in packets and start not in target.tiles and start not in source.tiles and end not in source.tiles
    )


def _tiles(layout: Layout) -> int:
    return sum(len(belt.tiles) for belt in layout.belts)


# -- belts -------------------------------------------------------------------------------------------------------------


def _connected(level: Level, plan: Plan, places: list[Stand], random: Random) -> Layout | None:
    """Lay the belts, hand-offs first, since theirs are the ways that count; the one that finds no way comes first in
    the next order.
    """
    docks = len(level.docks)
    order = random.sample(plan.wires, len(plan.wires))
    order.sort(key=lambda wire: min(wire) < docks)
    for _ in range(_ORDERS):
        result = _laid(level, plan, places, order, random)
        if isinstance(result, Layout):
            return result
        order.remove(result)
        order.insert(0, result)
    return None


def _laid(
    level: Level, plan: Plan, places: list[Stand], order: list[tuple[int, int]], random: Random
) -> Layout | tuple[int, int]:
    """Build it as a player does; the belt that there is no way for, if there is one."""
    simulation, docks = Simulation(level, 0), len(level.docks)
    site = simulation.site
    ids = list(simulation.floor.machines)
    for part, place in zip(plan.parts, places, strict=True):
        ids.append(site.place(place.kind.name, place.x, place.y, place.rotation, dict(part.settings)))
    belts: list[tuple[int, int, int]] = []
    for source, target in order:
        start, end = (simulation.floor.machines[ids[end]].stand for end in (source, target))
        try:
            route = find_route(site.grid, (start.x, start.y), (end.x, end.y))
        except EngineError:
            return source, target
        if route.target is None:
            return source, target
        belts.append((source, target, site.connect(route.source, route.target, route.tiles)))
    for source, target, id in belts:
        pads = {plan.parts[end - docks].pad for end in (source, target) if end >= docks} - {ANYWHERE}
        if len(pads) == 2:
            belt = simulation.floor.belts[id]
            tiles = _stretched(site.grid, list(belt.tiles), plan.way, random)
            if tiles is None:
                return source, target
            site.remove([id])
            site.connect(belt.source, belt.target, tiles)
    return site.layout()


def _stretched(grid: Grid, tiles: list[Tile], least: int, random: Random) -> list[Tile] | None:
    """The way with detours, at least `least` tiles long; None when there is no room."""
    longer: list[Tile] | None = tiles
    while longer is not None and len(longer) < least:
        longer = _detour(grid, longer, random)
    return longer


def _detour(grid: Grid, tiles: list[Tile], random: Random) -> list[Tile] | None:
    """The way with one step aside and back, anywhere; None when there is no room."""
    found = []
    for place, (one, other) in enumerate(pairwise(tiles)):
        for side in SIDES:
            aside = [step(one, side), step(other, side)]
            if all(grid.inside(tile) and tile not in grid.taken and tile not in tiles for tile in aside):
                found.append([*tiles[: place + 1], *aside, *tiles[place + 1 :]])
    return random.choice(found) if found else None
