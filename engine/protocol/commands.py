"""Commands: each is checked against its schema, then takes effect whole at the present simulated time, or is refused.

Seed, level and the list of commands with their times are the whole game: `replay` plays it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import attrs
from attrs import field, frozen
from cattrs import transform_error

from engine.errors import EngineError
from engine.floor.belt import End
from engine.floor.blueprint import checked, pasted
from engine.floor.changes import become, relay, replace, shift
from engine.floor.grid import NOTHING
from engine.floor.layout import layout_from_data, strict_converter
from engine.level.data import effects_from_data
from engine.level.effects import apply_effects
from engine.level.memory import memory_text
from engine.level.spec import Level
from engine.simulation import BUILD, ENDED, Simulation
from engine.units import PS_PER_S

COMMAND_VERSION = 1
_T = TypeVar("_T")
_CONVERTER = strict_converter()


class Command(Protocol):
    """Something that the player does."""

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Take effect; what the player is told. EngineError when refused, and nothing has changed."""


@frozen
class Place:
    """Place a machine."""

    kind: str
    x: int
    y: int
    rot: int
    settings: dict[str, int] = field(factory=dict)

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells its id."""
        return {"id": simulation.site.place(self.kind, self.x, self.y, self.rot, self.settings)}


@frozen
class Move:
    """Move or turn a machine."""

    id: int
    x: int
    y: int
    rot: int

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells which belts no longer fit and are gone, and which were laid anew."""
        site = simulation.site
        return attrs.asdict(relay(site, site.move(self.id, self.x, self.y, self.rot)))


@frozen
class Shift:
    """Move machines and belts together."""

    ids: list[int]
    dx: int
    dy: int

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells which belts no longer fit and are gone, and which were laid anew."""
        return attrs.asdict(shift(simulation.site, self.ids, self.dx, self.dy))


@frozen
class Replace:
    """Put a machine of another kind in the place of one."""

    id: int
    kind: str

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells the new machine's id, and the belts that it cannot take."""
        id, removed = replace(simulation.site, self.id, self.kind)
        return {"id": id, "removed": removed}


@frozen
class Paste:
    """Build a blueprint, its least x and y at (x, y)."""

    blueprint: dict[str, Any]
    x: int
    y: int
    rot: int = 0

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells the new machines' ids, and how many belts have no machine at their end here."""
        site, before = simulation.site, set(simulation.floor.machines)
        plan = checked(layout_from_data(self.blueprint))
        layout, _, dropped = pasted(site, plan, self.x, self.y, self.rot)
        become(site, layout)
        return {"ids": [id for id in simulation.floor.machines if id not in before], "dropped": dropped}


@frozen
class Remove:
    """Remove machines and belts."""

    ids: list[int]

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells all that is gone: a machine takes its belts with it."""
        return {"removed": simulation.site.remove(self.ids)}


@frozen
class Connect:
    """Lay a belt. `source` is called `from` in messages, `target` `to`."""

    source: End
    target: End
    tiles: list[list[int]]
    replace: int = NOTHING

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells its id."""
        if any(len(tile) != 2 for tile in self.tiles):
            raise EngineError("message.malformed", detail="a tile is [x, y]")
        tiles = [(tile[0], tile[1]) for tile in self.tiles]
        return {"id": simulation.site.connect(self.source, self.target, tiles, self.replace)}


@frozen
class Set:
    """Change a setting of a machine."""

    id: int
    name: str
    value: int

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        simulation.site.set(self.id, self.name, self.value)
        return {}


@frozen
class Reboot:
    """Restart a core that ran out of memory."""

    id: int

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        simulation.site.reboot(self.id)
        return {}


@frozen
class SetLayout:
    """Replace all that the player has built; what is equal stays."""

    layout: dict[str, Any]

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        become(simulation.site, layout_from_data(self.layout))
        return {}


@frozen
class Start:
    """Let the requests come."""

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        simulation.start()
        return {}


@frozen
class Hook:
    """What a hook of the level answered at this second: from the game itself, never from the player."""

    name: str
    t_s: int
    effects: list[Any]
    memory: dict[str, Any]

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        _check_hook(simulation, self.name)
        if simulation.now != self.t_s * PS_PER_S:
            raise EngineError("hook.time", name=self.name, second=self.t_s)
        memory = json.loads(memory_text(self.memory))
        apply_effects(simulation, effects_from_data(self.effects))
        if memory:
            simulation.hook_state.memories[self.name] = memory
        else:
            simulation.hook_state.memories.pop(self.name, None)
        return {}


@frozen
class HookStopped:
    """A hook of the level failed or was stopped: no hook of the level is called any more."""

    name: str
    code: str
    params: dict[str, int | float | str]

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        _check_hook(simulation, self.name)
        params = {name[:40]: value[:300] if isinstance(value, str) else value for name, value in self.params.items()}
        simulation.hook_state.stopped = self.name
        level = simulation.level.id
        told = {"mod": params.get("mod", level), "name": self.name, "code": self.code[:60], "params": params}
        simulation.floor.event(simulation.now, "hook.stopped", **told)
        return {}


def _check_hook(simulation: Simulation, name: str) -> None:
    if name not in [hook.name for hook in simulation.level.hooks]:
        raise EngineError("hook.unknown", name=name[:40])
    if simulation.hook_state.stopped or simulation.phase == BUILD:
        raise EngineError("hook.over", name=name)


FROM_HOOKS = ("hook", "hook_stopped")
"""Commands that the game gives itself (`engine.level.hooks`)."""
_COMMANDS: dict[str, type[Command]] = {
    "place": Place,
    "move": Move,
    "shift": Shift,
    "replace": Replace,
    "remove": Remove,
    "connect": Connect,
    "paste": Paste,
    "set": Set,
    "reboot": Reboot,
    "layout": SetLayout,
    "start": Start,
    "hook": Hook,
    "hook_stopped": HookStopped,
}
_NAMES = {"from": "source", "to": "target"}


def read_message(message: Any, name_key: str) -> tuple[str, dict[str, Any]]:
    """Name and fields of a command or question; EngineError `message.*` when it has not their form."""
    if not isinstance(message, dict) or not all(isinstance(key, str) for key in message):
        raise EngineError("message.malformed", detail="expected a map")
    fields = dict(message)
    version, name = fields.pop("v", None), fields.pop(name_key, None)
    if version != COMMAND_VERSION or type(version) is not int:
        raise EngineError("message.version", version=str(version)[:20], known=COMMAND_VERSION)
    if not isinstance(name, str):
        raise EngineError("message.malformed", detail=f"'{name_key}' is missing")
    return name, fields


def read_fields(fields: dict[str, Any], schema: type[_T]) -> _T:
    """The fields of a message as `schema`; EngineError says which of them is wrong."""
    try:
        return _CONVERTER.structure({_NAMES.get(key, key): value for key, value in fields.items()}, schema)
    except Exception as error:
        raise EngineError("message.malformed", detail="; ".join(transform_error(error))[:300]) from error


def give(simulation: Simulation, message: Any) -> dict[str, Any]:
    """Give a command at the present time and record it; what the player is told."""
    name, fields = read_message(message, "do")
    if name not in _COMMANDS:
        raise EngineError("message.unknown", name=name[:40])
    if simulation.phase == ENDED and name not in FROM_HOOKS:
        raise EngineError("run.ended")
    command = read_fields(fields, _COMMANDS[name])
    told = command.do(simulation)
    simulation.commands.append((simulation.now, message))
    return {"rev": simulation.site.revision, **told}


def replay(
    level: Level,
    seed: int,
    commands: Iterable[tuple[int, dict[str, Any]]],
    to_ps: int,
    simulation: Simulation | None = None,
) -> Simulation:
    """Play a game again up to `to_ps`, from the start or from a restored `simulation`."""
    simulation = simulation or Simulation(level, seed)
    for time_ps, message in commands:
        if time_ps > to_ps:
            break
        simulation.advance(time_ps)
        give(simulation, message)
    simulation.advance(to_ps)
    return simulation


def schema() -> dict[str, list[str]]:
    """Names and fields of all commands, for the documentation."""
    return {name: [field.name for field in attrs.fields(command)] for name, command in _COMMANDS.items()}  # type: ignore[arg-type]
