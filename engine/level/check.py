"""Everything that is wrong with a level, at once. What passes can be built, simulated and shown, and ends."""

from __future__ import annotations

from collections.abc import Mapping

import simpy

from engine import catalog
from engine.errors import EngineError
from engine.floor.floor import Floor
from engine.floor.geometry import rectangle
from engine.floor.kinds import KINDS, Stand
from engine.floor.layout import layout_from_data
from engine.floor.machines.base import STATES
from engine.floor.site import Site
from engine.level.check_traffic import check_traffic
from engine.level.check_words import check_hooks, check_lessons, check_texts
from engine.level.data import Malformed, level_from_data, level_to_data
from engine.level.goals import METRICS, OF_A_TENANT, OF_TENANTS
from engine.level.problems import Problem, Problems
from engine.level.rules import (
    DOCKS,
    FROM_ZERO,
    MAX_APIS,
    MAX_DOCKS,
    MAX_DRAFT_MODELS,
    MAX_END_S,
    MAX_GOALS,
    MAX_MODELS,
    MAX_OF_A_KIND,
    MAX_PADS,
    MAX_PREFIXES,
    MAX_SIDE,
    MAX_TENANTS,
    NEEDED,
    PLACED,
    SETTINGS,
)
from engine.level.spec import CHOICE, CONTIGUOUS, OWNED, RENTED, RESERVED, Goal, Level, Setting
from engine.metrics.ledger import Ledger
from engine.traffic.trace import MAX_TOKENS

STAR_METRICS = (*METRICS, "usd_per_mtok", "j_per_token")


def check_level(level: Level) -> list[Problem]:
    """All that is wrong with a level; nothing for one that can be played."""
    try:
        level_from_data(level_to_data(level))
    except Malformed as error:
        return error.problems
    except EngineError as error:
        return [Problem("interface", error.code, error.params)]
    except Exception as error:  # a value of no kind that data can be
        return [Problem("", "data.field", {"detail": f"{type(error).__name__}: {error}"[:200]})]
    problems = Problems()
    _check_frame(level, problems)
    _check_floor(level, problems)
    _check_streams(level, problems)
    _check_rules(level, problems)
    _check_serving(level, problems)
    check_lessons(level, problems)
    check_texts(level, problems)
    check_hooks(level, problems)
    if not problems.found:
        _check_layouts(level, problems)
    return problems.found


def _check_frame(level: Level, problems: Problems) -> None:
    problems.key("id", level.id)
    problems.number("number", level.number, 0, 9999)
    problems.number("end_s", level.end_s, 1, MAX_END_S)
    problems.number("warmup_s", level.warmup_s, 0, max(level.end_s - 1, 0))


def _check_floor(level: Level, problems: Problems) -> None:
    sides = [problems.number(name, value, 1, MAX_SIDE) for name, value in _sides(level).items()]
    problems.known("model", level.model, catalog.models())
    problems.known("link", level.link, catalog.links())
    gpus = list(catalog.gpus())
    if not problems.count("pads", level.pads, 1, MAX_PADS) or not problems.count("docks", level.docks, 2, MAX_DOCKS):
        return
    taken: dict[tuple[int, int], str] = {}
    for index, pad in enumerate(level.pads):
        field = f"pads[{index}]"
        problems.known(f"{field}.gpu", pad.gpu, gpus)
        fits = problems.number(f"{field}.width", pad.width, 1, MAX_SIDE)
        if problems.number(f"{field}.height", pad.height, 1, MAX_SIDE) and fits and all(sides):
            _occupy(level, problems, field, (pad.x, pad.y, pad.width, pad.height), taken)
    taken = {}
    for index, dock in enumerate(level.docks):
        field = f"docks[{index}]"
        fits = problems.known(f"{field}.kind", dock.kind, DOCKS)
        if problems.number(f"{field}.rotation", dock.rotation, 0, 3) and fits and all(sides):
            size = Stand(KINDS[dock.kind], dock.x, dock.y, dock.rotation).size
            _occupy(level, problems, field, (dock.x, dock.y, *size), taken)
    for kind in DOCKS:
        if all(dock.kind != kind for dock in level.docks):
            problems.add("docks", "check.missing", name=kind)


def _sides(level: Level) -> dict[str, int]:
    return {"width": level.width, "height": level.height}


def _occupy(
    level: Level, problems: Problems, field: str, area: tuple[int, int, int, int], taken: dict[tuple[int, int], str]
) -> None:
    """Whether an area lies on the floor, where nothing else of its sort does."""
    x, y, width, height = area
    if x < 0 or y < 0 or x + width > level.width or y + height > level.height:
        problems.add(field, "check.outside", width=level.width, height=level.height)
        return
    tiles = list(rectangle(x, y, width, height))
    others = [taken[tile] for tile in tiles if tile in taken]
    if others:
        problems.add(field, "check.overlap", other=others[0])
    taken.update(dict.fromkeys(tiles, field))


def _check_streams(level: Level, problems: Problems) -> None:
    """What comes, and from whom."""
    if (level.traffic is None) != bool(level.tenants):
        problems.add("traffic", "check.streams")
        return
    if level.traffic is not None:
        check_traffic(level.traffic, problems, "traffic", len(level.docks) * level.end_s)
    seen: set[str] = set()
    if problems.count("tenants", level.tenants, 0, MAX_TENANTS):
        for index, tenant in enumerate(level.tenants):
            field = f"tenants[{index}]"
            if problems.name(f"{field}.id", tenant.id):
                problems.once(f"{field}.id", tenant.id, seen)
            check_traffic(tenant.traffic, problems, f"{field}.traffic", len(level.docks) * level.end_s)
            for name in ("ttft_s", "tpot_s", "e2e_s"):
                problems.number(f"{field}.{name}", getattr(tenant, name), 0, MAX_END_S)
            problems.number(f"{field}.prefix_tokens", tenant.prefix_tokens, 0, tenant.traffic.prompt.low)
            problems.number(f"{field}.prefixes", tenant.prefixes, 1, MAX_PREFIXES)
            problems.one(f"{field}.benchmark", tenant.benchmark, catalog.benchmarks())
            problems.number(f"{field}.quality", tenant.quality, 0, 100)
            problems.number(f"{field}.share", tenant.share, 0, 1)


def _check_rules(level: Level, problems: Problems) -> None:
    for kind, most in level.allowed.items():
        if problems.known(f"allowed.{kind}", kind, PLACED):
            problems.number(f"allowed.{kind}", most, 0, MAX_OF_A_KIND)
        for name in NEEDED.get(kind, ()):
            if name not in level.settings.get(kind, {}):
                problems.add(f"settings.{kind}", "check.missing", name=name)
    for kind, settings in level.settings.items():
        if not problems.known(f"settings.{kind}", kind, SETTINGS):
            continue
        for name, setting in settings.items():
            if problems.known(f"settings.{kind}.{name}", name, SETTINGS[kind]):
                _check_setting(level, name, setting, SETTINGS[kind][name], problems, f"settings.{kind}.{name}")
    if problems.count("goals", level.goals, 0, MAX_GOALS):
        seen: set[str] = set()
        for index, goal in enumerate(level.goals):
            _check_goal(level, goal, METRICS, problems, f"goals[{index}]")
            problems.once(f"goals[{index}].metric", goal.name, seen)
    if level.stars is not None:
        _check_goal(level, level.stars.latency, STAR_METRICS, problems, "stars.latency")
        _check_goal(level, level.stars.cost, STAR_METRICS, problems, "stars.cost")


def _check_setting(level: Level, name: str, setting: Setting, most: int, problems: Problems, field: str) -> None:
    least = 0 if name in FROM_ZERO else 1
    if name == "model":
        models = level.models if field.startswith("settings.model_server") else level.draft_models
        most = max(len(models) - 1, 0)
    elif name == "offer":
        most = max(len(level.apis) - 1, 0)
    fits = problems.number(f"{field}.low", setting.low, least, most)
    if problems.number(f"{field}.high", setting.high, least, most) and fits:
        problems.number(f"{field}.value", setting.value, setting.low, setting.high)
    if setting.choices and problems.count(f"{field}.choices", setting.choices, 1, 100):
        values = setting.high - setting.low + 1
        problems.count(f"{field}.choices", setting.choices, values, values)
        for index, choice in enumerate(setting.choices):
            problems.text(f"{field}.choices[{index}]", choice, 60)


def _check_goal(level: Level, goal: Goal, metrics: tuple[str, ...], problems: Problems, field: str) -> None:
    problems.known(f"{field}.metric", goal.metric, metrics)
    problems.one(f"{field}.tenant", goal.tenant, [tenant.id for tenant in level.tenants])
    if goal.tenant:
        problems.known(f"{field}.metric", goal.metric, OF_A_TENANT)
    if goal.metric in OF_TENANTS and not level.tenants:
        problems.add(f"{field}.metric", "check.missing", name="tenants")
    problems.number(f"{field}.target", goal.target, 0, 1e12)


def _check_serving(level: Level, problems: Problems) -> None:
    problems.number("memory_utilization", level.memory_utilization, 0.01, 1)
    problems.known("kv_memory", level.kv_memory, (RESERVED, CONTIGUOUS))
    problems.number("max_model_len", level.max_model_len, 1 if level.kv_memory == CONTIGUOUS else 0, MAX_TOKENS)
    problems.number("admission_reserve", level.admission_reserve, 0, 1)
    problems.number("draft_pass_s", level.draft_pass_s, 0, 1)
    problems.number("acceptance", level.acceptance, 0, 1)
    models = list(catalog.models())
    if problems.count("draft_models", level.draft_models, 0, MAX_DRAFT_MODELS):
        for index, model in enumerate(level.draft_models):
            problems.known(f"draft_models[{index}]", model, models)
    if problems.count("models", level.models, 0, MAX_MODELS):
        for index, model in enumerate(level.models):
            problems.known(f"models[{index}]", model, models)
    if level.allowed.get("draft_model") and not level.draft_models:
        problems.add("draft_models", "check.missing", name="draft_model")
    _check_supply(level, problems)


def _check_supply(level: Level, problems: Problems) -> None:
    """Who pays what."""
    if problems.count("apis", level.apis, 0, MAX_APIS):
        for index, api in enumerate(level.apis):
            problems.known(f"apis[{index}]", api, catalog.apis())
    if level.allowed.get("api_port") and not level.apis:
        problems.add("apis", "check.missing", name="api_port")
    supply = level.supply
    if supply is None:
        return
    problems.known("supply.place", supply.place, catalog.places())
    if problems.count("supply.pads", supply.pads, len(level.pads), len(level.pads)):
        for index, (way, pad) in enumerate(zip(supply.pads, level.pads, strict=True)):
            problems.known(f"supply.pads[{index}]", way, (OWNED, RENTED, CHOICE))
            card = catalog.gpus().get(pad.gpu)
            if way != RENTED and card is not None and card.price_usd is None:
                problems.add(f"supply.pads[{index}]", "supply.no_price", gpu=pad.gpu)


def _check_layouts(level: Level, problems: Problems) -> None:
    """Whether what the level says can be built; only asked when all else is right."""
    layouts: Mapping[str, dict[str, object]] = {"reference": level.reference, "naive": level.naive}
    for field, data in layouts.items():
        try:
            site = Site(level, Floor(level, Ledger(0)), simpy.Environment())
            if data:
                site.build(layout_from_data(data))
        except EngineError as error:
            problems.add(field, error.code, **error.params)
    if level.naive_fails:
        problems.known("naive_fails", level.naive_fails, (*(goal.name for goal in level.goals), *STATES))
