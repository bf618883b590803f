"""A level as plain data: what a worker sends, a recording keeps and a save holds. The code of hooks is not in it.

Conditions, traffic, hooks and effects are maps with their kind under `is`, by the names that scripts use.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import UnionType
from typing import Any, TypeVar, get_args

import attrs
from cattrs import Converter, transform_error
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from engine.errors import EngineError
from engine.floor.layout import strict_converter
from engine.level.hook import At, ChangeTraffic, Effect, Every, Hook, On, Run
from engine.level.lessons import AllOf, AnyOf, Condition, Linked, Placed, Step
from engine.level.problems import Problem
from engine.level.spec import Goal, Level
from engine.level.versions import upgraded
from engine.traffic.kinds import AnyTraffic
from engine.traffic.trace import TraceTraffic
from engine.traffic.traffic import Lengths

KIND = "is"
_MOST_SHOWN = 50
_NEWER: dict[type[Any], tuple[str, ...]] = {
    Lengths: ("deciles",),
    Goal: ("tenant",),
    ChangeTraffic: ("tenant",),
    Placed: ("least",),
    Linked: ("least",),
    Level: ("tenants", "models", "apis", "supply"),
}
"""Fields that are left out where no use is made of them: the data is what it was without them."""
_T = TypeVar("_T")


class Malformed(EngineError):
    """Data that has not the form of what it should be; `problems` are all that is wrong with it."""

    def __init__(self, what: str, problems: list[Problem]) -> None:
        self.problems = problems
        first = problems[0]
        detail = str(first.params.get("detail", first.code))
        super().__init__("data.malformed", what=what, field=first.field, detail=detail)


# -- levels ------------------------------------------------------------------------------------------------------------


def level_to_data(level: Level) -> dict[str, Any]:
    """A level as maps, lists, strings, numbers and None."""
    data: dict[str, Any] = _CONVERTER.unstructure(level, Level)
    return data


def level_from_data(data: Any) -> Level:
    """The level of `level_to_data`, its hooks without code. EngineError `level.interface_*`, or `Malformed` with all
    that is wrong. What it says is not checked yet: that is `engine.level.check`.
    """
    if not isinstance(data, dict):
        raise Malformed("level", [Problem("", "data.field", {"detail": "expected a map"})])
    return _structure(upgraded(data), Level, "level")


# -- what goes between a game and its hooks ----------------------------------------------------------------------------


def effects_to_data(effects: Iterable[Effect]) -> list[dict[str, Any]]:
    """Effects as plain data."""
    return [_CONVERTER.unstructure(effect, Effect) for effect in effects]


def effects_from_data(data: Any) -> list[Effect]:
    """The effects of `effects_to_data`; `Malformed` when they are none."""
    if not isinstance(data, list):
        raise Malformed("effects", [Problem("", "data.field", {"detail": "expected a list"})])
    return _structure(data, list[Effect], "effects")


def run_to_data(run: Run) -> dict[str, Any]:
    """What a hook is told, as plain data."""
    data: dict[str, Any] = _CONVERTER.unstructure(run, Run)
    return data


def run_from_data(data: Any) -> Run:
    """The figures of `run_to_data`; `Malformed` when they are none."""
    return _structure(data, Run, "run")


def traffic_to_data(traffic: AnyTraffic) -> dict[str, Any]:
    """Traffic as plain data."""
    data: dict[str, Any] = _CONVERTER.unstructure(traffic, AnyTraffic)
    return data


def traffic_from_data(data: Any) -> AnyTraffic:
    """The traffic of `traffic_to_data`; `Malformed` when it is none."""
    return _structure(data, AnyTraffic, "traffic")  # type: ignore[arg-type]


# -- inside ------------------------------------------------------------------------------------------------------------


def _structure(data: Any, kind: type[_T], what: str) -> _T:
    try:
        return _CONVERTER.structure(data, kind)
    except Exception as error:
        raise Malformed(what, _problems(error)) from error


def _problems(error: Exception) -> list[Problem]:
    """Where, and what: cattrs says "invalid type, expected int @ $.pads[0].x"."""
    try:
        lines = transform_error(error)
    except Exception:  # too deep to be told
        lines = [type(error).__name__]
    found = []
    for line in lines[:_MOST_SHOWN]:
        detail, _, where = line.rpartition(" @ $")
        found.append(Problem(where.lstrip(".")[:200], "data.field", {"detail": (detail or line)[:200]}))
    return found


def _converter() -> Converter:
    converter = strict_converter()
    for holder in (AllOf, AnyOf, Step):
        attrs.resolve_types(holder)
    for kind in (Lengths, Goal, Placed, Linked):
        _register(converter, kind, _newer(kind))
    trace = {"prompt": override(omit=True), "output": override(omit=True)}
    _register(converter, TraceTraffic, trace)
    for hook in (Every, At, On):
        _register(converter, hook, {"do": override(omit=True)})
    for union in (Condition, AnyTraffic, AnyTraffic | None, Hook, Effect):
        _tag(converter, union)
    converter.register_structure_hook_func(lambda kind: kind == str | dict[str, str], _texts)
    _register(converter, ChangeTraffic, _newer(ChangeTraffic))
    _register(converter, Level, {"script": override(omit=True), **_newer(Level)})
    return converter


def _newer(kind: type[Any]) -> dict[str, Any]:
    return {name: override(omit_if_default=True) for name in _NEWER[kind]}


def _register(converter: Converter, kind: type[Any], overrides: dict[str, Any]) -> None:
    structure = make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=True, **overrides)
    converter.register_structure_hook(kind, structure)
    converter.register_unstructure_hook(kind, make_dict_unstructure_fn(kind, converter, **overrides))


def _tag(converter: Converter, union: UnionType | Any) -> None:
    """A union of classes is a map that names the class."""
    kinds: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(union)}
    none = kinds.pop("NoneType", None)

    def structure(data: Any, _: Any) -> Any:
        if data is None and none:
            return None
        if not isinstance(data, dict):
            raise TypeError(f"expected a map with '{KIND}'")
        fields = dict(data)
        name = fields.pop(KIND, None)
        if not isinstance(name, str) or name not in kinds:
            raise ValueError(f"'{KIND}' is one of {', '.join(kinds)}")
        return converter.structure(fields, kinds[name])

    def unstructure(value: Any) -> Any:
        if value is None:
            return None
        return {KIND: type(value).__name__, **converter.unstructure(value)}

    def is_union(kind: Any) -> bool:
        return bool(kind == union)

    converter.register_structure_hook_func(is_union, structure)
    converter.register_unstructure_hook_func(is_union, unstructure)


def _texts(value: Any, _: Any) -> Any:
    words = isinstance(value, dict) and all(type(key) is type(text) is str for key, text in value.items())
    if not words and type(value) is not str:
        raise TypeError("expected a code, or texts by language")
    return value


_CONVERTER: Converter = _converter()
