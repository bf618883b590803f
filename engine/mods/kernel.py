"""Calls of the Linux kernel that Python has no words for."""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import sys

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_GET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 21, 38


def machine() -> str:
    """The processor that the kernel's call numbers are for, or "": no Linux, or one that is not known here."""
    known = {"x86_64": "x86_64", "aarch64": "aarch64"}
    return known.get(platform.machine(), "") if sys.platform == "linux" and sys.maxsize > 2**32 else ""


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def syscall(number: int, *arguments: int | ctypes.c_void_p | None) -> int:
    """Call the kernel; OSError when it refuses."""
    words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result: int = _libc().syscall(ctypes.c_long(number), *words)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def prctl(option: int, value: int = 0) -> int:
    """Set or read something of this process; OSError when the kernel refuses."""
    result: int = _libc().prctl(option, *(ctypes.c_ulong(one) for one in (value, 0, 0, 0)))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def cpu_clock(process: int) -> int | None:
    """The clock of the processor time that another process has used, for `time.clock_gettime`; None: there is none."""
    if sys.platform != "linux":
        return None
    clock = ctypes.c_int()
    return clock.value if _libc().clock_getcpuclockid(process, ctypes.byref(clock)) == 0 else None
