"""Values between Godot's Variants and Python.

`read(address)` makes a Python value of the Variant at an address. `write(value, address)` makes a Variant at an
uninitialised address, or raises TypeError, OverflowError or ValueError and leaves the address as it was.
"""

import ctypes
import operator
from collections.abc import Callable
from typing import Any

from . import api, pool, values
from .layout import Opaque, Variant
from .strings import GDString, new_string, read_string, take_string

Reader = Callable[[int], Any]
Writer = Callable[[Any, int], None]


def read(address: int) -> Any:
    """The Python value of the Variant at an address."""
    return _READERS[api.variant_get_type(address)](address)


def write(value: Any, address: int) -> None:
    """Make a Variant of a Python value at an uninitialised address."""
    writer = _WRITERS.get(type(value))
    if writer is None:
        writer = _find_writer(value)
    writer(value, address)


def register_object(base: type, reader: Reader, writer: Writer) -> None:
    """Tell how objects cross (`objects` does, so that this module needs not know it)."""
    _READERS[17] = reader
    _SUBCLASS_WRITERS.append((base, writer))


# ---- from Godot ----------------------------------------------------------------------------------


def _read_string(address: int) -> GDString:
    return GDString(take_string(api.variant_as_string(address)))


def _read_node_path(address: int) -> values.NodePath:
    path = api.variant_as_node_path(address)
    text = take_string(api.node_path_as_string(ctypes.byref(path)))
    api.node_path_destroy(ctypes.byref(path))
    return values.NodePath(text)


def _read_array(address: int) -> list[Any]:
    array = api.variant_as_array(address)
    reference = ctypes.byref(array)
    try:
        return [read(api.array_operator_index_const(reference, i)) for i in range(api.array_size(reference))]
    finally:
        api.array_destroy(reference)


def _read_dictionary(address: int) -> dict[Any, Any]:
    dictionary = api.variant_as_dictionary(address)
    reference = ctypes.byref(dictionary)
    result = {}
    try:
        key = api.dictionary_next(reference, None)
        while key:
            result[read(key)] = read(api.dictionary_operator_index_const(reference, key))
            key = api.dictionary_next(reference, key)
    finally:
        api.dictionary_destroy(reference)
    return result


def _refuse(name: str) -> Reader:
    def reader(_address: int) -> Any:
        raise TypeError(f"a {name} cannot cross from Godot to Python; send its numbers")

    return reader


# ---- to Godot ------------------------------------------------------------------------------------


def _write_nil(_value: None, address: int) -> None:
    api.variant_new_nil(address)


def _write_bool(value: bool, address: int) -> None:
    api.variant_new_bool(address, value)


def _write_int(value: int, address: int) -> None:
    if not -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
        raise OverflowError(f"the int {value} does not fit into Godot's 64 bits")
    api.variant_new_int(address, value)


def _write_float(value: float, address: int) -> None:
    api.variant_new_real(address, value)


def _write_str(value: str, address: int) -> None:
    string = Opaque()
    reference = ctypes.byref(string)
    new_string(value, ctypes.addressof(string))
    api.variant_new_string(address, reference)
    api.string_destroy(reference)


def _write_node_path(value: values.NodePath, address: int) -> None:
    string, path = Opaque(), Opaque()
    new_string(value, ctypes.addressof(string))
    api.node_path_new(ctypes.byref(path), ctypes.byref(string))
    api.variant_new_node_path(address, ctypes.byref(path))
    api.node_path_destroy(ctypes.byref(path))
    api.string_destroy(ctypes.byref(string))


def new_array(items: Any, address: int) -> None:
    """Make an Array of the items at an uninitialised address."""
    api.array_new(address)
    variant = Variant()
    reference = ctypes.byref(variant)
    try:
        for item in items:
            write(item, ctypes.addressof(variant))
            api.array_append(address, reference)
            api.variant_destroy(reference)
    except BaseException:
        api.array_destroy(address)
        raise


def new_dictionary(items: dict[Any, Any], address: int) -> None:
    """Make a Dictionary of the items at an uninitialised address."""
    api.dictionary_new(address)
    key, value = Variant(), Variant()
    key_reference, value_reference = ctypes.byref(key), ctypes.byref(value)
    try:
        for item_key, item_value in items.items():
            write(item_key, ctypes.addressof(key))
            try:
                write(item_value, ctypes.addressof(value))
                api.dictionary_set(address, key_reference, value_reference)
                api.variant_destroy(value_reference)
            finally:
                api.variant_destroy(key_reference)
    except BaseException:
        api.dictionary_destroy(address)
        raise


def _write_list(value: Any, address: int) -> None:
    array = Opaque()
    new_array(value, ctypes.addressof(array))
    api.variant_new_array(address, ctypes.byref(array))
    api.array_destroy(ctypes.byref(array))


def _write_dict(value: dict[Any, Any], address: int) -> None:
    dictionary = Opaque()
    new_dictionary(value, ctypes.addressof(dictionary))
    api.variant_new_dictionary(address, ctypes.byref(dictionary))
    api.dictionary_destroy(ctypes.byref(dictionary))


def _write_buffer(value: Any, address: int) -> None:
    pool.write_bytes(bytes(value), address)


def _write_index(value: Any, address: int) -> None:
    _write_int(operator.index(value), address)


def _find_writer(value: Any) -> Writer:
    """The writer of a subclass (an enum, numpy's float64) or of a number that can be an index (numpy's int64)."""
    for base, writer in _SUBCLASS_WRITERS:
        if isinstance(value, base):
            return writer
    if hasattr(type(value), "__index__") and not hasattr(value, "__len__"):
        return _write_index
    raise TypeError(
        f"a Python {type(value).__name__} cannot cross to Godot; what can: None, bool, int, float, str, bytes, list, "
        "tuple, dict, Vector2, Vector3, Rect2, Color, NodePath and Godot's objects"
    )


_READERS: list[Reader] = [
    lambda _address: None,
    lambda address: api.variant_as_bool(address),
    lambda address: api.variant_as_int(address),
    lambda address: api.variant_as_real(address),
    _read_string,
    _refuse("Vector2"),
    _refuse("Rect2"),
    _refuse("Vector3"),
    *map(_refuse, ("Transform2D", "Plane", "Quat", "AABB", "Basis", "Transform")),
    _refuse("Color"),
    _read_node_path,
    _refuse("RID"),
    _refuse("Object"),
    _read_dictionary,
    _read_array,
    pool.read_bytes,
    *[_read_array] * 6,
]

_WRITERS: dict[type, Writer] = {
    type(None): _write_nil,
    bool: _write_bool,
    int: _write_int,
    float: _write_float,
    str: _write_str,
    GDString: _write_str,
    bytes: pool.write_bytes,
    pool.GDBytes: pool.write_bytes,
    bytearray: _write_buffer,
    memoryview: _write_buffer,
    list: _write_list,
    tuple: _write_list,
    dict: _write_dict,
    values.NodePath: _write_node_path,
    pool.PoolByteArray: pool.write_pool_byte_array,
}

for _type, (_number, _name, _floats) in values.FLOAT_TYPES.items():
    _READERS[_number] = values.floats_reader(f"variant_as_{_name}", _type)
    _WRITERS[_type] = values.floats_writer(f"variant_new_{_name}", _floats)

_SUBCLASS_WRITERS: list[tuple[type, Writer]] = [
    (int, _write_int),
    (float, _write_float),
    (str, _write_str),
    (bytes, _write_buffer),
    (tuple, _write_list),
    (list, _write_list),
    (dict, _write_dict),
]

__all__ = ["new_array", "new_dictionary", "read", "read_string", "register_object", "write"]
