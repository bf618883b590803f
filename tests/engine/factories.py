"""Building factories in tests, as a player would: place, and let the engine find the way for a belt."""

from typing import Any

from engine.floor.belt import End
from engine.floor.geometry import Tile
from engine.floor.routing import find_route
from engine.level.load import load
from engine.level.spec import Level
from engine.protocol.commands import give
from engine.simulation import Simulation

LEVEL_1 = load("1")
LEVELS = [load(number) for number in "123"]
PROMPT_DOCK, TOKEN_DOCK = 1, 2


def new(seed: int = 1, level: Level = LEVEL_1) -> Simulation:
    return Simulation(level, seed)


def do(simulation: Simulation, command: str, /, **fields: Any) -> dict[str, Any]:
    return give(simulation, {"v": 1, "do": command, **fields})


def place(simulation: Simulation, kind: str, x: int, y: int, rot: int = 0) -> int:
    return int(do(simulation, "place", kind=kind, x=x, y=y, rot=rot)["id"])


def link(simulation: Simulation, source: int, target: int) -> int:
    """A belt by the shortest free way; its length in tiles."""
    stands = [simulation.floor.machines[id].stand for id in (source, target)]
    route = find_route(simulation.site.grid, *((stand.x, stand.y) for stand in stands))
    assert route.target is not None
    lay(simulation, route.source, route.target, route.tiles)
    return len(route.tiles)


def lay(simulation: Simulation, source: End, target: End, tiles: list[Tile]) -> int:
    ends = {
        "from": {"machine": source.machine, "port": source.port},
        "to": {"machine": target.machine, "port": target.port},
    }
    return int(do(simulation, "connect", tiles=[list(tile) for tile in tiles], **ends)["id"])


def slots(simulation: Simulation, core: int, count: int) -> None:
    do(simulation, "set", id=core, name="max_num_seqs", value=count)


def reference(simulation: Simulation) -> None:
    do(simulation, "layout", layout=simulation.level.reference)


def run(simulation: Simulation) -> Simulation:
    do(simulation, "start")
    simulation.advance(simulation.end_ps)
    return simulation
