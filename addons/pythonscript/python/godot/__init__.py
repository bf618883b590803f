"""What scripts import: `from godot import exposed, export, signal, Node`.

Every class and singleton of Godot's is here by its name (`Node2D`, `Timer`, `OS`, `Input`), built when it is first
asked for. Works only inside Godot.
"""

from typing import Any

from pythonscript.exposing import export, exposed, signal
from pythonscript.objects import Object, find_class, find_singleton
from pythonscript.pool import GDBytes, PoolByteArray
from pythonscript.strings import GDString
from pythonscript.values import Color, NodePath, Rect2, Vector2, Vector3

Array = list
Dictionary = dict

__all__ = [
    "Array",
    "Color",
    "Dictionary",
    "GDBytes",
    "GDString",
    "NodePath",
    "Object",
    "PoolByteArray",
    "Rect2",
    "Vector2",
    "Vector3",
    "export",
    "exposed",
    "signal",
]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    member = find_singleton(name)
    if member is None:
        member = find_class(name)
    globals()[name] = member
    return member
