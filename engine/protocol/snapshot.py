"""The snapshot that the view gets each frame: what changes always as columns, what the player builds only when it has
changed.
"""

from __future__ import annotations

from typing import Any

import msgpack

from engine.diagnosis.limits import LIMITS, limit_of
from engine.floor.layout import layout_hash
from engine.floor.machines.base import STATES
from engine.floor.machines.core import Core
from engine.level.goals import Judgement
from engine.metrics.history import Recorder
from engine.metrics.memory import size_bytes
from engine.metrics.seconds import recent
from engine.physics.money import usd_per_million_tokens
from engine.protocol.arrays import reals
from engine.protocol.trail import Trail
from engine.protocol.undo import Undo
from engine.simulation import ENDED, Simulation
from engine.units import PS_PER_S, as_seconds

SNAPSHOT_VERSION = 1
_BUSY_EVERY_PS = PS_PER_S // 10
"""A share of ten seconds need not be found anew in every frame."""
_STATE = {name: index for index, name in enumerate(STATES)}
_LIMIT = {name: index for index, name in enumerate(LIMITS)}


class Snapshots:
    """Makes the snapshots of one simulation that has a recorder; remembers what the view has already been told."""

    def __init__(self, simulation: Simulation, recorder: Recorder, trail: Trail, undo: Undo) -> None:
        self.simulation, self.recorder, self.trail, self.undo = simulation, recorder, trail, undo
        self._ended = False
        self._busy_ps = self._busy_of = -1
        self._busy = self._find_busy()
        self.begin()

    def begin(self) -> None:
        """The view sees this simulation anew: tell everything again, but not what happened long ago."""
        self._revision = self._judged_ps = -1
        self._events_told = len(self.simulation.floor.events)

    def take(self, lag: bool) -> dict[str, Any]:
        """The snapshot of now."""
        simulation, recorder = self.simulation, self.recorder
        snapshot: dict[str, Any] = {
            "v": SNAPSHOT_VERSION,
            "t_ps": simulation.now,
            "phase": simulation.phase,
            "lag": lag,
            "waits": simulation.waits,
            "rev": simulation.site.revision,
        }
        if self._revision != simulation.site.revision:
            self._revision = simulation.site.revision
            self.trail.layout_changed()
            snapshot["structure"] = {**_structure(simulation), "undo": self.undo.undos, "redo": self.undo.redos}
        queues = [machine.queue_length() for machine in simulation.floor.machines.values()]
        snapshot.update(
            self._work(queues),
            hud=self._hud(queues),
            packets=self.trail.packets(simulation.now),
            landed=self.trail.landed(),
            events=self._events(),
            result=self._result(),
        )
        if self._judged_ps != recorder.judged_ps or "structure" in snapshot:
            self._judged_ps = recorder.judged_ps
            snapshot["goals"] = [goal_data(judgement) for judgement in recorder.judgements]
        return snapshot

    def _work(self, queues: list[int]) -> dict[str, Any]:
        """The columns of pads and machines: one byte a state, else arrays that Godot reads natively."""
        floor = self.simulation.floor
        machines = floor.machines.values()
        states = [machine.status() for machine in machines]
        now = self.simulation.now
        if not 0 <= now - self._busy_ps < _BUSY_EVERY_PS or self._busy_of != self.simulation.site.revision:
            self._busy_ps, self._busy_of = now, self.simulation.site.revision
            self._busy = self._find_busy()
        return {
            "pads": {"used_bytes": reals([pad.used_bytes for pad in floor.pads.values()]), "busy": self._busy[1]},
            "machines": {
                "state": bytes([_STATE[state] for state in states]),
                "limit": bytes(_LIMIT[limit_of(*pair)] for pair in zip(machines, states, strict=True)),
                "queue": reals(queues),
                "busy": self._busy[0],
            },
        }

    def _find_busy(self) -> tuple[msgpack.ExtType, msgpack.ExtType]:
        """Of machines and pads, over the last seconds."""
        floor, now = self.simulation.floor, self.simulation.now
        first_s, window_ps = recent(now)
        working = dict.fromkeys(floor.pads, 0)
        busy = []
        for machine in floor.machines.values():
            busy_ps = machine.busy_ps(first_s, now)
            busy.append(min(busy_ps / window_ps, 1.0))
            if isinstance(machine, Core):  # what a draft model does is part of its core's steps
                working[machine.here.id] += busy_ps
        return reals(busy), reals([min(busy_ps / window_ps, 1.0) for busy_ps in working.values()])

    def _hud(self, queues: list[int]) -> dict[str, Any]:
        simulation = self.simulation
        first_s, window_ps = recent(simulation.now)
        delivered = simulation.floor.ledger.delivered
        targets = {goal.name: goal.target for goal in simulation.level.goals}
        return {
            "tps": delivered.total(first_s, len(delivered.buckets)) * PS_PER_S / window_ps,
            "tps_target": targets.get("tps"),
            "queue": sum(queues),
            "usd_per_mtok": usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens()),
        }

    def _events(self) -> list[dict[str, Any]]:
        """What has happened since the last snapshot."""
        simulation = self.simulation
        new = simulation.floor.events[self._events_told :]
        self._events_told += len(new)
        events = [{"t_ps": at, "code": code, "params": params} for at, code, params in new]
        if simulation.phase == ENDED and not self._ended:
            self._ended = True
            events.append({"t_ps": simulation.now, "code": simulation.end_code, "params": {}})
        return events

    def _result(self) -> dict[str, Any] | None:
        if self.simulation.phase != ENDED:
            return None
        return {
            "passed": self.simulation.passed,
            "hash": self.simulation.state_hash(),
            "goals": [goal_data(judgement) for judgement in self.recorder.judgements],
        }


def goal_data(judgement: Judgement) -> dict[str, Any]:
    """A goal and how it stands, as the view gets it."""
    return {
        "code": f"goal.{judgement.goal.metric}",
        "tenant": judgement.goal.tenant,
        "value": judgement.value,
        "target": float(judgement.goal.target),
        "at_least": judgement.goal.at_least,
        "met": judgement.met,
    }


def _structure(simulation: Simulation) -> dict[str, Any]:
    level, floor, site = simulation.level, simulation.floor, simulation.site
    machines, pads, belts = list(floor.machines.values()), list(floor.pads.values()), list(floor.belts.values())
    starts, tiles = [], 0
    for belt in belts:
        starts.append(tiles)
        tiles += len(belt.tiles)
    return {
        "level": {
            "number": level.number,
            "id": level.id,
            "seed": simulation.seed,
            "width": level.width,
            "height": level.height,
            "warmup_ps": level.warmup_s * PS_PER_S,
            "end_ps": simulation.end_ps,
            "layout_hash": layout_hash(site.layout()),
            "window_s": as_seconds(simulation.end_ps) - level.warmup_s,
            "tenants": [tenant.id for tenant in level.tenants],
            "billed": level.supply is not None,
        },
        "pads": {
            "id": [pad.id for pad in pads],
            "x": [pad.x for pad in pads],
            "y": [pad.y for pad in pads],
            "w": [pad.width for pad in pads],
            "h": [pad.height for pad in pads],
            "gpu": [pad.gpu.name for pad in pads],
            "vram_bytes": [pad.gpu.vram_bytes for pad in pads],
            "fixed_bytes": [pad.fixed_bytes for pad in pads],
            "kv_bytes": [size_bytes(pad) for pad in pads],
            "broken": [pad.broken for pad in pads],
        },
        "machines": {
            "id": [machine.id for machine in machines],
            "kind": [machine.stand.kind.name for machine in machines],
            "x": [machine.stand.x for machine in machines],
            "y": [machine.stand.y for machine in machines],
            "rot": [machine.stand.rotation for machine in machines],
            "w": [machine.stand.size[0] for machine in machines],
            "h": [machine.stand.size[1] for machine in machines],
            "pad": [-1 if machine.pad is None else machine.pad.id for machine in machines],
            "fixed": [machine.id in site.fixed for machine in machines],
        },
        "belts": {
            "id": [belt.id for belt in belts],
            "from": [belt.source.machine for belt in belts],
            "from_port": [belt.source.port for belt in belts],
            "to": [belt.target.machine for belt in belts],
            "to_port": [belt.target.port for belt in belts],
            "kind": [belt.packet for belt in belts],
            "start": starts,
            "length": [len(belt.tiles) for belt in belts],
        },
        "tiles_x": [tile[0] for belt in belts for tile in belt.tiles],
        "tiles_y": [tile[1] for belt in belts for tile in belt.tiles],
        "states": list(STATES),
        "limits": list(LIMITS),
        "palette": {"kind": list(site.allowed), "left": [site.left(kind) for kind in site.allowed]},
    }
