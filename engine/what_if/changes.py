"""Changes to a level and its layout that an engineer asks for: settings, numbers of machines, cards, model, traffic.

They go beyond what the level lets a player do, up to what the engine can simulate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from engine import catalog
from engine.errors import EngineError
from engine.floor.kinds import KINDS
from engine.floor.layout import Layout, PlacedMachine
from engine.level.rules import FROM_ZERO, MAX_OF_A_KIND, PLACED, SETTINGS
from engine.level.spec import Level, Setting
from engine.what_if.counts import with_count
from engine.what_if.scale import scaled

_SETTING = re.compile(r"(?P<kind>[a-z_]+)(@(?P<x>\d{1,3}),(?P<y>\d{1,3}))?\.(?P<name>[a-z_0-9]+)")


@frozen
class Place:
    """Which setting of which machines: all of a kind, or the one whose origin is (x, y)."""

    kind: str
    name: str
    at: tuple[int, int] | None = None

    def __str__(self) -> str:
        return f"{self.kind}{'' if self.at is None else f'@{self.at[0]},{self.at[1]}'}.{self.name}"


@frozen
class Changes:
    """What is to be different; nothing by default."""

    settings: Mapping[str, int] = field(factory=dict)
    """By the text of a `Place`, as `decode_core.max_num_seqs` or `decode_core@6,4.max_num_seqs`."""
    counts: Mapping[str, int] = field(factory=dict)
    """Machine kind -> how many of it stand on the floor."""
    gpu: str = ""
    """What all cards are."""
    model: str = ""
    link: str = ""
    rate: float = 0.0
    """Requests per second of all streams together."""


def place_of(text: str) -> Place:
    """Which setting `KIND.NAME` or `KIND@X,Y.NAME` means; EngineError `what_if.*` for none."""
    found = _SETTING.fullmatch(text)
    if found is None:
        raise EngineError("what_if.setting", text=text[:80])
    kind, name = found["kind"], found["name"]
    if kind not in SETTINGS:
        raise EngineError("what_if.kind", kind=kind[:40], known=", ".join(SETTINGS))
    if name not in SETTINGS[kind]:
        raise EngineError("what_if.name", kind=kind, name=name[:40], known=", ".join(SETTINGS[kind]))
    return Place(kind, name, None if found["x"] is None else (int(found["x"]), int(found["y"])))


def changed(level: Level, layout: Layout, changes: Changes) -> tuple[Level, Layout]:
    """The level and the layout as they are to be; EngineError says what cannot be."""
    level = _on(level, changes)
    for kind, count in changes.counts.items():
        if kind not in PLACED or kind not in KINDS:
            raise EngineError("what_if.kind", kind=kind[:40], known=", ".join(PLACED))
        if not 0 <= count <= MAX_OF_A_KIND:
            raise EngineError("what_if.count", kind=kind, most=MAX_OF_A_KIND)
        level = evolve(level, allowed={**level.allowed, kind: max(count, level.allowed.get(kind, 0))})
        layout = with_count(level, layout, kind, count)
    for text, value in changes.settings.items():
        level, layout = _set(level, layout, place_of(text), value)
    return level, layout


def _on(level: Level, changes: Changes) -> Level:
    """Other hardware, another model, more or less traffic."""
    if changes.gpu:
        catalog.gpu(changes.gpu)
        level = evolve(level, pads=[evolve(pad, gpu=changes.gpu) for pad in level.pads])
    if changes.model:
        catalog.model(changes.model)
        level = evolve(level, model=changes.model)
    if changes.link:
        catalog.link(changes.link)
        level = evolve(level, link=changes.link)
    return scaled(level, changes.rate) if changes.rate else level


def _set(level: Level, layout: Layout, place: Place, value: int) -> tuple[Level, Layout]:
    kind, name = place.kind, place.name
    meant = [machine for machine in layout.machines if _is_meant(machine, place)]
    if not meant:
        raise EngineError("what_if.nobody", place=str(place))
    least, most = 0 if name in FROM_ZERO else 1, SETTINGS[kind][name]
    if not least <= value <= most:
        raise EngineError("what_if.range", place=str(place), low=least, high=most)
    settings = level.settings.get(kind, {})
    known = settings.get(name, Setting(value, value, value))
    wider = evolve(known, low=min(known.low, value), high=max(known.high, value))
    if wider != known and known.choices:
        raise EngineError("what_if.range", place=str(place), low=known.low, high=known.high)
    level = evolve(level, settings={**level.settings, kind: {**settings, name: wider}})
    machines = [
        evolve(machine, settings={**machine.settings, name: value}) if machine in meant else machine
        for machine in layout.machines
    ]
    return level, evolve(layout, machines=machines)


def _is_meant(machine: PlacedMachine, place: Place) -> bool:
    return machine.kind == place.kind and place.at in (None, (machine.x, machine.y))


def described(changes: Changes) -> dict[str, int | float | str]:
    """Changes by the names that they have in a report and in a table."""
    told: dict[str, int | float | str] = {**changes.settings}
    told |= {f"count.{kind}": count for kind, count in changes.counts.items()}
    for name in ("gpu", "model", "link", "rate"):
        if getattr(changes, name):
            told[name] = getattr(changes, name)
    return told


def from_described(told: Mapping[str, int | float | str], names: Sequence[str] = ()) -> Changes:
    """The changes of `described`; what is in `names` is not of them."""
    settings, counts, others = dict[str, int](), dict[str, int](), dict[str, str]()
    rate = 0.0
    for name, value in told.items():
        if name in names:
            continue
        if name == "rate":
            rate = float(value)
        elif name in ("gpu", "model", "link"):
            others[name] = str(value)
        elif name.startswith("count."):
            counts[name.removeprefix("count.")] = int(value)
        else:
            settings[name] = int(value)
    return Changes(settings, counts, others.get("gpu", ""), others.get("model", ""), others.get("link", ""), rate)
