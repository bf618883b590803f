"""The engine as the view sees it: three calls, bytes in and bytes out. Bad input gets an answer, never an exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
from attrs import frozen

from engine.errors import EngineError
from engine.floor.layout import Layout, layout_to_data
from engine.level.load import load
from engine.level.spec import Level
from engine.protocol.asks import answer
from engine.protocol.commands import give, read_fields, read_message
from engine.protocol.snapshot import Snapshots
from engine.protocol.trail import Trail
from engine.simulation import RUNNING, Simulation
from engine.units import PS_PER_S, seconds

MAX_MESSAGE_BYTES = 2_000_000
_SLICE_PS = PS_PER_S // 60
DEFAULT_SEED = 1


@frozen
class _Open:
    level: str
    seed: int = DEFAULT_SEED


@frozen
class _View:
    xx: float
    yx: float
    xy: float
    yy: float


@frozen
class _Restart:
    pass


class Session:
    """Holds the open level. `overdue`, asked between slices of a frame, says when the frame's share of real time is
    used up.
    """

    def __init__(self, levels: Callable[[str], Level] = load) -> None:
        self.simulation: Simulation | None = None
        self._levels = levels
        self._snapshots: Snapshots | None = None
        self._trail: Trail | None = None
        self._basis = (1.0, 0.0, 0.0, 1.0)

    def step(self, delta_s: float, overdue: Callable[[], bool] = lambda: False) -> bytes:
        """Simulate up to `delta_s` seconds and take a snapshot; a map with only `v` when no level is open."""
        if self.simulation is None or self._snapshots is None:
            return _pack({"v": 1})
        lag = False
        if self.simulation.phase == RUNNING and 0 < delta_s < 3600:
            target = self.simulation.now + seconds(delta_s)
            while self.simulation.phase == RUNNING and self.simulation.now < target:
                if overdue():
                    lag = True
                    break
                self.simulation.advance(min(self.simulation.now + _SLICE_PS, target))
        return _pack(self._snapshots.take(lag))

    def command(self, packed: bytes) -> bytes:
        """Give a command."""
        return _answered(self._command, packed)

    def ask(self, packed: bytes) -> bytes:
        """Answer a question."""
        return _answered(lambda message: answer(self.simulation, message), packed)

    def _command(self, message: Any) -> dict[str, Any]:
        name, fields = read_message(message, "do")
        match name:
            case "open":
                fields["level"] = str(fields.get("level", ""))
                wanted = read_fields(fields, _Open)
                return self._begin(Simulation(self._levels(wanted.level), wanted.seed))
            case "view":
                basis = read_fields(fields, _View)
                self._basis = (basis.xx, basis.yx, basis.xy, basis.yy)
                if self._trail is not None:
                    self._trail.basis = self._basis
                return {}
        if self.simulation is None:
            raise EngineError("level.none_open")
        if name == "restart":
            read_fields(fields, _Restart)
            return self._restart(self.simulation)
        return give(self.simulation, message)

    def _restart(self, old: Simulation) -> dict[str, Any]:
        fresh = Simulation(old.level, old.seed)
        layout = old.site.layout()
        if layout != Layout():
            give(fresh, {"v": 1, "do": "layout", "layout": layout_to_data(layout)})
        return self._begin(fresh)

    def _begin(self, simulation: Simulation) -> dict[str, Any]:
        self.simulation = simulation
        self._trail = Trail(simulation.floor)
        self._trail.basis = self._basis
        simulation.floor.watcher = self._trail
        self._snapshots = Snapshots(simulation, self._trail)
        return {"rev": simulation.site.revision}


def _pack(data: Any) -> bytes:
    packed: bytes = msgpack.packb(data, use_bin_type=True)
    return packed


def _answered(reply: Callable[[Any], dict[str, Any]], packed: bytes) -> bytes:
    try:
        return _pack({"ok": True, **reply(_unpack(packed))})
    except EngineError as error:
        return _pack({"ok": False, "code": error.code, "params": error.params})


def _unpack(packed: bytes) -> Any:
    if len(packed) > MAX_MESSAGE_BYTES:
        raise EngineError("message.malformed", detail="too long")
    try:
        return msgpack.unpackb(packed, strict_map_key=True)
    except Exception as error:
        raise EngineError("message.malformed", detail=f"no MessagePack: {error}"[:200]) from error
