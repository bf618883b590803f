"""Everything that stands on the floor, and how it is connected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from engine import catalog
from engine.catalog.gpu import Gpu
from engine.catalog.model import Model
from engine.floor.kinds import KV
from engine.floor.pad import Pad
from engine.level.spec import CONTIGUOUS, Level
from engine.memory.arena import Arena
from engine.memory.contiguous import ContiguousPool
from engine.memory.paged import DEFAULT_BLOCK_SIZE, PagedPool
from engine.memory.pool import KvPool
from engine.memory.shared import SharedPool
from engine.metrics.causes import PREEMPTION, QUEUE
from engine.metrics.ledger import Ledger
from engine.metrics.tally import Tally
from engine.physics.kv_cache import kv_bytes_per_token, layer_kv_bytes
from engine.physics.roofline import Deployment
from engine.supply.accounts import Accounts
from engine.traffic.kinds import AnyTraffic, as_one
from engine.traffic.request import Request

if TYPE_CHECKING:
    from engine.floor.belt import Belt
    from engine.floor.machines.base import Machine

BYTES_PER_TOKEN_ID = 4
_CORES = ("prefill_core", "decode_core")


class Watcher(Protocol):
    """Somebody who draws what moves; the simulation is the same with and without one."""

    def sent(self, belt: Belt, request: int, start_ps: int, wire_ps: int, arrival_ps: int) -> None:
        """A request's packet went on the wire of `belt` at `start_ps` and keeps it busy for `wire_ps`."""

    def made(self, belt: Belt, at_ps: int, requests: Sequence[int]) -> None:
        """Tokens (or drafts) were made at `at_ps`, one for each entry of `requests`, and go over `belt`."""

    def rejected(self, belt: Belt, at_ps: int, requests: Sequence[int], behind: int) -> None:
        """Drafts, one for each entry of `requests`, go over `belt` to be thrown away, behind as many tokens."""

    def horizon_ps(self, belt: Belt) -> int:
        """Tokens made longer ago than this need not be told."""


class Floor:
    """Machines, belts and pads by id; the requests; the ledger of what was achieved."""

    def __init__(self, level: Level, ledger: Ledger) -> None:
        self.level, self.ledger = level, ledger
        self.model, self.link = catalog.model(level.model), catalog.link(level.link)
        self.machines: dict[int, Machine] = {}
        self.belts: dict[int, Belt] = {}
        self.pads = {
            id: Pad(id, catalog.gpu(spec.gpu), spec.x, spec.y, spec.width, spec.height)
            for id, spec in enumerate(level.pads)
        }
        for pad in self.pads.values():
            pad.nudge = self.nudge
        self.accounts = None if level.supply is None else Accounts(level.supply, len(level.pads))
        """Who pays for the cards, where the level counts it."""
        self.streams: list[AnyTraffic] = level.streams
        """What comes at every Prompt Dock by now: of each tenant, or the nameless stream."""
        self.requests: dict[int, Request] = {}
        self.tally = Tally(self.requests)
        """What they have come to."""
        self.outputs: dict[int, list[Belt]] = {}
        self.inputs: dict[int, list[Belt]] = {}
        self.watcher: Watcher | None = None
        self.step_by_step = False
        """Whether every decode step is an event (the same result, slower)."""
        self.events: list[tuple[int, str, dict[str, Any]]] = []
        """What happened that the player should know: time, code, parameters."""
        self._deployments: dict[tuple[str, str, bool], Deployment] = {}

    @property
    def traffic(self) -> AnyTraffic:
        """All streams as one."""
        return as_one(self.streams)

    # -- physics -----------------------------------------------------------------------------------------------------

    def kv_bytes(self, tokens: int) -> int:
        """Bytes of KV cache for `tokens` tokens of the level's model."""
        return kv_bytes_per_token(self.model) * tokens

    def layer_bytes(self, tokens: int) -> int:
        """Bytes of one layer's KV."""
        return layer_kv_bytes(self.model, tokens)

    def served(self, settings: Mapping[str, int]) -> str:
        """The model of a Model Server with these settings, by its name in the catalog."""
        models = self.level.models
        return models[settings.get("model", 0)] if models else self.level.model

    def deployment(self, gpu: Gpu, model: Model | None = None) -> Deployment:
        """A model on a card; None: the level's."""
        return self._deployment(gpu, model or self.model, drafts=False)

    def draft_deployment(self, gpu: Gpu, model: Model) -> Deployment:
        """A draft model on a card: a pass has less host time than a step of the server."""
        return self._deployment(gpu, model, drafts=True)

    def _deployment(self, gpu: Gpu, model: Model, drafts: bool) -> Deployment:
        key = gpu.id, model.id, drafts
        if key not in self._deployments:
            card = attrs.evolve(gpu, host_s_per_step=self.level.draft_pass_s) if drafts else gpu
            self._deployments[key] = Deployment(card, model)
        return self._deployments[key]

    # -- connections ---------------------------------------------------------------------------------------------------

    def nudge(self, machine: int) -> None:
        """Wake a machine up."""
        if machine in self.machines:
            self.machines[machine].nudge()

    def watch(self, watcher: Watcher) -> None:
        """Tell `watcher` what moves from now on."""
        self.watcher = watcher
        for machine in self.machines.values():
            machine.connected()

    def connect(self) -> None:
        """Derive who feeds whom, after belts or machines have changed; wake everybody."""
        self.outputs = {id: [] for id in self.machines}
        self.inputs = {id: [] for id in self.machines}
        for belt in sorted(self.belts.values(), key=lambda belt: belt.order):
            self.outputs[belt.source.machine].append(belt)
            self.inputs[belt.target.machine].append(belt)
        for pad in self.pads.values():
            pad.watchers, pad.cores = [], []
        for id, machine in self.machines.items():
            if machine.pad is None:
                continue
            machine.pad.cores.append(machine)
            fed = [self.machines[belt.target.machine].pad for belt in self.outputs[id]]
            for pad in {pad.id: pad for pad in (machine.pad, *fed) if pad is not None}.values():
                pad.watchers.append(id)
        for machine in self.machines.values():
            machine.connected()
            machine.nudge()

    def on_pad(self, pad: Pad, kind: str) -> list[Machine]:
        """Machines of a kind on a pad, in the order of their places."""
        found = [
            machine for machine in self.machines.values() if machine.pad is pad and machine.stand.kind.name == kind
        ]
        return sorted(found, key=lambda machine: machine.order)

    # -- memory ----------------------------------------------------------------------------------------------------

    def fit_memory(self) -> list[int]:
        """Divide each pad's memory anew where what stands on it has changed; the requests that lost their place."""
        homeless: list[int] = []
        for pad in self.pads.values():
            fixed, per_token = self._fixed_bytes(pad), self._kv_bytes_per_token(pad)
            pool = self._pool(pad, fixed, per_token)
            shape = (*_shape(pool), *(self.served(server.settings) for server in self.on_pad(pad, "model_server")))
            if (pad.fixed_bytes, pad.pool_shape) == (fixed, shape):
                continue
            if pad.pool_shape is not None:
                homeless += self.empty(pad)
            pad.fixed_bytes, pad.kv_bytes_per_block = fixed, per_token * pool.block_size
            pad.pool, pad.pool_shape = pool, shape
            for machine in self.machines.values():
                if machine.pad is pad:
                    machine.fit()
        return homeless

    def weights_with(self, pad: Pad, kind: str = "", settings: dict[str, int] | None = None) -> int:
        """Bytes of weights on a pad, with one more machine of a kind."""
        weights = 0
        if kind in _CORES or any(self.on_pad(pad, core) for core in _CORES):
            weights += self.model.weight_bytes
        for other in (*self.on_pad(pad, "model_server"), *self.on_pad(pad, "draft_model")):
            weights += other.weight_bytes()
        if kind == "model_server" and settings is not None:
            weights += catalog.model(self.served(settings)).weight_bytes
        if kind == "draft_model" and settings is not None:
            weights += catalog.model(self.level.draft_models[settings["model"]]).weight_bytes
        return weights

    def _fixed_bytes(self, pad: Pad) -> int:
        weights = self.weights_with(pad)
        return weights + pad.gpu.overhead_bytes if weights else 0

    def _kv_bytes_per_token(self, pad: Pad) -> int:
        """Of the model here; where several share the memory, blocks are as large as the largest of them needs."""
        servers = [server.kv_bytes_per_token() for server in self.on_pad(pad, "model_server")]
        if not servers or any(self.on_pad(pad, core) for core in _CORES):
            servers.append(kv_bytes_per_token(self.model))
        per_token = max(servers)
        for draft in self.on_pad(pad, "draft_model"):
            per_token += draft.kv_bytes_per_token()
        return per_token

    def _pool(self, pad: Pad, fixed: int, per_token: int) -> KvPool:
        """Paged where a Page Allocator stands; else reservations, as the level's server makes them."""
        level = self.level
        room = max(int(pad.gpu.vram_bytes * level.memory_utilization) - fixed, 0) if fixed else 0
        allocators = self.on_pad(pad, "page_allocator")
        if allocators:
            size = allocators[0].settings.get("block_size", DEFAULT_BLOCK_SIZE)
            if self.on_pad(pad, "model_server") and not self.on_pad(pad, "batcher"):  # a static batch reserves
                return PagedPool(room // (per_token * size), size, grows=False)
            shared = self.on_pad(pad, "prefix_cache")
            return (SharedPool if shared else PagedPool)(room // (per_token * size), size)
        if level.kv_memory == CONTIGUOUS:
            longest = level.max_model_len
            for core in self.on_pad(pad, "decode_core"):
                longest = core.settings.get("max_model_len", longest)
            return ContiguousPool(Arena(room), longest, per_token * longest)
        return PagedPool(room // per_token, 1, grows=False)

    def empty(self, pad: Pad) -> list[int]:
        """Send everything away that has KV in a pad's memory; the requests that lost their place."""
        homeless: list[int] = []
        for belt in self.belts.values():
            ends = self.machines[belt.source.machine], self.machines[belt.target.machine]
            if belt.packet == KV and any(machine.pad is pad for machine in ends):
                homeless += self.clear(belt)
        for machine in self.machines.values():
            if machine.pad is pad:
                homeless += machine.evict()
        return homeless

    def clear(self, belt: Belt) -> list[int]:
        """Take everything off a belt, on both its ends; the requests that were on it."""
        requests = belt.evict()
        for request in requests:
            self.machines[belt.source.machine].cancel_sent(request)
            self.machines[belt.target.machine].cancel(request)
        return requests

    # -- requests --------------------------------------------------------------------------------------------------

    def send_back(self, requests: list[int], now: int) -> None:
        """Requests whose place was taken away queue at their dock again.

        Their answer so far is kept: prompt and answer are prefilled anew (recompute, as vLLM does after a preemption).
        What a core lost when it ran out of memory stays lost, though its KV may still have been on a belt.
        """
        for id in requests:
            request = self.requests[id]
            if request.lost_ps >= 0:
                continue
            request.mark(PREEMPTION if request.recompute else QUEUE, now)
            request.recompute = request.recompute or request.prefill_start_ps >= 0
            self.machines[request.dock].receive(id, None)

    def event(self, now: int, code: str, /, **params: Any) -> None:
        """Something happened that the player should know."""
        self.events.append((now, code, params))


def _shape(pool: KvPool) -> tuple[object, ...]:
    return type(pool).__name__, pool.total, pool.block_size, pool.grows
