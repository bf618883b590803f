"""The wall `wall.memory`: what the kernel counts of a process. Held to on Linux; macOS ignores the limit of memory,
Windows has none of these.
"""

from __future__ import annotations

import sys

MEMORY_BYTES = 256 * 1024 * 1024
"""Address space, the interpreter and numpy included."""
FILE_BYTES = 1024 * 1024
"""The largest file that can be written."""
CPU_S = 600
"""Of processor time in a whole life: the last resort against one that nobody watches any more."""
OPEN_FILES = 32
STACK_BYTES = 8 * 1024 * 1024


def offered() -> bool:
    """Whether this system holds a process to all of the limits."""
    return sys.platform == "linux"


def limit() -> None:
    """Limit this process, as far as the system knows how; nothing can take it back."""
    if sys.platform == "win32":
        return
    import resource

    limits = {
        "RLIMIT_AS": MEMORY_BYTES,
        "RLIMIT_STACK": STACK_BYTES,
        "RLIMIT_FSIZE": FILE_BYTES,
        "RLIMIT_CPU": CPU_S,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_NPROC": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
    }
    for name, most in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # macOS refuses some of them
            if offered():
                raise
