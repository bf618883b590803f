"""Everything that stands on the floor, and how it is connected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from engine.catalog.gpu import Gpu
from engine.catalog.link import Link
from engine.catalog.model import Model
from engine.metrics.ledger import Ledger
from engine.physics.kv_cache import kv_bytes_per_token, layer_kv_bytes
from engine.physics.roofline import DecodeCost, decode_cost
from engine.traffic.request import Request

if TYPE_CHECKING:
    from engine.floor.belt import Belt
    from engine.floor.machines.base import Machine
    from engine.floor.pad import Pad

BYTES_PER_TOKEN_ID = 4


class Watcher(Protocol):
    """Somebody who draws what moves; the simulation is the same with and without one."""

    def sent(self, belt: Belt, start_ps: int, wire_ps: int, arrival_ps: int) -> None:
        """A packet went on the wire of `belt` at `start_ps` and keeps it busy for `wire_ps`."""

    def made(self, belt: Belt, at_ps: int, tokens: int) -> None:
        """`tokens` tokens were made at `at_ps` and go over `belt`."""

    def horizon_ps(self, belt: Belt) -> int:
        """Tokens made longer ago than this need not be told."""


class Floor:
    """Machines, belts and pads by id; the requests; the ledger of what was achieved."""

    def __init__(self, model: Model, link: Link, ledger: Ledger) -> None:
        self.model, self.link, self.ledger = model, link, ledger
        self.machines: dict[int, Machine] = {}
        self.belts: dict[int, Belt] = {}
        self.pads: dict[int, Pad] = {}
        self.requests: dict[int, Request] = {}
        self.outputs: dict[int, list[Belt]] = {}
        self.inputs: dict[int, list[Belt]] = {}
        self.watcher: Watcher | None = None
        self.step_by_step = False
        """Whether every decode step is an event (the same result, slower)."""
        self._decode_costs: dict[tuple[str, int], DecodeCost] = {}

    def kv_bytes(self, tokens: int) -> int:
        """Bytes of KV cache for `tokens` tokens of the level's model."""
        return kv_bytes_per_token(self.model) * tokens

    def layer_bytes(self, tokens: int) -> int:
        """Bytes of one layer's KV."""
        return layer_kv_bytes(self.model, tokens)

    def decode_cost(self, gpu: Gpu, batch: int) -> DecodeCost:
        """The cost of a decode step of the level's model, worked out once per card and batch size."""
        key = gpu.id, batch
        if key not in self._decode_costs:
            self._decode_costs[key] = decode_cost(gpu, self.model, batch)
        return self._decode_costs[key]

    def nudge(self, machine: int) -> None:
        """Wake a machine up."""
        if machine in self.machines:
            self.machines[machine].nudge()

    def connect(self) -> None:
        """Derive who feeds whom, after belts or machines have changed; wake everybody."""
        self.outputs = {id: [] for id in self.machines}
        self.inputs = {id: [] for id in self.machines}
        for belt in sorted(self.belts.values(), key=lambda belt: belt.order):
            self.outputs[belt.source.machine].append(belt)
            self.inputs[belt.target.machine].append(belt)
        for pad in self.pads.values():
            pad.watchers = []
            pad.vram.fixed_bytes = 0
        for id, machine in self.machines.items():
            if machine.pad is None:
                continue
            machine.pad.vram.fixed_bytes = machine.pad.gpu.overhead_bytes + self.model.weight_bytes
            fed = [self.machines[belt.target.machine].pad for belt in self.outputs[id]]
            for pad in {pad.id: pad for pad in (machine.pad, *fed) if pad is not None}.values():
                pad.watchers.append(id)
        for machine in self.machines.values():
            machine.nudge()

    def send_back(self, requests: list[int]) -> None:
        """Requests whose place was taken away: what they held is given back, and they queue at their dock again.

        Their answer so far is kept: prompt and answer are prefilled anew (recompute, as vLLM does after a preemption).
        """
        for id in requests:
            for pad in self.pads.values():
                pad.free(id)
            request = self.requests[id]
            request.prefill_start_ps = request.prefill_end_ps = request.joined_ps = -1
            self.machines[request.dock].receive(id, None)
