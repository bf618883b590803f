"""Plans by chance: fresh ones, and changes to good ones. All chance comes from the generator that is handed in."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import attrs

from engine.floor.kinds import KINDS
from engine.level.spec import Ban, Level, Setting
from engine.proof.plan import Part, Plan, Ports, Wires, allowed, kinds_of, pads_for, sound, values, ways

_TRIES = 200
_AS_IT_IS = 0.5
"""Chance of leaving a setting as it is."""
_ANOTHER = 0.35
"""Chance of one more belt from an output that has one."""


class Drawer:
    """Draws plans of a level that `ban` permits."""

    def __init__(self, level: Level, ban: Ban | None, random: Random) -> None:
        self.level, self.ban, self.random = level, ban, random
        self.allowed = allowed(level, ban)

    def fresh(self) -> Plan | None:
        """A plan, whole by chance; None if none was found."""
        return self._first(self._any_plan)

    def changed(self, plan: Plan) -> Plan | None:
        """`plan` with one or two things different."""

        def change() -> Plan:
            result = plan
            for _ in range(self.random.choice((1, 1, 2))):
                result = self.random.choice(self._changes())(result)
            return result

        return self._first(change)

    def _first(self, draw: Callable[[], Plan]) -> Plan | None:
        for _ in range(_TRIES):
            plan = draw()
            if sound(self.level, plan):
                return plan
        return None

    # -- a plan ----------------------------------------------------------------------------------------------------

    def _any_plan(self) -> Plan:
        parts = []
        for kind, most in self.allowed.items():
            parts += [self._part(kind) for _ in range(self.random.randint(0, most))]
        return Plan(tuple(parts), self._wires(tuple(parts)), self.random.choice(ways(self.ban)))

    def _part(self, kind: str) -> Part:
        settings = self.level.settings.get(kind, {})
        chosen = tuple((name, self._value(setting)) for name, setting in settings.items())
        return Part(kind, self.random.choice(pads_for(self.level, kind)), chosen)

    def _value(self, setting: Setting) -> int:
        """Often what the level starts with, as a player would leave it."""
        return setting.value if self.random.random() < _AS_IT_IS else self.random.choice(values(setting))

    def _wires(self, parts: tuple[Part, ...]) -> Wires:
        """A belt from every machine that has somewhere to send, then one to every machine that is still not fed."""
        kinds = kinds_of(self.level, parts)
        everybody, ports, wires = list(range(len(kinds))), Ports(kinds), list[tuple[int, int]]()

        def connect(sources: list[int], targets: list[int]) -> bool:
            pairs = [(source, target) for source in sources for target in targets if ports.fits(source, target)]
            if not pairs:
                return False
            source, target = self.random.choice(pairs)
            ports.take(source, target)
            wires.append((source, target))
            return True

        for number in self.random.sample(everybody, len(everybody)):
            while connect([number], everybody) and self.random.random() < _ANOTHER:
                pass
        for number in everybody:
            if KINDS[kinds[number]].inputs and not any(target == number for _, target in wires):
                connect(everybody, [number])
        return tuple(sorted(wires))

    # -- changes -----------------------------------------------------------------------------------------------------

    def _changes(self) -> list[Callable[[Plan], Plan]]:
        return [self._set, self._set, self._move, self._add, self._drop, self._rewire, self._lengthen]

    def _with(self, plan: Plan, number: int, part: Part) -> Plan:
        return attrs.evolve(plan, parts=(*plan.parts[:number], part, *plan.parts[number + 1 :]))

    def _set(self, plan: Plan) -> Plan:
        number = self.random.randrange(len(plan.parts))
        part = plan.parts[number]
        free = [name for name, _ in part.settings if self._spec(part.kind, name).low < self._spec(part.kind, name).high]
        if not free:
            return plan
        name = self.random.choice(free)
        spec, old = self._spec(part.kind, name), dict(part.settings)[name]
        near = max((spec.high - spec.low) // 16, 1)
        value = self.random.choice([*values(spec), *range(old - near, old + near + 1, near)])
        settings = {**dict(part.settings), name: min(max(value, spec.low), spec.high)}
        return self._with(plan, number, attrs.evolve(part, settings=tuple(settings.items())))

    def _spec(self, kind: str, name: str) -> Setting:
        return self.level.settings[kind][name]

    def _move(self, plan: Plan) -> Plan:
        number = self.random.randrange(len(plan.parts))
        part = plan.parts[number]
        return self._with(plan, number, attrs.evolve(part, pad=self.random.choice(pads_for(self.level, part.kind))))

    def _add(self, plan: Plan) -> Plan:
        placed = [part.kind for part in plan.parts]
        left = [kind for kind, most in self.allowed.items() if placed.count(kind) < most]
        if not left:
            return plan
        parts = (*plan.parts, self._part(self.random.choice(left)))
        return Plan(parts, self._wires(parts), plan.way)

    def _drop(self, plan: Plan) -> Plan:
        number = self.random.randrange(len(plan.parts))
        parts = (*plan.parts[:number], *plan.parts[number + 1 :])
        return Plan(parts, self._wires(parts), plan.way) if parts else plan

    def _rewire(self, plan: Plan) -> Plan:
        return attrs.evolve(plan, wires=self._wires(plan.parts))

    def _lengthen(self, plan: Plan) -> Plan:
        return attrs.evolve(plan, way=self.random.choice(ways(self.ban)))
