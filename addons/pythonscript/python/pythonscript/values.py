"""Godot's small value types as Python's own: they compare, hash, unpack and print like tuples."""

import ctypes
from typing import Any, NamedTuple

from . import api
from .layout import ColorFloats, Rect2Floats, Vector2Floats, Vector3Floats


class Vector2(NamedTuple):
    """A point or a size in the plane."""

    x: float = 0.0
    y: float = 0.0


class Vector3(NamedTuple):
    """A point or a size in space."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class Rect2(NamedTuple):
    """A rectangle: its least corner and its size."""

    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0


class Color(NamedTuple):
    """A colour, each part from 0 to 1."""

    r: float = 0.0
    g: float = 0.0
    b: float = 0.0
    a: float = 1.0


class NodePath(str):
    """A path to a node. It is a `str`."""

    __slots__ = ()


def floats_reader(function: str, value_type: Any) -> Any:
    """A function that reads the Variant at an address as a value of `value_type`, through Godot's `function`."""
    read = getattr(api, function)

    def reader(address: int) -> Any:
        floats = read(address)
        return value_type(*(getattr(floats, name) for name, _ in floats._fields_))

    return reader


def floats_writer(function: str, floats_type: Any) -> Any:
    """A function that writes a tuple of floats into the Variant at an address, through Godot's `function`."""
    write = getattr(api, function)

    def writer(value: Any, address: int) -> None:
        write(address, ctypes.byref(floats_type(*value)))

    return writer


# value type: (Variant type, function name, structure)
FLOAT_TYPES: dict[Any, tuple[int, str, Any]] = {
    Vector2: (5, "vector2", Vector2Floats),
    Rect2: (6, "rect2", Rect2Floats),
    Vector3: (7, "vector3", Vector3Floats),
    Color: (14, "color", ColorFloats),
}
