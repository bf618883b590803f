"""What a player has built, as data: the one schema for `--layout`, reference layouts, blueprints and saves.

A machine is named by its origin, so that a layout says nothing of ids or of the order in which things were built.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import cattrs
import msgpack
from attrs import field, frozen
from cattrs import transform_error

from engine.errors import EngineError

LAYOUT_VERSION = 1
MAX_JSON_BYTES = 1_000_000
MAX_MACHINES = 500
MAX_BELTS = 500
MAX_TILES = 20_000


def strict_converter() -> cattrs.Converter:
    """A converter that takes no unknown keys and turns nothing into an int, a number or a str that is none."""
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(float, _finite)
    for kind in (int, str, bool):
        converter.register_structure_hook(kind, _exactly(kind))
    converter.register_structure_hook_func(lambda kind: kind == int | float | str, _plain)
    return converter


def _finite(value: Any, _: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise TypeError("expected a finite number")
    return float(value)


def _plain(value: Any, _: Any) -> Any:
    if type(value) not in (int, float, str) or (type(value) is float and not math.isfinite(value)):
        raise TypeError("expected a finite number or a text")
    return value


def _exactly(kind: type) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
        return value

    return structure


@frozen
class PlacedMachine:
    """A machine that the player placed."""

    kind: str
    x: int
    y: int
    rotation: int = 0
    settings: dict[str, int] = field(factory=dict)


@frozen
class PlacedEnd:
    """A port of the machine whose origin is (x, y)."""

    x: int
    y: int
    port: str


@frozen
class PlacedBelt:
    """A belt and its ends."""

    tiles: list[list[int]]
    source: PlacedEnd
    target: PlacedEnd


@frozen
class Layout:
    """Machines and belts of one level; docks belong to the level and are not in it."""

    machines: list[PlacedMachine] = field(factory=list)
    belts: list[PlacedBelt] = field(factory=list)
    version: int = LAYOUT_VERSION


_PLAIN = frozenset((int, str, bool, type(None)))
"""Most of a state, whose hash is found while the game is saved."""
_CONVERTER = strict_converter()
_NAMES = {"from": "source", "to": "target"}


def _renamed(belt: Any, names: dict[str, str]) -> Any:
    return {names.get(key, key): value for key, value in belt.items()} if isinstance(belt, dict) else belt


def layout_from_data(data: Any) -> Layout:
    """A layout from plain data (parsed JSON or MessagePack); EngineError `layout.*` says what is wrong."""
    if not isinstance(data, dict):
        raise EngineError("layout.malformed", detail="expected an object")
    if data.get("version") != LAYOUT_VERSION:
        raise EngineError("layout.version", version=str(data.get("version"))[:20], known=LAYOUT_VERSION)
    machines, belts = data.get("machines", []), data.get("belts", [])
    if not isinstance(machines, list) or not isinstance(belts, list):
        raise EngineError("layout.malformed", detail="machines and belts are lists")
    if len(machines) > MAX_MACHINES or len(belts) > MAX_BELTS:
        raise EngineError("layout.too_large", machines=MAX_MACHINES, belts=MAX_BELTS)
    plain = {**data, "belts": [_renamed(belt, _NAMES) for belt in belts]}
    try:
        layout = _CONVERTER.structure(plain, Layout)
    except Exception as error:
        raise EngineError("layout.malformed", detail="; ".join(transform_error(error))[:300]) from error
    tiles = 0
    for belt in layout.belts:
        tiles += len(belt.tiles)
        if any(len(tile) != 2 for tile in belt.tiles):
            raise EngineError("layout.malformed", detail="a tile is [x, y]")
    if tiles > MAX_TILES:
        raise EngineError("layout.too_large", machines=MAX_MACHINES, belts=MAX_BELTS)
    return layout


def layout_from_json(text: str | bytes) -> Layout:
    """A layout from JSON text of limited size."""
    if len(text) > MAX_JSON_BYTES:
        raise EngineError("layout.too_large", machines=MAX_MACHINES, belts=MAX_BELTS)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EngineError("layout.malformed", detail=f"no JSON: {error}") from error
    return layout_from_data(data)


def layout_to_data(layout: Layout) -> dict[str, Any]:
    """The layout as plain data, in a canonical order."""
    data: dict[str, Any] = cattrs.unstructure(layout)
    backwards = {name: key for key, name in _NAMES.items()}
    data["machines"].sort(key=lambda machine: (machine["x"], machine["y"]))
    data["belts"] = [_renamed(belt, backwards) for belt in sorted(data["belts"], key=lambda belt: belt["tiles"])]
    return data


def layout_hash(layout: Layout) -> str:
    """Equal for equal layouts, however they were built."""
    return canonical_hash(layout_to_data(layout))


def canonical_hash(data: Any) -> str:
    """BLAKE2b over canonical MessagePack: maps sorted by key; integers, strings, bools, None, lists and maps only."""
    return hashlib.blake2b(msgpack.packb(_canonical(data), use_bin_type=True), digest_size=16).hexdigest()


def _canonical(data: Any) -> Any:
    if isinstance(data, dict):
        pairs = ((key, data[key]) for key in sorted(data))
        return {key: value if type(value) in _PLAIN else _canonical(value) for key, value in pairs}
    if isinstance(data, list | tuple):
        return [item if type(item) in _PLAIN else _canonical(item) for item in data]
    if data is None or isinstance(data, int | str):
        return data
    raise TypeError(f"{type(data).__name__} has no place in a hash")
