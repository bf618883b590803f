"""The smallest change that helps: changes in the order of their size, each a layout that can be simulated."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from attrs import frozen

from engine import catalog
from engine.diagnosis.gaps import gaps
from engine.diagnosis.repairs import add, repair
from engine.diagnosis.sketch import Sketch, Step
from engine.diagnosis.speculate import speculate
from engine.diagnosis.what_if import Outcome
from engine.floor.geometry import order_of
from engine.floor.kinds import KINDS, KV
from engine.floor.layout import Layout, PlacedMachine
from engine.floor.machines.core import Core
from engine.level.spec import Goal, Level, Setting

_ALL_VALUES = 16
"""A range so wide is tried value by value."""
_POINTS = 8
_WORTH = 0.01
"""An improvement by a smaller share than this is none."""
_BESIDE = ("page_allocator", "batcher", "chunker", "prefix_cache")
"""Machines that do something only where a core stands."""
_ONE_NEEDED = ("prefill_core", "decode_core", "model_server", "validation_gate")


@frozen
class Fix:
    """A change: what to do, and the layout that comes of it."""

    steps: tuple[Step, ...]
    layout: Layout


# -- what would help --------------------------------------------------------------------------------------------------


def named_metric(level: Level, outcome: Outcome) -> Goal:
    """The goal that a fix is judged by: the first that is missed, else the level's first."""
    return next((goal for goal in level.goals if goal.name in outcome.unmet), level.goals[0])


def improves(goal: Goal, before: float | None, after: float | None) -> bool:
    """Whether `after` is better by more than a hair."""
    if after is None:
        return False
    if before is None:
        return after > 0 if goal.at_least else True
    better = after - before if goal.at_least else before - after
    return better > _WORTH * abs(before)


def meets(goal: Goal, value: float | None) -> bool:
    """Whether the goal is reached."""
    return value is not None and (value >= goal.target if goal.at_least else value <= goal.target)


def spoiled(before: Outcome, after: Outcome) -> list[str]:
    """Metrics of goals that are missed though they were met."""
    return [metric for metric in after.unmet if metric not in before.unmet]


# -- changes ----------------------------------------------------------------------------------------------------------


def changes(level: Level, layout: Layout, missed: bool) -> Iterator[Fix | None]:
    """Changes of a layout, the smallest first; None now and then, so that whoever goes through them may take a rest.

    Where no goal is `missed`, settings alone are changed.
    """
    found = gaps(Sketch(level, layout).floor)
    served = not found or found[0].whole
    if served:
        yield from _settings(level, layout)
    if found:
        yield from _made_whole(Sketch(level, layout), [])
    if not missed:
        return
    if served:
        for further in (_shorter, _belts, _moves, _more, _chunks, _speculation, _less):
            yield from further(level, layout)
    if found:
        yield from _and_more(level, Sketch(level, layout), [])
    if layout.machines:  # all anew, the simplest way, as a last resort
        yield from _and_more(level, Sketch(level, Layout()), [Step("fix.clear")])


def _settings(level: Level, layout: Layout) -> Iterator[Fix]:
    """One setting, one value up or down first."""
    found: list[tuple[int, int, int, str, int]] = []
    for number, machine in enumerate(layout.machines):
        for name, setting in level.settings.get(machine.kind, {}).items():
            old = machine.settings.get(name, setting.value)
            for value in _values(setting, old):
                size = 1 if setting.choices else abs(value - old) * _ALL_VALUES // max(setting.high - setting.low, 16)
                found.append((size, value < old, number, name, value))
    for _, _, number, name, value in sorted(found, key=lambda entry: (*entry[:2], _order(layout.machines[entry[2]]))):
        yield _with_setting(level, layout, number, name, value)


def _values(setting: Setting, old: int) -> list[int]:
    low, high = setting.low, setting.high
    if high - low <= _ALL_VALUES:
        return [value for value in range(low, high + 1) if value != old]
    spread = {low + (high - low) * point // _POINTS for point in range(_POINTS + 1)}
    return sorted((spread | {setting.value}) - {old})


def _with_setting(level: Level, layout: Layout, number: int, name: str, value: int) -> Fix:
    """A layout with one setting of its machine `number` changed."""
    machine = layout.machines[number]
    machines = list(layout.machines)
    machines[number] = attrs.evolve(machine, settings={**machine.settings, name: value})
    choices = catalog.called(level.settings[machine.kind][name].choices)
    said: int | str = choices[value - level.settings[machine.kind][name].low] if choices else value
    step = Step("fix.set", {"kind": machine.kind, "name": name, "value": said})
    return Fix((step,), attrs.evolve(layout, machines=machines))


def _order(machine: PlacedMachine) -> int:
    return order_of((machine.x, machine.y))


def _shorter(level: Level, layout: Layout) -> Iterator[Fix | None]:
    """A hand-off by a shorter way: the belt anew, or a core closer to the other on its card."""
    ids = [belt.id for belt in Sketch(level, layout).floor.belts.values() if belt.packet == KV]
    for number in range(len(ids)):
        sketch = Sketch(level, layout)
        belt = [belt for belt in sketch.floor.belts.values() if belt.packet == KV][number]
        source, target = sketch.floor.machines[belt.source.machine], sketch.floor.machines[belt.target.machine]
        sketch.site.remove([belt.id])
        if source.pad is not target.pad and sketch.connect(source.id, target.id):
            tiles = len(sketch.floor.belts[max(sketch.floor.belts)].tiles)
            if tiles < len(belt.tiles):
                step = Step("fix.shorten", {"packet": KV, "tiles": tiles, "before": len(belt.tiles)})
                yield Fix((step,), sketch.layout())
                continue
        yield None


def _belts(level: Level, layout: Layout) -> Iterator[Fix | None]:
    """A belt more between two machines that have none."""
    whole = Sketch(level, layout)
    machines = list(whole.floor.machines.values())
    have = {(belt.source.machine, belt.target.machine) for belt in whole.floor.belts.values()}
    for one, source in enumerate(machines):
        for other, target in enumerate(machines):
            if (
                one == other
                or (source.id, target.id) in have
                or not _fit(source.stand.kind.name, target.stand.kind.name)
            ):
                continue
            sketch = Sketch(level, layout)
            ids = list(sketch.floor.machines)
            if sketch.connect(ids[one], ids[other]):
                names = {"from": source.stand.kind.name, "to": target.stand.kind.name}
                yield Fix((Step("fix.connect", names),), sketch.layout())
            else:
                yield None


def _fit(source: str, target: str) -> bool:
    taken = {packet for port in KINDS[target].inputs.values() for packet in port.packets}
    return any(port.packets[0] in taken for port in KINDS[source].outputs.values())


def _moves(level: Level, layout: Layout) -> Iterator[Fix | None]:
    """A machine to another card, or closer to those that it works with."""
    for number, machine in enumerate(layout.machines):
        if not KINDS[machine.kind].on_pad:
            continue
        for pad in range(len(level.pads)):
            sketch = Sketch(level, layout)
            id = [one for one in sketch.floor.machines if one not in sketch.site.fixed][number]
            old = sketch.floor.machines[id].pad
            new = sketch.floor.pads[pad]
            if sketch.move(id, new) is None:
                yield None
                continue
            away = Step("fix.move", {"kind": machine.kind, "pad": pad})
            yield Fix((Step("fix.closer", {"kind": machine.kind}) if old is new else away,), sketch.layout())


def _more(level: Level, layout: Layout) -> Iterator[Fix | None]:
    """A machine more."""
    for kind in level.allowed:
        if not KINDS[kind].on_pad:
            continue
        for pad in range(len(level.pads)):
            sketch = Sketch(level, layout)
            here = sketch.floor.pads[pad]
            if kind in _BESIDE and not any(isinstance(machine, Core) for machine in here.cores):
                continue
            step = add(sketch, kind, here)
            yield Fix((step,), sketch.layout()) if step is not None else None


def _chunks(level: Level, layout: Layout) -> Iterator[Fix | None]:
    """A Chunker with a size at once: as it comes, it may be too large or too small."""
    if not level.allowed.get("chunker"):
        return
    tokens = 256
    while tokens <= level.settings["chunker"]["chunk_tokens"].high:
        sketch = Sketch(level, layout)
        step = add(sketch, "chunker", None, {"chunk_tokens": tokens})
        if step is None:
            return
        size = Step("fix.set", {"kind": "chunker", "name": "chunk_tokens", "value": tokens})
        yield Fix((step, size), sketch.layout())
        tokens *= 2


def _speculation(level: Level, layout: Layout) -> Iterator[Fix | None]:
    """A Draft Model and a Validation Gate at once: neither does anything alone."""
    if not level.allowed.get("draft_model") or not level.allowed.get("validation_gate"):
        return
    setting = level.settings["draft_model"]["num_speculative_tokens"]
    middle = (setting.low + setting.high) // 2
    for tokens in dict.fromkeys((setting.value, middle, *range(setting.low, setting.high + 1))):
        sketch = Sketch(level, layout)
        steps = speculate(sketch, tokens)
        yield Fix(tuple(steps), sketch.layout()) if steps else None


def _less(level: Level, layout: Layout) -> Iterator[Fix | None]:
    """A machine less, where another of its kind stays or none is needed."""
    kinds = [machine.kind for machine in layout.machines]
    for number, machine in enumerate(layout.machines):
        if machine.kind in _ONE_NEEDED and kinds.count(machine.kind) == 1:
            continue
        sketch = Sketch(level, layout)
        id = [one for one in sketch.floor.machines if one not in sketch.site.fixed][number]
        sketch.site.remove([id])
        yield Fix((Step("fix.remove", {"kind": machine.kind}),), sketch.layout())


def _made_whole(sketch: Sketch, first: list[Step]) -> Iterator[Fix | None]:
    """A sketch made whole, gap by gap, as far as it serves requests."""
    for steps in repair(sketch):
        yield Fix((*first, *steps), sketch.layout()) if steps else None


def _and_more(level: Level, sketch: Sketch, first: list[Step]) -> Iterator[Fix | None]:
    """A sketch made whole, and a machine more."""
    whole = None
    for fix in _made_whole(sketch, first):
        whole = fix or whole
        yield fix
    if whole is not None:
        for further in (_more(level, whole.layout), _speculation(level, whole.layout)):
            for fix in further:
                yield None if fix is None else Fix((*whole.steps, *fix.steps), fix.layout)
