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

AHEAD_SHARE = 0.09
"""Share of real time for simulating ahead what might help, while time runs: 1.5 ms of a 60th of a second ..."""
AHEAD_STANDING_SHARE = 0.36
"""... and while it stands, for building or in a pause."""
LONGEST_AHEAD_S = 0.05
AWAITED_S = 0.005
"""For what somebody waits for, the second share at any time, but no longer than this."""
BUSY_SHARE = 0.15
"""A frame whose simulation takes more than this of real time has no time for it."""


@exposed
class EngineHost(Node):
    """Hosts one session. The view calls `step` each frame, `command` and `ask` when it needs to."""

    def _ready(self) -> None:
        self.session = Session()
        self.last_s = time.perf_counter()
        _collect_garbage_rarely()

    def _exit_tree(self) -> None:
        self.session.close()

    def step(self, delta: float) -> Any:
        """Simulate `delta` seconds; the snapshot."""
        start = time.perf_counter()
        until = start + (REWIND_BUDGET_S if self.session.rewinding else FRAME_BUDGET_S)
        snapshot = self.session.step(float(delta), lambda: time.perf_counter() > until)
        self._think(start, bool(delta))
        return _to_godot(snapshot)

    def _think(self, start: float, runs: bool) -> None:
        """Simulate ahead in the time that the frame, begun at `start`, leaves over."""
        frame_s, self.last_s = start - self.last_s, start
        now = time.perf_counter()
        until = now + min(frame_s * (AHEAD_SHARE if runs else AHEAD_STANDING_SHARE), LONGEST_AHEAD_S)
        if runs:
            until = min(until, start + frame_s * BUSY_SHARE)
        if self.session.awaited:
            until = now + min(frame_s * AHEAD_STANDING_SHARE, AWAITED_S)
        if now < until:
            self.session.think(lambda: time.perf_counter() > until)

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
