"""Godot's API functions, as attributes of this module: `api.variant_new_int(address, 3)`.

Pointers are given as addresses (int) or `ctypes.byref`. `load` fills the module before anything else uses it.
"""

import ctypes
from typing import Any

from .layout import ColorFloats, CoreTable, NextTable, Opaque, Rect2Floats, Variant, Vector2Floats, Vector3Floats
from .slots import CORE_1_0, CORE_1_1, CORE_1_2, RELEASES_LOCK

_TYPES: dict[str, Any] = {
    "v": None,
    "b": ctypes.c_bool,
    "i": ctypes.c_int,
    "l": ctypes.c_int64,
    "d": ctypes.c_double,
    "p": ctypes.c_void_p,
    "z": ctypes.c_char_p,
    "O": Opaque,
    "V": Variant,
    "2": Vector2Floats,
    "R": Rect2Floats,
    "3": Vector3Floats,
    "C": ColorFloats,
}


def load(core: int) -> None:
    """Declare the functions of the table at address `core` and of those that follow it."""
    _declare(CORE_1_0, core + ctypes.sizeof(CoreTable))
    table = CoreTable.from_address(core).next
    for functions in (CORE_1_1, CORE_1_2):
        if not table:
            raise RuntimeError("this Godot is older than 3.2.3")
        _declare(functions, table + ctypes.sizeof(NextTable))
        table = NextTable.from_address(table).next


def _declare(functions: dict[str, tuple[int, str, str]], first: int) -> None:
    for name, (slot, result, parameters) in functions.items():
        make = ctypes.CFUNCTYPE if name in RELEASES_LOCK else ctypes.PYFUNCTYPE
        address = ctypes.c_size_t.from_address(first + slot * ctypes.sizeof(ctypes.c_size_t)).value
        globals()[name] = make(_TYPES[result], *(_TYPES[code] for code in parameters))(address)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"Godot's function {name} is not declared in slots.py, or the API is not loaded yet")
