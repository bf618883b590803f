"""Godot's structures as ctypes declares them. Sizes are those of 64-bit Godot 3.2.3 to 3.6."""

import ctypes

VARIANT_SIZE = 24


class Opaque(ctypes.Structure):
    """String, StringName, NodePath, Array, Dictionary or a pool array: eight bytes that only Godot reads."""

    _fields_ = [("data", ctypes.c_uint64)]


class Variant(ctypes.Structure):
    """Any value of Godot's."""

    _fields_ = [("data", ctypes.c_uint64 * 3)]


class Vector2Floats(ctypes.Structure):
    """The memory of a Vector2."""

    _fields_ = [(name, ctypes.c_float) for name in ("x", "y")]


class Vector3Floats(ctypes.Structure):
    """The memory of a Vector3."""

    _fields_ = [(name, ctypes.c_float) for name in ("x", "y", "z")]


class Rect2Floats(ctypes.Structure):
    """The memory of a Rect2."""

    _fields_ = [(name, ctypes.c_float) for name in ("x", "y", "width", "height")]


class ColorFloats(ctypes.Structure):
    """The memory of a Color."""

    _fields_ = [(name, ctypes.c_float) for name in ("r", "g", "b", "a")]


class CallError(ctypes.Structure):
    """Why a call was refused: 0 is success, the rest is in `objects.CALL_ERRORS`."""

    _fields_ = [("error", ctypes.c_int), ("argument", ctypes.c_int), ("expected", ctypes.c_int)]


class _OpaqueBytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint8 * 8)]


class Manifest(ctypes.Structure):
    """What a script offers. The opaque types have alignment 1 here, so `base` stands at 17, not at 24."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("name", _OpaqueBytes),
        ("is_tool", ctypes.c_uint8),
        ("base", _OpaqueBytes),
        ("member_lines", _OpaqueBytes),
        ("methods", _OpaqueBytes),
        ("signals", _OpaqueBytes),
        ("properties", _OpaqueBytes),
    ]


class CoreTable(ctypes.Structure):
    """The head of `core_1_0`; the function pointers follow it."""

    _fields_ = [
        ("type", ctypes.c_uint32),
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("next", ctypes.c_void_p),
        ("extension_count", ctypes.c_uint32),
        ("extensions", ctypes.c_void_p),
    ]


class NextTable(ctypes.Structure):
    """The head of `core_1_1` and its successors; the function pointers follow it."""

    _fields_ = CoreTable._fields_[:4]


assert ctypes.sizeof(Variant) == VARIANT_SIZE
assert ctypes.sizeof(Manifest) == 64
assert Manifest.base.offset == 17
