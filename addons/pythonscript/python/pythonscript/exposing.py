"""What a script says about its class: `exposed`, `export` and `signal`."""

import copy
from collections.abc import Callable
from typing import Any

from . import pool, values
from .objects import GodotClass, Object
from .strings import GDString

# The class that each module exposes: one a file.
EXPOSED: dict[str, type] = {}
TOOLS: set[type] = set()

_VARIANT_TYPES: dict[Any, int] = {
    bool: 1,
    int: 2,
    float: 3,
    str: 4,
    GDString: 4,
    values.NodePath: 15,
    dict: 18,
    list: 19,
    bytes: 20,
    pool.PoolByteArray: 20,
    **{value_type: number for value_type, (number, _, _) in values.FLOAT_TYPES.items()},
}
_TYPE_OBJECT = 17
_HINT_RESOURCE_TYPE = 17
_USAGE_DEFAULT = 7
_USAGE_SCRIPT_VARIABLE = 8192


def exposed(cls: Any = None, *, tool: bool = False) -> Any:
    """Mark the class that a file offers to Godot: `@exposed` or `@exposed(tool=True)`."""

    def mark(cls: type) -> type:
        if not isinstance(cls, GodotClass):
            raise TypeError(f"{cls.__name__} has to derive from one of Godot's classes to be exposed, such as Node")
        other = EXPOSED.get(cls.__module__)
        if other is not None and other.__qualname__ != cls.__qualname__:
            raise TypeError(f"{cls.__module__} exposes {other.__qualname__} and {cls.__qualname__}: one a file")
        EXPOSED[cls.__module__] = cls
        if tool:
            TOOLS.add(cls)
        return cls

    return mark if cls is None else mark(cls)


class ExportField:
    """A member that the editor shows and scenes store; also a decorator of properties."""

    def __init__(self, value_type: Any, default: Any, hint: int, hint_string: str) -> None:
        if isinstance(value_type, GodotClass):
            self.variant_type, self.hint, self.hint_string = _TYPE_OBJECT, _HINT_RESOURCE_TYPE, value_type.__name__
        elif value_type in _VARIANT_TYPES:
            self.variant_type, self.hint, self.hint_string = _VARIANT_TYPES[value_type], hint, hint_string
        else:
            raise TypeError(f"export() cannot show a {getattr(value_type, '__name__', value_type)}")
        self.default = default
        self.property: property | None = None

    def __call__(self, getter: Any) -> "ExportField":
        """Use as a decorator above `@property`."""
        self.property = getter if isinstance(getter, property) else property(getter)
        return self

    def setter(self, function: Callable[[Any, Any], None]) -> "ExportField":
        """The setter of an exported property."""
        if self.property is None:
            raise TypeError("setter needs an exported property")
        self.property = self.property.setter(function)
        return self

    def __get__(self, instance: Any, _owner: Any = None) -> Any:
        # Reached only where an instance has no value of its own: on the class.
        return self if instance is None else self.default

    def first_value(self) -> Any:
        """The value of a new instance: a copy, so that instances do not share a list."""
        return copy.copy(self.default)

    def describe(self, name: str) -> dict[str, Any]:
        """Godot's description of the property."""
        return {
            "name": name,
            "type": self.variant_type,
            "hint": self.hint,
            "hint_string": self.hint_string,
            "usage": _USAGE_DEFAULT | _USAGE_SCRIPT_VARIABLE,
            "default_value": self.default,
            "rset_mode": 0,
        }


def export(type: Any, default: Any = None, hint: int = 0, hint_string: str = "") -> Any:  # noqa: A002
    """A member that the editor shows and scenes store: `speed = export(float, default=1.0)`.

    `hint` and `hint_string` are Godot's PROPERTY_HINT number and its text.
    """
    return ExportField(type, default, hint, hint_string)


class SignalField:
    """A signal of a script, emitted with `self.call("emit_signal", name, ...)`."""

    def __init__(self, name: str | None) -> None:
        self.name = name

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = self.name or name


def signal(name: str | None = None) -> Any:
    """A signal named as the member that it is assigned to: `finished = signal()`."""
    return SignalField(name)


def own_members(cls: type) -> dict[str, Any]:
    """The members that scripts define for a class, inherited ones included; not the engine's, nor `__names__`."""
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base is object or base is Object or (isinstance(base, GodotClass) and base.engine_class() is base):
            continue
        members.update((name, member) for name, member in vars(base).items() if not name.startswith("__"))
    return members
