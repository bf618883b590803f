"""The snapshot that the view gets each frame: what changes always as columns, what the player builds only when it has
changed.
"""

from __future__ import annotations

from typing import Any

from engine.floor.layout import layout_hash
from engine.floor.machines.base import STATES
from engine.floor.machines.core import Core
from engine.level.goals import Judgement
from engine.metrics.seconds import recent
from engine.physics.money import usd_per_million_tokens
from engine.protocol.arrays import reals
from engine.protocol.trail import Trail
from engine.simulation import ENDED, Simulation
from engine.units import PS_PER_S, as_seconds

SNAPSHOT_VERSION = 1
_STATE = {name: index for index, name in enumerate(STATES)}
_JUDGED_EVERY_PS = 2 * PS_PER_S


class Snapshots:
    """Makes the snapshots of one simulation; remembers what the view has already been told."""

    def __init__(self, simulation: Simulation, trail: Trail) -> None:
        self.simulation, self.trail = simulation, trail
        self._revision = -1
        self._judged_at = -1
        self._judgements: list[Judgement] = []
        self._ended = False

    def take(self, lag: bool) -> dict[str, Any]:
        """The snapshot of now."""
        simulation = self.simulation
        judged = self._judge()
        snapshot: dict[str, Any] = {
            "v": SNAPSHOT_VERSION,
            "t_ps": simulation.now,
            "phase": simulation.phase,
            "lag": lag,
            "rev": simulation.site.revision,
        }
        if self._revision != simulation.site.revision:
            self._revision = simulation.site.revision
            self.trail.layout_changed()
            snapshot["structure"] = _structure(simulation)
        snapshot.update(
            self._work(),
            hud=self._hud(),
            packets=self.trail.packets(simulation.now),
            events=self._events(),
            result=self._result(),
        )
        if judged or "structure" in snapshot:
            snapshot["goals"] = [_goal(judgement) for judgement in self._judgements]
        return snapshot

    def _judge(self) -> bool:
        """Goals are judged anew every other simulated second, and at the end; whether they were."""
        due = self.simulation.now // _JUDGED_EVERY_PS
        if due == self._judged_at and self.simulation.phase != ENDED:
            return False
        self._judged_at = due
        self._judgements = self.simulation.judge()
        return True

    def _work(self) -> dict[str, Any]:
        """The columns of pads and machines: one byte a state, else arrays that Godot reads natively."""
        floor, now = self.simulation.floor, self.simulation.now
        first_s, window_ps = recent(now)
        working = dict.fromkeys(floor.pads, 0)
        busy = []
        for machine in floor.machines.values():
            busy_ps = machine.busy_ps(first_s, now)
            busy.append(min(busy_ps / window_ps, 1.0))
            if isinstance(machine, Core):  # what a draft model does is part of its core's steps
                working[machine.here.id] += busy_ps
        machines = floor.machines.values()
        return {
            "pads": {
                "used_bytes": reals([pad.used_bytes for pad in floor.pads.values()]),
                "busy": reals([min(busy_ps / window_ps, 1.0) for busy_ps in working.values()]),
            },
            "machines": {
                "state": bytes([_STATE[machine.status()] for machine in machines]),
                "queue": reals([machine.queue_length() for machine in machines]),
                "busy": reals(busy),
            },
        }

    def _hud(self) -> dict[str, Any]:
        simulation = self.simulation
        first_s, window_ps = recent(simulation.now)
        delivered = simulation.floor.ledger.delivered
        values = {judgement.goal.metric: judgement for judgement in self._judgements}
        waiting = 0
        for machine in simulation.floor.machines.values():
            waiting += machine.queue_length()
        return {
            "tps": delivered.total(first_s, len(delivered.buckets)) * PS_PER_S / window_ps,
            "tps_target": values["tps"].goal.target if "tps" in values else None,
            "queue": waiting,
            "usd_per_mtok": usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens()),
        }

    def _events(self) -> list[dict[str, Any]]:
        """What has happened since the last snapshot."""
        simulation = self.simulation
        events = [{"t_ps": at, "code": code, "params": params} for at, code, params in simulation.floor.events]
        simulation.floor.events.clear()
        if simulation.phase == ENDED and not self._ended:
            self._ended = True
            code = "run.won" if simulation.passed else "run.lost"
            events.append({"t_ps": simulation.now, "code": code, "params": {}})
        return events

    def _result(self) -> dict[str, Any] | None:
        if self.simulation.phase != ENDED:
            return None
        return {
            "passed": self.simulation.passed,
            "hash": self.simulation.state_hash(),
            "goals": [_goal(judgement) for judgement in self._judgements],
        }


def _goal(judgement: Judgement) -> dict[str, Any]:
    return {
        "code": f"goal.{judgement.goal.metric}",
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
        },
        "pads": {
            "id": [pad.id for pad in pads],
            "x": [pad.x for pad in pads],
            "y": [pad.y for pad in pads],
            "w": [pad.width for pad in pads],
            "h": [pad.height for pad in pads],
            "gpu": [pad.gpu.name for pad in pads],
            "vram_bytes": [pad.gpu.vram_bytes for pad in pads],
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
        "palette": {"kind": list(level.allowed), "left": [site.left(kind) for kind in level.allowed]},
    }
