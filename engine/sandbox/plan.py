"""A floor of the player's choice: a few figures from which a level without a goal is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from engine import catalog
from engine.errors import EngineError
from engine.floor.layout import strict_converter
from engine.level.check import check_level
from engine.level.data import Malformed, traffic_from_data, traffic_to_data
from engine.level.problems import Problem
from engine.level.rules import (
    MAX_APIS,
    MAX_DRAFT_MODELS,
    MAX_MODELS,
    MAX_OF_A_KIND,
    MAX_PADS,
    MAX_TENANTS,
    NEEDED,
    PLACED,
)
from engine.level.spec import CHOICE, OWNED, RENTED, Dock, Level, PadSpec, Setting, Supply, Tenant
from engine.traffic.kinds import AnyTraffic
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
WAYS = (RENTED, OWNED, CHOICE)
"""How cards may be paid."""
TENANTS = [chr(ord("a") + index) for index in range(MAX_TENANTS)]
"""Who asks, by the order of the streams."""
_SETTINGS: dict[str, dict[str, Setting]] = {
    "prefill_core": {"max_num_batched_tokens": Setting(4096, 256, 16384)},
    "decode_core": {"max_num_seqs": Setting(16, 1, 256)},
    "page_allocator": {"block_size": Setting(16, 1, 128)},
    "draft_model": {"num_speculative_tokens": Setting(4, 1, 10)},
    "model_server": {"max_num_seqs": Setting(16, 1, 256), "max_num_batched_tokens": Setting(8192, 256, 16384)},
    "chunker": {"chunk_tokens": Setting(512, 128, 8192)},
    "router": {"policy": Setting(0, 0, 2), "fallback": Setting(0, 0, 3)},
}
"""What can be set of each machine, beside what depends on models, offers and tenants."""


@frozen
class Stream:
    """Requests of one application."""

    traffic: dict[str, Any] = field(factory=lambda: traffic_to_data(_DEFAULT))
    """As `engine.level.data` writes traffic ..."""
    trace: str = ""
    """... or, where a name stands here, the trace of that name in the player's folder."""
    prefix_tokens: int = 0
    """Tokens that all its prompts have in common."""
    ttft_ms: int = 0
    """Deadline of the first token; 0: none."""
    tpot_ms: int = 0
    """Deadline of the time per token after it; 0: none."""


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
    supply: str = RENTED
    """How the cards are paid: `rented`, `owned`, or a `choice` at each Model Server."""
    minutes: int = 30
    """Simulated time until the run ends."""
    streams: list[Stream] = field(factory=lambda: [Stream()])
    """At every Prompt Dock, each by a tenant of its own; what makes no difference has no name."""


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


def _no_trace(name: str) -> AnyTraffic:
    raise EngineError("trace.missing", path=name[:80], detail="")


def room(width: int, height: int) -> int:
    """How many cards a floor has room for."""
    return _columns(width) * _lines(height)


def level_of(plan: Plan, traces: Callable[[str], AnyTraffic] = _no_trace) -> Level:
    """The level of a plan; not checked yet. EngineError `sandbox.*` where the floor has not the room for it.

    `traces` gives those that streams name.
    """
    if not 1 <= len(plan.cards) <= min(room(plan.width, plan.height), MAX_PADS):
        raise EngineError("sandbox.room", most=min(room(plan.width, plan.height), MAX_PADS))
    if not 1 <= plan.docks <= min(MOST_DOCKS, plan.height // DOCK):
        raise EngineError("sandbox.docks", most=min(MOST_DOCKS, plan.height // DOCK))
    if not 1 <= len(plan.streams) <= MAX_TENANTS:
        raise EngineError("sandbox.streams", most=MAX_TENANTS)
    if plan.supply not in WAYS:
        raise EngineError("check.unknown", value=plan.supply[:40], known=", ".join(WAYS))
    drafts, models, apis = _drafts(plan.model), _models(plan.model), list(catalog.apis())[:MAX_APIS]
    tenants = [_tenant(id, stream, traces) for id, stream in zip(TENANTS, plan.streams, strict=False)]
    alone = len(tenants) == 1 and tenants[0] == Tenant(tenants[0].id, tenants[0].traffic)
    settings = _settings(drafts, models, apis, 0 if alone else len(tenants))
    if plan.supply == CHOICE:
        settings["model_server"]["supply"] = Setting(0, 0, 1)
    return Level(
        number=0,
        id=ID,
        width=plan.width,
        height=plan.height,
        model=plan.model,
        link=plan.link,
        pads=_pads(plan),
        docks=[*_docks("prompt_dock", 0, plan), *_docks("token_dock", plan.width - DOCK, plan)],
        traffic=tenants[0].traffic if alone else None,
        tenants=[] if alone else tenants,
        models=models,
        apis=apis,
        supply=Supply([plan.supply] * len(plan.cards)),
        allowed=_allowed(drafts, settings),
        settings=settings,
        goals=[],
        warmup_s=0,
        end_s=plan.minutes * 60,
        draft_models=drafts,
        acceptance=plan.acceptance_percent / 100,
    )


def problems(plan: Plan, traces: Callable[[str], AnyTraffic] = _no_trace) -> tuple[Level | None, list[Problem]]:
    """The level of a plan, and all that is wrong with it (None: there can be none)."""
    try:
        level = level_of(plan, traces)
    except Malformed as error:
        return None, error.problems
    except EngineError as error:
        return None, [Problem("", error.code, error.params)]
    return level, check_level(level)


def _tenant(id: str, stream: Stream, traces: Callable[[str], AnyTraffic]) -> Tenant:
    return Tenant(
        id,
        traces(stream.trace) if stream.trace else traffic_from_data(stream.traffic),
        ttft_s=stream.ttft_ms / 1000,
        tpot_s=stream.tpot_ms / 1000,
        prefix_tokens=stream.prefix_tokens,
    )


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


def _models(model: str) -> list[str]:
    """Models that a Model Server may serve: the plan's first, then those nearest to it in weight, the lighter first."""
    models = catalog.models()
    if model not in models:
        return []
    apart = {name: abs(each.weight_bytes - models[model].weight_bytes) for name, each in models.items()}
    near = sorted((name for name in models if name != model), key=lambda name: (apart[name], name))[: MAX_MODELS - 1]
    return [model, *sorted(near, key=lambda name: (models[name].weight_bytes, name))]


def _allowed(drafts: list[str], settings: dict[str, dict[str, Setting]]) -> dict[str, int]:
    """Every machine that can be of use here."""
    kinds = [kind for kind in PLACED if set(settings.get(kind, {})) >= set(NEEDED.get(kind, ()))]
    return {kind: MAX_OF_A_KIND for kind in kinds if kind != "draft_model" or drafts}


def _settings(drafts: list[str], models: list[str], apis: list[str], tenants: int) -> dict[str, dict[str, Setting]]:
    """Of kinds that there are; those of gateways and routers for each tenant."""
    found = {kind: dict(settings) for kind, settings in _SETTINGS.items() if kind in PLACED}
    for kind, name, choices in (("draft_model", "model", drafts), ("model_server", "model", models)):
        if choices and kind in found:
            found[kind][name] = Setting(0, 0, len(choices) - 1, choices=choices)
    if apis:
        found["api_port"] = {"offer": Setting(0, 0, len(apis) - 1, choices=apis)}
    for index in range(tenants):
        gateway = found.setdefault("gateway", {})
        gateway[f"quota_{index}"] = Setting(0, 0, 6000)
        gateway[f"priority_{index}"] = Setting(0, 0, 3)
        found["router"][f"way_{index}"] = Setting(0, 0, 3)
    return found
