"""The wall `wall.system`: a seccomp filter, by which a Linux process gives up every call of the kernel but a few.

It names what may be called, not what may not: what computing, reading files and one thread need. So there is no
network, no other program or thread, no signal to anybody, no change of modes, owners, times or limits, and nothing that
later kernels will add. Files are a matter of Landlock: here a call is judged by its number and plain arguments only.
"""

from __future__ import annotations

import ctypes
import errno
from collections.abc import Iterator

from engine.mods import kernel

_KILL, _REFUSE, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_SET_FILTER, _ALL_THREADS, _ACTION_OFFERED = 1, 1, 2
_MOST_ADVICE = 25
"""Beyond it is advice that breaks pages."""
_F_GETFD, _F_SETFD, _F_GETFL = 1, 2, 3
_O_WRONLY, _O_RDWR, _O_ACCMODE, _O_TRUNC = 1, 2, 3, 0o1000

_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_X32 = 0x40000000
"""Numbers from here on are those of another binary interface of x86-64."""

_JUDGED = ("open", "openat", "fcntl", "madvise", "prlimit64", "ioctl")
"""Calls that are allowed with some arguments, or answered in a way of their own."""

NUMBERS = {
    "x86_64": {
        "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "lseek": 8, "mmap": 9,
        "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15,
        "ioctl": 16, "pread64": 17, "pwrite64": 18, "readv": 19, "writev": 20, "access": 21, "sched_yield": 24,
        "mremap": 25, "madvise": 28, "nanosleep": 35, "getpid": 39, "exit": 60, "fcntl": 72, "fsync": 74,
        "fdatasync": 75, "ftruncate": 77, "getcwd": 79, "rename": 82, "unlink": 87, "gettimeofday": 96,
        "getrusage": 98, "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108,
        "sigaltstack": 131, "gettid": 186, "futex": 202, "sched_getaffinity": 204, "getdents64": 217,
        "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231,
        "openat": 257, "newfstatat": 262, "unlinkat": 263, "renameat": 264, "faccessat": 269, "prlimit64": 302,
        "renameat2": 316, "getrandom": 318, "statx": 332, "close_range": 436, "faccessat2": 439,
    },
    "aarch64": {
        "getcwd": 17, "fcntl": 25, "ioctl": 29, "unlinkat": 35, "renameat": 38, "ftruncate": 46, "faccessat": 48,
        "openat": 56, "close": 57, "getdents64": 61, "lseek": 62, "read": 63, "write": 64, "readv": 65, "writev": 66,
        "pread64": 67, "pwrite64": 68, "newfstatat": 79, "fstat": 80, "fsync": 82, "fdatasync": 83, "exit": 93,
        "exit_group": 94, "futex": 98, "nanosleep": 101, "clock_gettime": 113, "clock_getres": 114,
        "clock_nanosleep": 115, "sched_getaffinity": 123, "sched_yield": 124, "restart_syscall": 128,
        "sigaltstack": 132, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153,
        "getrusage": 165, "gettimeofday": 169, "getpid": 172, "getuid": 174, "geteuid": 175, "getgid": 176,
        "getegid": 177, "gettid": 178, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222, "mprotect": 226,
        "madvise": 233, "prlimit64": 261, "renameat2": 276, "getrandom": 278, "statx": 291, "close_range": 436,
        "faccessat2": 439,
    },
}  # fmt: skip
"""What may be called, by processor."""


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]


class _Step(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32)]


def offered() -> bool:
    """Whether this kernel takes filters that end a process."""
    machine = kernel.machine()
    if not machine:
        return False
    action = ctypes.c_uint32(_KILL)
    try:
        kernel.prctl(kernel.PR_GET_SECCOMP)
        kernel.syscall(_SECCOMP[machine], _ACTION_OFFERED, 0, ctypes.cast(ctypes.byref(action), ctypes.c_void_p))
    except OSError:
        return False
    return True


def restrict() -> None:
    """Leave this process the few calls; nothing can take it back."""
    machine = kernel.machine()
    steps = b"".join(bytes(_Step(*step)) for step in _filter(machine))
    program = _Program(len(steps) // ctypes.sizeof(_Step), steps)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.syscall(_SECCOMP[machine], _SET_FILTER, _ALL_THREADS, ctypes.cast(ctypes.byref(program), ctypes.c_void_p))


def _filter(machine: str) -> Iterator[tuple[int, int, int, int]]:
    """The filter's steps: what to do, how many steps to skip if yes and if no, with which number."""
    numbers = NUMBERS[machine]
    yield _LOAD, 0, 0, _MACHINE
    yield _EQUAL, 1, 0, _MACHINES[machine]
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, _NUMBER
    if machine == "x86_64":
        yield _AT_LEAST, 0, 1, _X32
        yield _RETURN, 0, 0, _KILL
    for name, number in numbers.items():
        if name not in _JUDGED:
            yield _EQUAL, 0, 1, number
            yield _RETURN, 0, 0, _ALLOW
    for name, place in (("open", 1), ("openat", 2)):
        if name in numbers:
            yield from _not_emptying(numbers[name], place)
    asked = (_F_GETFD, _F_SETFD, _F_GETFL)
    yield from _judged(numbers["fcntl"], [(_EQUAL, len(asked) - at, 0, one) for at, one in enumerate(asked)], 1, True)
    yield from _judged(numbers["madvise"], [(_AT_LEAST, 1, 0, _MOST_ADVICE + 1)], 2)
    yield from _only_asking(numbers["prlimit64"])
    yield _EQUAL, 0, 1, numbers["ioctl"]
    yield _RETURN, 0, 0, _REFUSE | errno.ENOTTY
    yield _RETURN, 0, 0, _REFUSE | errno.EPERM


def _judged(
    number: int, tests: list[tuple[int, int, int, int]], place: int, allowed: bool = False
) -> Iterator[tuple[int, int, int, int]]:
    """Judge a call by the low half of an argument: a test that says yes skips to the end, refused (or `allowed`)."""
    after = [(_RETURN, 0, 0, _REFUSE | errno.EPERM), (_RETURN, 0, 0, _ALLOW)]
    if not allowed:
        after.reverse()
    yield _EQUAL, 0, 1 + len(tests) + len(after), number
    yield _LOAD, 0, 0, _ARGUMENTS + 8 * place
    yield from tests
    yield from after


def _not_emptying(number: int, place: int) -> Iterator[tuple[int, int, int, int]]:
    """Opening may only empty a file that it opens for writing: an old Landlock does not judge the emptying."""
    yield _EQUAL, 0, 7, number
    yield _LOAD, 0, 0, _ARGUMENTS + 8 * place
    yield _ANY_BIT, 0, 4, _O_TRUNC
    yield _AND, 0, 0, _O_ACCMODE
    yield _EQUAL, 2, 0, _O_WRONLY
    yield _EQUAL, 1, 0, _O_RDWR
    yield _RETURN, 0, 0, _REFUSE | errno.EPERM
    yield _RETURN, 0, 0, _ALLOW


def _only_asking(number: int) -> Iterator[tuple[int, int, int, int]]:
    """Limits may be asked for, not set: there is no pointer to new ones, in either half."""
    yield _EQUAL, 0, 6, number
    yield _LOAD, 0, 0, _ARGUMENTS + 8 * 2
    yield _EQUAL, 0, 3, 0
    yield _LOAD, 0, 0, _ARGUMENTS + 8 * 2 + 4
    yield _EQUAL, 0, 1, 0
    yield _RETURN, 0, 0, _ALLOW
    yield _RETURN, 0, 0, _REFUSE | errno.EPERM
