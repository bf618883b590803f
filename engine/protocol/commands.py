"""Commands: each is checked against its schema, then takes effect whole at the present simulated time, or is refused.

Seed, level and the list of commands with their times are the whole game: `replay` plays it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import attrs
from attrs import frozen
from cattrs import transform_error

from engine.errors import EngineError
from engine.floor.belt import End
from engine.floor.layout import layout_from_data, strict_converter
from engine.level.spec import Level
from engine.simulation import ENDED, Simulation

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

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells its id."""
        return {"id": simulation.site.place(self.kind, self.x, self.y, self.rot)}


@frozen
class Move:
    """Move or turn a machine."""

    id: int
    x: int
    y: int
    rot: int

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells which belts no longer fit and are gone."""
        return {"removed": simulation.site.move(self.id, self.x, self.y, self.rot)}


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

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells its id."""
        if any(len(tile) != 2 for tile in self.tiles):
            raise EngineError("message.malformed", detail="a tile is [x, y]")
        tiles = [(tile[0], tile[1]) for tile in self.tiles]
        return {"id": simulation.site.connect(self.source, self.target, tiles)}


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
    """Replace all that the player has built."""

    layout: dict[str, Any]

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        simulation.site.replace(layout_from_data(self.layout))
        return {}


@frozen
class Start:
    """Let the requests come."""

    def do(self, simulation: Simulation) -> dict[str, Any]:
        """Tells nothing more."""
        simulation.start()
        return {}


_COMMANDS: dict[str, type[Command]] = {
    "place": Place,
    "move": Move,
    "remove": Remove,
    "connect": Connect,
    "set": Set,
    "reboot": Reboot,
    "layout": SetLayout,
    "start": Start,
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
    if simulation.phase == ENDED:
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
