"""The node that hosts the engine: three calls, bytes in and bytes out (docs/protocol.md)."""

import ctypes
import gc
import time
from typing import Any

from godot import Node, PoolByteArray, exposed

from engine.protocol.session import Session

FRAME_BUDGET_S = 0.008
"""Real time that the simulation may take of a frame; beyond it simulated time falls behind, and the snapshot says
so."""
REWIND_BUDGET_S = 0.04
"""The same while the picture stands, because the way to another moment is being simulated."""

AHEAD_BUDGET_S = 0.0015
"""Real time of a frame for simulating ahead what might help, while time runs ..."""
AHEAD_STANDING_S = 0.006
"""... and while it stands, for building or in a pause."""
BUSY_FRAME_S = 0.0025
"""A frame that takes so long without it has no time for it."""


@exposed
class EngineHost(Node):
    """Hosts one session. The view calls `step` each frame, `command` and `ask` when it needs to."""

    def _ready(self) -> None:
        self.session = Session()
        _collect_garbage_rarely()

    def step(self, delta: float) -> Any:
        """Simulate `delta` seconds; the snapshot."""
        start = time.perf_counter()
        until = start + (REWIND_BUDGET_S if self.session.rewinding else FRAME_BUDGET_S)
        snapshot = self.session.step(float(delta), lambda: time.perf_counter() > until)
        now = time.perf_counter()
        spare_until = min(now + AHEAD_BUDGET_S, start + BUSY_FRAME_S) if delta else now + AHEAD_STANDING_S
        if now < spare_until:
            self.session.think(lambda: time.perf_counter() > spare_until)
        return _to_godot(snapshot)

    def command(self, packed: Any) -> Any:
        """Give a command; what came of it."""
        return _to_godot(self.session.command(_from_godot(packed)))

    def ask(self, packed: Any) -> Any:
        """Answer a question."""
        return _to_godot(self.session.ask(_from_godot(packed)))


def _collect_garbage_rarely() -> None:
    """A frame makes a few thousand short-lived objects: looking for cycles every 700 of them, as Python does, takes as
    long as the rest of the frame. What the imports have made stays for good, so it is not looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def _to_godot(data: bytes) -> Any:
    """A PoolByteArray with `data`, by one copy of memory; works with upstream's plugin too."""
    array = PoolByteArray()
    array.resize(len(data))
    with array.raw_access() as access:
        ctypes.memmove(access.get_address(), data, len(data))
    return array


def _from_godot(array: Any) -> bytes:
    with array.raw_access() as access:
        return ctypes.string_at(access.get_address(), len(array))
