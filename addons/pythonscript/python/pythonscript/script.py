"""A script: the class that a `.py` file exposes, and what Godot is told of it."""

import ctypes
import importlib
import sys
from types import FunctionType
from typing import Any

from . import convert
from .exposing import EXPOSED, TOOLS, ExportField, SignalField, own_members
from .layout import Manifest
from .objects import bind_owner
from .strings import new_string_name

_METHOD_FLAG_NORMAL = 1


class NotExposedError(ImportError):
    """A `.py` file without an exposed class: a plain module, which cannot be bound to a node."""


class Script:
    """A loaded `.py` file."""

    def __init__(self, path: str, reload: bool) -> None:
        self.path = path
        self.cls: Any = _load_class(path, reload)
        members = own_members(self.cls)
        self.exports = {name: member for name, member in members.items() if isinstance(member, ExportField)}
        self.signals = [member.name for member in members.values() if isinstance(member, SignalField)]
        self.methods = {
            name: member
            for name, member in members.items()
            if isinstance(member, (FunctionType, staticmethod, classmethod))
        }
        # Plain members, which Godot can read and write though they are not exported.
        self.variables = set(members) - set(self.methods) - {name for name in members if name in self.signals}
        self.has_notification = "_notification" in self.methods
        for name, field in self.exports.items():
            if field.property is not None:
                setattr(self.cls, name, field.property)

    def new_instance(self, owner: int) -> Any:
        """The Python side of the engine's object at `owner`. `__init__` never runs: scripts use `_ready`."""
        instance = self.cls.__new__(self.cls)
        bind_owner(instance, owner)
        for name, field in self.exports.items():
            if field.property is None:
                instance.__dict__[name] = field.first_value()
        return instance

    def fill(self, manifest: Manifest) -> None:
        """Write what Godot is told into an empty manifest."""
        new_string_name(self.cls.__name__, _address(manifest, "name"))
        new_string_name(self.cls.engine_class().__name__, _address(manifest, "base"))
        manifest.is_tool = self.cls in TOOLS
        lines = {name: m.__code__.co_firstlineno for name, m in self.methods.items() if isinstance(m, FunctionType)}
        convert.new_dictionary(lines, _address(manifest, "member_lines"))
        convert.new_array(map(_describe_method, self.methods.items()), _address(manifest, "methods"))
        convert.new_array(({"name": name} for name in self.signals), _address(manifest, "signals"))
        properties = [field.describe(name) for name, field in self.exports.items()]
        convert.new_array(properties, _address(manifest, "properties"))


def fill_empty(manifest: Manifest) -> None:
    """An empty manifest, which Godot destroys when a script failed to load."""
    convert.new_dictionary({}, _address(manifest, "member_lines"))
    for name in ("methods", "signals", "properties"):
        convert.new_array((), _address(manifest, name))


def _load_class(path: str, reload: bool) -> type:
    """The class exposed by `res://a/b.py`, which is module `a.b`."""
    if not path.startswith("res://") or not path.endswith(".py"):
        raise ImportError(f"{path!r} is no Python script of the project")
    name = path[len("res://") : -len(".py")].replace("/", ".")
    if reload and name in sys.modules:
        EXPOSED.pop(name, None)
        importlib.reload(sys.modules[name])
    else:
        importlib.import_module(name)
    if name not in EXPOSED:
        raise NotExposedError(f"{path} exposes no class: put @exposed above one that derives from a class of Godot's")
    return EXPOSED[name]


def _describe_method(item: tuple[str, Any]) -> dict[str, Any]:
    name, member = item
    code = getattr(member, "__code__", None)
    args = code.co_varnames[1 : code.co_argcount] if code else ()
    return {"name": name, "args": [{"name": arg, "type": 0} for arg in args], "flags": _METHOD_FLAG_NORMAL}


def _address(manifest: Manifest, field: str) -> int:
    return ctypes.addressof(manifest) + int(getattr(Manifest, field).offset)
