"""The sandbox across the bridge: what can be chosen, the level of a choice, and the player's own levels and traces. No
part of a game's record: a game in the sandbox has its level as data.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import frozen

from engine import catalog
from engine.errors import EngineError
from engine.floor.layout import layout_to_data
from engine.level.spec import Level
from engine.mods.library import told_in
from engine.mods.mod import OWN
from engine.protocol.commands import read_fields
from engine.sandbox import plan as plans
from engine.sandbox.own import OwnLevel, OwnLevels
from engine.sandbox.traces import Traces
from engine.saves.recording import checked_path
from engine.simulation import Simulation
from engine.traffic.kinds import asked_tps
from engine.traffic.trace import TraceTraffic
from engine.units import PS_PER_S


@frozen
class _Open:
    plan: dict[str, Any]
    seed: int = 1


@frozen
class _Save:
    title: str


@frozen
class _Key:
    level: str


@frozen
class _File:
    path: str


@frozen
class _Plan:
    plan: dict[str, Any]


@frozen
class _Nothing:
    pass


OPEN = "sandbox_open"
COMMANDS: dict[str, type[Any]] = {OPEN: _Open, "own_save": _Save, "own_delete": _Key, "trace_bring": _File}
QUESTIONS: dict[str, type[Any]] = {"sandbox": _Nothing, "sandbox_plan": _Plan, "own_levels": _Nothing}


@frozen
class _Holds:
    levels: OwnLevels
    traces: Traces


class Sandbox:
    """`folder` is the player's, once the host has named it."""

    def __init__(self, folder: Callable[[], Path | None]) -> None:
        self._folder = folder
        self._held: tuple[Path, _Holds] | None = None

    def level(self, key: str) -> Level | None:
        """One of the player's own levels by `own/<id>`; None for what is no such key."""
        return self._holds().levels.level(key) if key.startswith(f"{OWN}/") else None

    def levels(self) -> list[dict[str, Any]]:
        """Those that can be played, as the question `progress` lists them."""
        if self._folder() is None:
            return []
        found = [own for own in self._holds().levels.all() if own.level is not None]
        return [{"number": number, "id": own.key, "mod": OWN} for number, own in enumerate(found, start=1)]

    def texts(self, language: str) -> dict[str, str]:
        """The texts of all of them."""
        found = dict[str, str]()
        if self._folder() is not None:
            for own in self._holds().levels.all():
                found |= {} if own.level is None else told_in(own.level, language)
        return found

    def opened(self, fields: dict[str, Any]) -> tuple[Level, int]:
        """The level of a plan, and the seed of its game; EngineError with the first thing that is wrong."""
        wanted = read_fields(fields, _Open)
        level, problems = self._made(wanted.plan)
        if level is None or problems:
            raise EngineError(problems[0].code, **problems[0].params)
        return level, wanted.seed

    def command(self, name: str, fields: dict[str, Any], simulation: Simulation | None) -> dict[str, Any]:
        """Give a command of `COMMANDS` but `OPEN`."""
        match read_fields(fields, COMMANDS[name]):
            case _Save(title=title):
                if simulation is None:
                    raise EngineError("level.none_open")
                layout = layout_to_data(simulation.site.layout())
                return {"level": self._holds().levels.save(simulation.level, layout, title)}
            case _Key(level=key):
                self._holds().levels.delete(key)
                return {}
            case _File(path=path):
                return {"trace": self._holds().traces.bring(checked_path(path))}
        raise EngineError("message.unknown", name=name)

    def ask(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Answer a question of `QUESTIONS`."""
        asked: Any = read_fields(fields, QUESTIONS[name])
        if isinstance(asked, _Plan):
            return self._judged(asked.plan)
        if name == "own_levels":
            rows = [_row(own) for own in self._holds().levels.all()]
            return {"folder": str(self._holds().levels.folder), "levels": rows}
        traces = [] if self._folder() is None else self._holds().traces.names()
        return {**_choices(), "traces": traces, "plan": plans.plan_to_data(plans.Plan())}

    def _made(self, data: dict[str, Any]) -> tuple[Level | None, list[Any]]:
        plan = plans.plan_from_data(data)
        return plans.problems(plan, lambda name: self._holds().traces.read(name))

    def _judged(self, data: dict[str, Any]) -> dict[str, Any]:
        level, problems = self._made(data)
        told = [{"field": one.field, "code": one.code, "params": one.params} for one in problems]
        return {"problems": told, "floor": None if level is None else _floor(level)}

    def _holds(self) -> _Holds:
        folder = self._folder()
        if folder is None:
            raise EngineError("player.none")
        if self._held is None or self._held[0] != folder:
            self._held = folder, _Holds(OwnLevels(folder), Traces(folder))
        return self._held[1]


def _choices() -> dict[str, Any]:
    """What there is to choose from."""
    return {
        "gpus": [
            {"id": one.id, "name": one.name, "vram_bytes": one.vram_bytes, "usd_per_hour": one.rent_usd_per_hour}
            for one in catalog.gpus().values()
        ],
        "models": [
            {"id": one.id, "name": one.name, "weight_bytes": one.weight_bytes} for one in catalog.models().values()
        ],
        "links": [{"id": one.id, "name": one.name} for one in catalog.links().values()],
        "sizes": [{"width": w, "height": h, "cards": plans.room(w, h)} for w, h in plans.SIZES],
        "most_docks": plans.MOST_DOCKS,
        "supplies": list(plans.WAYS),
        "most_streams": len(plans.TENANTS),
    }


def _floor(level: Level) -> dict[str, Any]:
    """What a level looks like, and whether the model fits on its cards."""
    model = catalog.models().get(level.model)
    cards = []
    for pad in level.pads:
        gpu = catalog.gpus().get(pad.gpu)
        fits = gpu is not None and model is not None
        if gpu is not None and model is not None:
            fits = model.weight_bytes <= int(gpu.vram_bytes * level.memory_utilization) - gpu.overhead_bytes
        cards.append({"gpu": pad.gpu, "x": pad.x, "y": pad.y, "w": pad.width, "h": pad.height, "fits": fits})
    docks = [{"kind": dock.kind, "x": dock.x, "y": dock.y} for dock in level.docks]
    prompt_docks, per_s = len(docks) // 2, 0.0
    for stream in level.streams:
        taken = 1 if isinstance(stream, TraceTraffic) else prompt_docks  # the docks take turns with a trace
        per_s += taken * PS_PER_S / stream.interval_ps
    return {
        "width": level.width,
        "height": level.height,
        "cards": cards,
        "docks": docks,
        "requests_per_s": per_s,
        "tokens_per_s": asked_tps(level.streams, prompt_docks),
    }


def _row(own: OwnLevel) -> dict[str, Any]:
    problem = own.problems[0] if own.problems else None
    return {
        "level": own.key,
        "title": "" if own.level is None else f"level.{own.key}.title",
        "code": problem and problem.code,
        "params": {} if problem is None else problem.params,
    }
