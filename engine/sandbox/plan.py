"""A floor of the player's choice: a few figures from which a level without a goal is made."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from engine import catalog
from engine.errors import EngineError
from engine.floor.layout import strict_converter
from engine.level.check import check_level
from engine.level.data import Malformed, traffic_from_data, traffic_to_data
from engine.level.problems import Problem
from engine.level.rules import MAX_DRAFT_MODELS, MAX_OF_A_KIND, MAX_PADS, NEEDED, PLACED
from engine.level.spec import Dock, Level, PadSpec, Setting
from engine.traffic.trace import TraceTraffic
from engine.traffic.traffic import Lengths, Traffic
from engine.units import seconds

ID = "sandbox"
PAD = 6, 4
"""Tiles of a card: room for a server with all that helps it, or for a line of cores."""
GAP = 1
"""Tiles between two cards, for belts."""
LANE = 3
"""Tiles between docks and cards: belts run there, and what needs no card stands there."""
DOCK = 2
SIZES = ((18, 10), (25, 14), (32, 19), (39, 24), (60, 34))
"""Floors to choose from."""
MOST_DOCKS = 4
ACCEPTANCE_PERCENT = 80
"""Of drafted tokens that the main model accepts: as in level 3."""
_DEFAULT = Traffic(seconds(2), seconds(1), Lengths(256, 1024), Lengths(64, 256))
_SETTINGS: dict[str, dict[str, Setting]] = {
    "prefill_core": {"max_num_batched_tokens": Setting(4096, 256, 16384)},
    "decode_core": {"max_num_seqs": Setting(16, 1, 256)},
    "page_allocator": {"block_size": Setting(16, 1, 128)},
    "draft_model": {"num_speculative_tokens": Setting(4, 1, 10)},
}
"""What can be set of each machine, beside an index into models."""


@frozen
class Plan:
    """What the player chooses."""

    width: int = SIZES[1][0]
    height: int = SIZES[1][1]
    model: str = "llama-3.1-8b"
    link: str = "10gbe"
    cards: list[str] = field(factory=lambda: ["l4", "l4"])
    """By their names in the catalog, as they are laid out: line by line."""
    docks: int = 1
    """Prompt Docks, and as many Token Docks."""
    acceptance_percent: int = ACCEPTANCE_PERCENT
    """Of drafted tokens."""
    minutes: int = 30
    """Simulated time until the run ends."""
    traffic: dict[str, Any] = field(factory=lambda: traffic_to_data(_DEFAULT))
    """As `engine.level.data` writes traffic ..."""
    trace: str = ""
    """... or, where a name stands here, the trace of that name in the player's folder."""


_CONVERTER = strict_converter()


def plan_from_data(data: Any) -> Plan:
    """The plan that plain data tells of; EngineError `data.malformed` names what is wrong with it."""
    try:
        return _CONVERTER.structure(data, Plan)
    except Exception as error:  # cattrs raises what its hooks raise
        raise EngineError("data.malformed", what="plan", field="", detail=str(error)[:200]) from error


def plan_to_data(plan: Plan) -> dict[str, Any]:
    """A plan as plain data."""
    data: dict[str, Any] = _CONVERTER.unstructure(plan)
    return data


def room(width: int, height: int) -> int:
    """How many cards a floor has room for."""
    return _columns(width) * _lines(height)


def level_of(plan: Plan, trace: TraceTraffic | None = None) -> Level:
    """The level of a plan; not checked yet. EngineError `sandbox.*` where the floor has not the room for it."""
    if not 1 <= len(plan.cards) <= min(room(plan.width, plan.height), MAX_PADS):
        raise EngineError("sandbox.room", most=min(room(plan.width, plan.height), MAX_PADS))
    if not 1 <= plan.docks <= min(MOST_DOCKS, plan.height // DOCK):
        raise EngineError("sandbox.docks", most=min(MOST_DOCKS, plan.height // DOCK))
    drafts = _drafts(plan.model)
    return Level(
        number=0,
        id=ID,
        width=plan.width,
        height=plan.height,
        model=plan.model,
        link=plan.link,
        pads=_pads(plan),
        docks=[*_docks("prompt_dock", 0, plan), *_docks("token_dock", plan.width - DOCK, plan)],
        traffic=traffic_from_data(plan.traffic) if trace is None else trace,
        allowed=_allowed(drafts),
        settings=_settings(drafts),
        goals=[],
        warmup_s=0,
        end_s=plan.minutes * 60,
        draft_models=drafts,
        acceptance=plan.acceptance_percent / 100,
    )


def problems(plan: Plan, trace: TraceTraffic | None = None) -> tuple[Level | None, list[Problem]]:
    """The level of a plan, and all that is wrong with it (None: there can be none)."""
    try:
        level = level_of(plan, trace)
    except Malformed as error:
        return None, error.problems
    except EngineError as error:
        return None, [Problem("", error.code, error.params)]
    return level, check_level(level)


def _columns(width: int) -> int:
    return max((width - 2 * (DOCK + LANE) + GAP) // (PAD[0] + GAP), 0)


def _lines(height: int) -> int:
    return max((height + GAP) // (PAD[1] + GAP), 0)


def _pads(plan: Plan) -> list[PadSpec]:
    """Line by line, in the middle of the floor; as few lines as there can be."""
    columns = min(_columns(plan.width), len(plan.cards))
    lines = -(-len(plan.cards) // columns)
    left = (plan.width - columns * (PAD[0] + GAP) + GAP) // 2
    top = (plan.height - lines * (PAD[1] + GAP) + GAP) // 2
    found = []
    for index, card in enumerate(plan.cards):
        line, column = divmod(index, columns)
        found.append(PadSpec(card, left + column * (PAD[0] + GAP), top + line * (PAD[1] + GAP), *PAD))
    return found


def _docks(kind: str, x: int, plan: Plan) -> list[Dock]:
    """Spread evenly along a side of the floor."""
    return [Dock(kind, x, (2 * index + 1) * plan.height // (2 * plan.docks) - 1) for index in range(plan.docks)]


def _drafts(model: str) -> list[str]:
    """Models that are small enough to guess for this one: at most a quarter of its weights."""
    models = catalog.models()
    if model not in models:
        return []
    most = models[model].weight_bytes // 4
    small = [name for name, each in models.items() if each.weight_bytes <= most]
    return sorted(small, key=lambda name: (models[name].weight_bytes, name))[:MAX_DRAFT_MODELS]


def _allowed(drafts: list[str]) -> dict[str, int]:
    """Every machine that can be of use here."""
    named = {kind: set(_settings(drafts).get(kind, {})) for kind in PLACED}
    kinds = [kind for kind in PLACED if named[kind] >= set(NEEDED.get(kind, ()))]
    return {kind: MAX_OF_A_KIND for kind in kinds if kind != "draft_model" or drafts}


def _settings(drafts: list[str]) -> dict[str, dict[str, Setting]]:
    found = {kind: dict(settings) for kind, settings in _SETTINGS.items()}
    if drafts:
        found["draft_model"]["model"] = Setting(0, 0, len(drafts) - 1, choices=drafts)
    return found
