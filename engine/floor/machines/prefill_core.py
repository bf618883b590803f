"""Prefill Core: works on all tokens of a prompt in parallel and hands its KV cache on to a Decode Core.

It starts a step when it holds no finished KV that nobody takes: a hand-off begins only once the Decode Core has
reserved a slot and the memory for the whole sequence, as an engine does that pulls KV from a remote prefill.
"""

from __future__ import annotations

from attrs import define, field

from engine.floor.belt import Belt
from engine.floor.machines.base import (
    BLOCKED,
    IDLE,
    UNCONNECTED,
    WAITING_MEMORY,
    WAITING_PAD,
    WORKING,
    Machine,
)
from engine.floor.machines.decode_core import DecodeCore
from engine.metrics.seconds import PerSecond
from engine.physics.roofline import prefill_cost


@define
class PrefillCoreState:
    """What a checkpoint keeps."""

    waiting: list[int] = field(factory=list)
    batch: list[int] = field(factory=list)
    """Requests in the present step."""
    start_ps: int = 0
    end_ps: int = 0
    limit: str = "none"
    finished: list[int] = field(factory=list)
    """Requests whose KV waits to be handed on."""
    busy: PerSecond = field(factory=PerSecond)


class PrefillCore(Machine):
    """Prompts in order of arrival, as many in one step as `max_num_batched_tokens` allows, at least one."""

    state_class = PrefillCoreState
    state: PrefillCoreState

    def receive(self, request: int, belt: Belt | None) -> None:
        """A prompt has arrived."""
        self.state.waiting.append(request)
        self.nudge()

    def act(self, now: int) -> int | None:
        """End the step that is over, hand on what is finished, begin the next step."""
        state = self.state
        assert self.pad is not None
        if state.batch and state.end_ps <= now:
            self._end_step(now)
        while state.finished and self._hand_on(state.finished[0]):
            state.finished.pop(0)
        if not state.batch:
            if self._may_start() and self.pad.acquire(self.id):
                self._begin_step(now)
            elif not self._may_start():
                self.pad.release(self.id)
        return state.end_ps if state.batch else None

    def _may_start(self) -> bool:
        state = self.state
        return bool(state.waiting and not state.finished and self.outputs and self._fits(state.waiting[0]))

    def _fits(self, request: int) -> bool:
        assert self.pad is not None
        return self.pad.vram.fits(request, self.floor.kv_bytes(self.floor.requests[request].context_tokens))

    def _begin_step(self, now: int) -> None:
        state, lengths = self.state, list[int]()
        assert self.pad is not None
        while state.waiting:
            request = self.floor.requests[state.waiting[0]]
            length, room = request.context_tokens, self.settings["max_num_batched_tokens"]
            for other in lengths:
                room -= other
            if lengths and length > room:
                break
            if not self.pad.vram.hold(request.id, self.floor.kv_bytes(length)):
                break
            state.batch.append(state.waiting.pop(0))
            request.prefill_start_ps = now
            lengths.append(length)
        cost = prefill_cost(self.pad.gpu, self.floor.model, lengths)
        state.start_ps, state.end_ps, state.limit = now, now + cost.step_ps, cost.limit

    def _end_step(self, now: int) -> None:
        state = self.state
        assert self.pad is not None
        state.busy.add_span(state.start_ps, state.end_ps)
        self.pad.state.busy.add_span(state.start_ps, state.end_ps)
        for id in state.batch:
            self.floor.requests[id].prefill_end_ps = now
        state.finished.extend(state.batch)
        state.batch.clear()
        state.limit = "none"
        self.pad.release(self.id)

    def _hand_on(self, id: int) -> bool:
        """Begin the hand-off to the Decode Core with the least to do that has room."""
        request = self.floor.requests[id]
        best: tuple[int, int] | None = None
        chosen: tuple[Belt, DecodeCore] | None = None
        for belt in self.outputs:
            core = self.floor.machines[belt.target.machine]
            assert isinstance(core, DecodeCore)
            rank = (core.load(), belt.order)
            if core.has_room(request) and (best is None or rank < best):
                best, chosen = rank, (belt, core)
        if chosen is None:
            return False
        belt, core = chosen
        core.reserve(request)
        if core.pad is self.pad:
            belt.send(id, 0, 0)  # the KV stays where it is, in the memory of the GPU that both share
        else:
            tokens = request.context_tokens
            belt.send(id, self.floor.kv_bytes(tokens), self.floor.layer_bytes(tokens))
        return True

    def evict(self) -> list[int]:
        """Forget all requests, give the pad back."""
        state = self.state
        requests = state.finished + state.batch + state.waiting
        state.finished, state.batch, state.waiting = [], [], []
        if self.pad is not None:
            self.pad.release(self.id)
        return requests

    def queue_length(self) -> int:
        """Prompts that wait."""
        return len(self.state.waiting)

    def batch_size(self) -> int:
        """Prompts in the step or on hand."""
        return len(self.state.batch) + len(self.state.finished)

    def limit(self) -> str:
        """What binds the present step."""
        return self.state.limit

    def step_ps(self) -> int:
        """Length of the present step."""
        return self.state.end_ps - self.state.start_ps if self.state.batch else 0

    def busy_ps(self, first_s: int, now: int) -> int:
        """Work since second `first_s`, the present step's share included."""
        state = self.state
        done = state.busy.total(first_s, len(state.busy.buckets))
        return done + (max(now - max(state.start_ps, first_s * 10**12), 0) if state.batch else 0)

    def status(self) -> str:
        """What the core does or waits for."""
        state = self.state
        if state.batch:
            return WORKING
        if not self.outputs or not self.floor.inputs.get(self.id):
            return UNCONNECTED
        if state.finished:
            return BLOCKED
        if not state.waiting:
            return IDLE
        return WAITING_PAD if self._fits(state.waiting[0]) else WAITING_MEMORY
