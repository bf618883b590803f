"""The walls round a mod's process: which this system has, and putting them up. Codes as in the translations."""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

from engine.mods import sandbox_landlock, sandbox_rlimits, sandbox_seccomp

MEMORY_MIB = sandbox_rlimits.MEMORY_BYTES // 2**20
"""What a process may have."""

MEMORY, FILES, SYSTEM = "wall.memory", "wall.files", "wall.system"
WALLS = (MEMORY, FILES, SYSTEM)
"""Not more memory than it may have; no file but its own; no network, other programs, threads or signals."""


@functools.cache
def enforced() -> tuple[str, ...]:
    """The walls that this system has."""
    has = {
        MEMORY: sandbox_rlimits.offered(),
        FILES: sandbox_landlock.version() > 0,
        SYSTEM: sandbox_seccomp.offered(),
    }
    return tuple(wall for wall in WALLS if has[wall])


def missing() -> tuple[str, ...]:
    """The walls that it lacks: what a player has to be asked about before a mod runs for the first time."""
    return tuple(wall for wall in WALLS if wall not in enforced())


def put_up(walls: Collection[str], readable: Iterable[Path], scratch: Path) -> None:
    """Put walls round this process for good; OSError when the kernel refuses one of them.

    `readable` are the files and folders that it may still read, `scratch` the folder that it may write files in.
    """
    sandbox_rlimits.limit()
    if sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) != 1:
        raise OSError("the walls would stand round one thread of several")
    if FILES in walls:
        sandbox_landlock.restrict(readable, scratch)
    if SYSTEM in walls:
        sandbox_seccomp.restrict()
