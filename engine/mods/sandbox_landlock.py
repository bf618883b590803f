"""The wall `wall.files`: Landlock, by which a Linux process gives up all files but those that it names."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from engine.mods import kernel

_CREATE, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR, _REMOVE_FILE, _MAKE_REG, _TRUNCATE = (1 << bit for bit in (1, 2, 3, 5, 8, 14))
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Version -> how many rights over files it knows."""
_TCP_BIND_AND_CONNECT, _ABSTRACT_SOCKETS_AND_SIGNALS = 3, 3


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """What this kernel offers; 0: nothing."""
    if not kernel.machine():
        return 0
    try:
        return kernel.syscall(_CREATE, None, 0, _VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[Path], scratch: Path) -> None:
    """Leave this process files and folders to read, and a folder to write files in; nothing can take it back."""
    offered = version()
    files = (1 << _RIGHTS.get(offered, 16)) - 1
    rules = _Ruleset(
        files, _TCP_BIND_AND_CONNECT if offered >= 4 else 0, _ABSTRACT_SOCKETS_AND_SIGNALS if offered >= 6 else 0
    )
    ruleset = kernel.syscall(_CREATE, ctypes.cast(ctypes.byref(rules), ctypes.c_void_p), ctypes.sizeof(rules), 0)
    for path in readable:
        _allow(ruleset, path, _READ_FILE | _READ_DIR)
    _allow(ruleset, scratch, files & (_READ_FILE | _READ_DIR | _WRITE_FILE | _MAKE_REG | _REMOVE_FILE | _TRUNCATE))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not path.is_dir():
            rights &= _READ_FILE
        rule = _Beneath(rights, place)
        kernel.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.cast(ctypes.byref(rule), ctypes.c_void_p), 0)
    finally:
        os.close(place)
