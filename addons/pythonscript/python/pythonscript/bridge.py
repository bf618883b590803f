"""The structure shared with the C library: `bridge` in ../../src/pythonscript.c, field by field."""

import ctypes

_pointer = ctypes.c_void_p
_int = ctypes.c_int

# Results of type void * are addresses that this side chose: handles, never followed by Godot.
CALLBACKS = {
    "language_finish": ctypes.CFUNCTYPE(None),
    "template_source": ctypes.CFUNCTYPE(None, _pointer, _pointer, _pointer),
    "script_init": ctypes.CFUNCTYPE(None, _pointer, _pointer, _pointer),
    "script_finish": ctypes.CFUNCTYPE(None, _pointer),
    "instance_init": ctypes.CFUNCTYPE(_pointer, _pointer, _pointer),
    "instance_finish": ctypes.CFUNCTYPE(None, _pointer),
    "set_prop": ctypes.CFUNCTYPE(ctypes.c_uint8, _pointer, _pointer, _pointer),
    "get_prop": ctypes.CFUNCTYPE(ctypes.c_uint8, _pointer, _pointer, _pointer),
    "call_method": ctypes.CFUNCTYPE(None, _pointer, _pointer, _pointer, _pointer, _int, _pointer, _pointer),
    "notification": ctypes.CFUNCTYPE(None, _pointer, _int),
    "refcount_incremented": ctypes.CFUNCTYPE(None, _pointer),
    "refcount_decremented": ctypes.CFUNCTYPE(ctypes.c_uint8, _pointer),
}


class Bridge(ctypes.Structure):
    """Godot's tables and settings for this side to read, callbacks for it to fill."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("core", ctypes.c_void_p),
        ("project", ctypes.c_char_p),
        ("launcher", ctypes.c_char_p),
        ("in_editor", ctypes.c_int),
        *CALLBACKS.items(),
    ]
