"""A plan: what a layout does, without saying on which tiles. Which machines, on which card, with which settings, who
feeds whom, and how long a hand-off is.
"""

from __future__ import annotations

from itertools import permutations, product

from attrs import frozen

from engine.floor.kinds import KINDS
from engine.level.spec import Ban, Level, Setting

ANYWHERE = -1
"""The pad of a machine that needs none."""
SHORT, LONG = 0, 16
"""Least tiles of a hand-off between two cards: by the shortest way, or by a detour."""
_ALL_VALUES = 16
_POINTS = 8

Wires = tuple[tuple[int, int], ...]


@frozen(order=True)
class Part:
    """A machine of a plan."""

    kind: str
    pad: int
    settings: tuple[tuple[str, int], ...]


@frozen
class Plan:
    """`wires` are belts, as (source, target): numbers of the level's docks first, then of the parts."""

    parts: tuple[Part, ...]
    wires: Wires
    way: int = SHORT

    def key(self, docks: int) -> Plan:
        """The same plan in one form, however its machines are numbered."""
        order = sorted(range(len(self.parts)), key=lambda number: self.parts[number])
        parts = tuple(self.parts[number] for number in order)
        alike: dict[Part, list[int]] = {}
        for number, part in enumerate(parts):
            alike.setdefault(part, []).append(number)
        place = {docks + old: docks + new for new, old in enumerate(order)}
        wires = [(place.get(source, source), place.get(target, target)) for source, target in self.wires]
        best: Wires | None = None
        for orders in product(*(permutations(group) for group in alike.values())):
            name = {
                docks + old: docks + new
                for group, turned in zip(alike.values(), orders, strict=True)
                for old, new in zip(group, turned, strict=True)
            }
            renamed = tuple(sorted((name.get(source, source), name.get(target, target)) for source, target in wires))
            best = renamed if best is None else min(best, renamed)
        return Plan(parts, best or (), self.way)


def kinds_of(level: Level, parts: tuple[Part, ...]) -> list[str]:
    """The kind of each number that wires use: docks, then parts."""
    return [dock.kind for dock in level.docks] + [part.kind for part in parts]


def carried(source: str, target: str) -> str | None:
    """What a belt from one kind to another carries; None when there can be none."""
    taken = {packet for port in KINDS[target].inputs.values() for packet in port.packets}
    return next((port.packets[0] for port in KINDS[source].outputs.values() if port.packets[0] in taken), None)


class Ports:
    """The ports that are still free, while belts are added to a plan."""

    def __init__(self, kinds: list[str]) -> None:
        self.kinds = kinds
        self._inputs = [list(KINDS[kind].inputs.values()) for kind in kinds]
        self._outputs = [list(KINDS[kind].outputs.values()) for kind in kinds]

    def take(self, source: int, target: int) -> bool:
        """Take a port at each end of a belt; False when there is none."""
        for output in self._outputs[source]:
            for entry in self._inputs[target]:
                if output.packets[0] in entry.packets:
                    self._outputs[source].remove(output)
                    self._inputs[target].remove(entry)
                    return True
        return False

    def fits(self, source: int, target: int) -> bool:
        """Whether a belt could be added."""
        offers = {output.packets[0] for output in self._outputs[source]}
        return source != target and any(offers.intersection(entry.packets) for entry in self._inputs[target])


def sound(level: Level, plan: Plan) -> bool:
    """Whether no port is used twice, and every machine has work: what takes something in lies behind a Prompt Dock,
    what gives something out before a Token Dock.
    """
    kinds = kinds_of(level, plan.parts)
    ports = Ports(kinds)
    if not all(ports.take(source, target) for source, target in plan.wires):
        return False
    behind = _reached(kinds, "prompt_dock", plan.wires)
    before = _reached(kinds, "token_dock", tuple((target, source) for source, target in plan.wires))
    for number in range(len(level.docks), len(kinds)):
        kind = KINDS[kinds[number]]
        if (kind.inputs and number not in behind) or (kind.outputs and number not in before):
            return False
    return any(kinds[number] == "token_dock" for number in behind)


def _reached(kinds: list[str], start: str, wires: Wires) -> set[int]:
    """Everything that wires lead to from machines of a kind."""
    reached = {number for number, kind in enumerate(kinds) if kind == start}
    for _ in kinds:
        reached |= {target for source, target in wires if source in reached}
    return reached


def values(setting: Setting) -> list[int]:
    """The values of a setting that are tried: all of a small range, else evenly spread ones, and its ends."""
    low, high = setting.low, setting.high
    if high - low < _ALL_VALUES:
        return list(range(low, high + 1))
    spread = {low + (high - low) * point // _POINTS for point in range(_POINTS + 1)}
    return sorted(spread | {setting.value})


def ways(ban: Ban | None) -> list[int]:
    """The lengths of hand-offs that are tried."""
    return [way for way in (SHORT, LONG) if ban is None or way >= ban.way] or [ban.way if ban else SHORT]


def allowed(level: Level, ban: Ban | None) -> dict[str, int]:
    """How many of each kind may be placed."""
    return {kind: most for kind, most in level.allowed.items() if ban is None or kind not in ban.kinds}


def pads_for(level: Level, kind: str) -> list[int]:
    """The pads that a kind may stand on."""
    return list(range(len(level.pads))) if KINDS[kind].on_pad else [ANYWHERE]
