"""Godot's objects and classes in Python.

A class is built from Godot's ClassDB when it is first named; a method is looked up when it is first used. An object
that came from Godot is wrapped: a Reference is counted for as long as the wrapper lives, any other object is found
by its id at each use, so that a freed one raises ReferenceError instead of crashing.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from . import api, convert
from .layout import VARIANT_SIZE, CallError, Variant

CALL_ERRORS = {
    1: "there is no such method",
    2: "argument {argument} has the wrong type",
    3: "too many arguments: it takes {argument}",
    4: "too few arguments: it takes {argument}",
    5: "the object is null",
}


def call_bind(bind: int, pointer: int, args: tuple[Any, ...], name: str) -> Any:
    """Call a method of Godot's on the object at `pointer`. Raises TypeError or AttributeError if Godot refuses it."""
    count = len(args)
    variants = (Variant * count)()
    first = ctypes.addressof(variants)
    error = CallError()
    written = 0
    try:
        for value in args:
            convert.write(value, first + written * VARIANT_SIZE)
            written += 1
        pointers = (ctypes.c_void_p * count)(*range(first, first + count * VARIANT_SIZE, VARIANT_SIZE))
        result = api.method_bind_call(bind, pointer, pointers, count, ctypes.byref(error))
    finally:
        for i in range(written):
            api.variant_destroy(first + i * VARIANT_SIZE)
    try:
        if error.error:
            if name == "call" and error.error == 1:
                raise AttributeError(f"Godot refused call({args[0]!r}): there is no such method")
            reason = CALL_ERRORS.get(error.error, "error {error}")
            raise TypeError(f"Godot refused {name}(): " + reason.format(argument=error.argument, error=error.error))
        return convert.read(ctypes.addressof(result))
    finally:
        api.variant_destroy(ctypes.byref(result))


def find_bind(class_name: str, method: str) -> int:
    """The address of a class's method, its own or inherited; 0 if there is none."""
    return api.method_bind_get_method(class_name.encode(), method.encode()) or 0


class _Method:
    """A method of a Godot class: an attribute that binds to the object it is taken from."""

    __slots__ = ("_bind", "_name")

    def __init__(self, bind: int, name: str) -> None:
        self._bind = bind
        self._name = name

    def __get__(self, instance: Any, _owner: Any = None) -> Any:
        if instance is None:
            return lambda target, *args: call_bind(self._bind, pointer_of(target), args, self._name)
        return lambda *args: call_bind(self._bind, pointer_of(instance), args, self._name)


class _Property:
    """A property of a Godot class."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, _owner: Any = None) -> Any:
        return self if instance is None else instance.get(self._name)

    def __set__(self, instance: Any, value: Any) -> None:
        instance.set(self._name, value)


class GodotClass(type):
    """The class of Godot's classes: finds methods and constants when they are first used."""

    def __getattr__(cls, name: str) -> Any:
        if not name.startswith("__"):
            member = cls._find(name)
            if member is not None:
                return member.__get__(None, cls) if isinstance(member, _Method) else member
        raise AttributeError(f"{cls.__name__} has no attribute {name!r}")

    def _find(cls, name: str) -> Any:
        """A method or an integer constant, kept at the engine's class that was asked; else None."""
        engine = cls.engine_class()
        bind = find_bind(engine.__name__, name)
        member: Any = None
        if bind:
            member = _Method(bind, name)
        elif class_db("class_has_integer_constant", engine.__name__, name):
            member = class_db("class_get_integer_constant", engine.__name__, name)
        if member is not None:
            setattr(engine, name, member)
        return member

    def engine_class(cls) -> "GodotClass":
        """The nearest class that is Godot's own."""
        return next(base for base in cls.__mro__ if base in _ENGINE_CLASSES)


class Object(metaclass=GodotClass):
    """Godot's Object: the base of every class that `godot` offers."""

    __slots__ = ("__weakref__", "_godot_count", "_godot_id", "_godot_pointer")

    @classmethod
    def new(cls) -> Any:
        """A new object of this class. A Node has to be freed or given to the tree; a Reference frees itself."""
        if cls not in _ENGINE_CLASSES:
            raise TypeError(f"{cls.__name__} is a script: load it with ResourceLoader and call new() on that")
        constructor = api.get_class_constructor(cls.__name__.encode())
        if not constructor:
            raise TypeError(f"Godot cannot make a {cls.__name__}")
        pointer = ctypes.CFUNCTYPE(ctypes.c_void_p)(constructor)()
        variant = Variant()
        api.variant_new_object(ctypes.byref(variant), pointer)
        try:
            return read_object(ctypes.addressof(variant))
        finally:
            api.variant_destroy(ctypes.byref(variant))

    def free(self) -> None:
        """Free the object now. Raises TypeError for a Reference, which frees itself."""
        if self._godot_count is not None:
            raise TypeError("a Reference frees itself when the last use of it ends")
        api.object_destroy(pointer_of(self))

    def __getattr__(self, name: str) -> Any:
        cls = type(self)
        if not name.startswith(("__", "_godot")):
            member = cls._find(name)
            if isinstance(member, _Method):
                return member.__get__(self, cls)
            if member is not None:
                return member
            if cls in _ENGINE_CLASSES:  # a script of another language may be bound to the object
                if self.has_method(name):
                    return lambda *args: self.call(name, *args)
                if any(info["name"] == name for info in self.get_property_list()):
                    return self.get(name)
        raise AttributeError(f"{cls.__name__} has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            object.__setattr__(self, name, value)
        except AttributeError:
            if not any(info["name"] == name for info in self.get_property_list()):
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}") from None
            self.set(name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Object) and self._godot_pointer == other._godot_pointer

    def __hash__(self) -> int:
        return hash(self._godot_pointer)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {self._godot_pointer:#x}>"

    def __del__(self) -> None:
        count = getattr(self, "_godot_count", None)
        if count is not None:
            api.variant_destroy(ctypes.byref(count))


_ENGINE_CLASSES: dict[GodotClass, str] = {Object: "Object"}
_CLASSES: dict[str, GodotClass] = {"Object": Object}
_SINGLETONS: dict[str, Any] = {}


def pointer_of(target: Object) -> int:
    """The address of the engine's object. Raises ReferenceError if it was freed."""
    pointer = target._godot_pointer
    if not pointer or (target._godot_id and api.instance_from_id(target._godot_id) != pointer):
        raise ReferenceError(f"this {type(target).__name__} was freed")
    return int(pointer)


def bind_owner(instance: Object, pointer: int) -> None:
    """Make a script's instance speak for the engine's object that owns it, until `unbind_owner`."""
    instance._godot_pointer = pointer
    instance._godot_id = 0
    instance._godot_count = None


def unbind_owner(instance: Object) -> None:
    """The engine's object is gone."""
    instance._godot_pointer = 0


def read_object(variant: int) -> Any:
    """The object of the Variant at an address, wrapped; None if it holds none or a freed one."""
    pointer = api.variant_as_object(variant)
    if not pointer or not api.is_instance_valid(pointer):
        return None
    name = call_bind(_bind("Object", "get_class"), pointer, (), "get_class")
    cls: Any = find_class(str(name))
    wrapper = cls.__new__(cls)
    wrapper._godot_pointer = pointer
    if issubclass(cls, find_class("Reference")):
        wrapper._godot_id = 0
        wrapper._godot_count = Variant()
        api.variant_new_copy(ctypes.byref(wrapper._godot_count), variant)
    else:
        wrapper._godot_id = call_bind(_bind("Object", "get_instance_id"), pointer, (), "get_instance_id")
        wrapper._godot_count = None
    return wrapper


def write_object(value: Object, variant: int) -> None:
    """Make a Variant of an object at an uninitialised address."""
    api.variant_new_object(variant, pointer_of(value))


def class_db(method: str, *args: Any) -> Any:
    """Ask Godot's ClassDB."""
    return call_bind(_bind("_ClassDB", method), _singleton_pointer("ClassDB"), args, method)


def find_class(name: str) -> GodotClass:
    """The Python class of one of Godot's classes. Raises AttributeError if there is none."""
    cls = _CLASSES.get(name)
    if cls is None:
        if not class_db("class_exists", name):
            raise AttributeError(f"Godot has no class {name!r}")
        members: dict[str, Any] = {"__slots__": (), "__module__": "godot"}
        for info in class_db("class_get_property_list", name, True):
            if str(info["name"]).isidentifier():
                members[str(info["name"])] = _Property(str(info["name"]))
        cls = GodotClass(name, (find_class(str(class_db("get_parent_class", name))),), members)
        _ENGINE_CLASSES[cls] = name
        _CLASSES[name] = cls
    return cls


def find_singleton(name: str) -> Any:
    """One of Godot's singletons (`OS`, `Input`, ...) or None."""
    if name not in _SINGLETONS:
        known = call_bind(_bind("_Engine", "has_singleton"), _singleton_pointer("Engine"), (name,), "has_singleton")
        if not known:
            return None
        variant = Variant()
        api.variant_new_object(ctypes.byref(variant), _singleton_pointer(name))
        _SINGLETONS[name] = read_object(ctypes.addressof(variant))
        api.variant_destroy(ctypes.byref(variant))
    return _SINGLETONS[name]


def _memoised(function: Callable[..., int]) -> Callable[..., int]:
    known: dict[tuple[str, ...], int] = {}

    def look_up(*names: str) -> int:
        if names not in known:
            known[names] = function(*names)
        return known[names]

    return look_up


@_memoised
def _bind(class_name: str, method: str) -> int:
    bind = find_bind(class_name, method)
    if not bind:
        raise RuntimeError(f"this Godot has no {class_name}.{method}; use Godot 3.2.3 to 3.6")
    return bind


@_memoised
def _singleton_pointer(name: str) -> int:
    return int(api.global_get_singleton(name.encode()) or 0)


convert.register_object(Object, read_object, write_object)
