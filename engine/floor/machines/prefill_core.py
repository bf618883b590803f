"""Prefill Core: works on all tokens of a prompt in parallel and hands its KV cache on to a Decode Core.

It starts a step when it holds no finished KV that nobody takes: a hand-off begins only once the Decode Core has a slot
and memory for it, as an engine does that pulls KV from a remote prefill.
"""

from __future__ import annotations

from typing import Any

from engine.floor.belt import Belt
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, WAITING_MEMORY, WAITING_PAD, WORKING
from engine.floor.machines.core import Core
from engine.floor.machines.decode_core import DecodeCore
from engine.metrics.causes import LINK, PREEMPTION, QUEUE
from engine.scheduling.sequence import Sequence


class PrefillCore(Core):
    """Prompts in order of arrival, as many tokens in one step as `max_num_batched_tokens` allows."""

    decodes = False
    _MOST_AT_ONCE = 256

    def __init__(self, *arguments: Any) -> None:
        self.sent: dict[int, int] = {}
        """Request -> blocks of its KV here, while the hand-off is under way."""
        super().__init__(*arguments)

    def max_num_seqs(self) -> int:
        """As many as the budget of tokens lets in."""
        return self._MOST_AT_ONCE

    def receive(self, request: int, belt: Belt | None) -> None:
        """A prompt has arrived."""
        asked = self.floor.requests[request]
        asked.mark(PREEMPTION if asked.recompute else LINK, self.now)
        if asked.prompt_tokens + asked.output_tokens > self._longest_taken():
            asked.refused = True
            self.floor.ledger.refused(asked)
            return
        made = asked.tokens
        self.scheduler.add(Sequence(request, asked.output_tokens, asked.prompt_tokens + made, made=made))
        self.nudge()

    def _longest_taken(self) -> int:
        """The longest sequence that a Decode Core behind this one takes."""
        cores = [self.floor.machines[belt.target.machine] for belt in self.outputs]
        limits = [core.settings["max_model_len"] for core in cores if "max_model_len" in core.settings]
        return max(limits, default=1 << 30)

    def act(self, now: int) -> int | None:
        """End the step that is over, hand on what is finished, begin the next step."""
        stepper, pad = self.stepper, self.here
        stepper.settle(now)
        if stepper.run is None:
            while stepper.through and self._hand_on(stepper.through[0], now):
                stepper.through.pop(0)
            ready = not stepper.through and self.outputs and not self.is_broken
            if ready and (self.scheduler.waiting or self.scheduler.prefilling):
                self._begin(now)
            else:
                pad.release(self.id, now)
        self.tell_freed()
        return stepper.due_ps(self.floor.step_by_step)

    def _hand_on(self, sequence: Sequence, now: int) -> bool:
        """Begin the hand-off to the Decode Core with the least to do that has room."""
        best: tuple[int, int] | None = None
        chosen: tuple[Belt, DecodeCore] | None = None
        for belt in self.outputs:
            core = self.floor.machines[belt.target.machine]
            assert isinstance(core, DecodeCore)
            rank = (core.load_length(), belt.order)
            if core.has_room(sequence, self.here) and (best is None or rank < best):
                best, chosen = rank, (belt, core)
        if chosen is None:
            return False
        belt, core = chosen
        self.floor.requests[sequence.id].mark(QUEUE, now)
        local = core.pad is self.pad
        core.reserve(sequence, self.here)
        if not local:
            self.sent[sequence.id] = sequence.blocks
        tokens = 0 if local else sequence.known  # on the same card the KV stays where it is
        belt.send(sequence.id, self.floor.kv_bytes(tokens), self.floor.layer_bytes(tokens))
        return True

    def arrived(self, request: int) -> None:
        """The KV is where it should be: its memory here is free."""
        if request in self.sent:
            self.here.give_back(self.sent.pop(request), request)

    def cancel_sent(self, request: int) -> None:
        """The hand-off will not arrive."""
        self.arrived(request)

    def evict(self) -> list[int]:
        """Forget all requests, give back pad and memory. What is on a belt is taken off before."""
        for sequence in self.stepper.through:
            self.here.pool.give_back(sequence.blocks, sequence.id)
        requests = self.stepper.evict()
        self.here.release(self.id, self.now)
        return requests

    def holds(self) -> dict[int, int]:
        """Also what is still here of hand-offs under way."""
        return {**super().holds(), **self.sent}

    def dump(self) -> dict[str, Any]:
        """The core's, and what is under way."""
        return {**super().dump(), "sent": {str(id): blocks for id, blocks in self.sent.items()}}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        super().load(data)
        self.sent = {int(id): blocks for id, blocks in data["sent"].items()}

    def batch_size(self) -> int:
        """Prompts in the step or on hand."""
        return self.scheduler.running + len(self.stepper.through)

    def doing(self) -> str:
        """What the core does or waits for."""
        if self.stepper.run is not None:
            return WORKING
        if not self.outputs or not self.inputs:
            return UNCONNECTED
        if self.stepper.through:
            return BLOCKED
        if not self.scheduler.waiting:
            return IDLE
        return WAITING_PAD if self.id in self.here.state.queue else WAITING_MEMORY
