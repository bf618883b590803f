"""What a Prefill Core and a Decode Core have in common: both run a scheduler's steps on a pad."""

from __future__ import annotations

from typing import Any

from engine.catalog.model import Model
from engine.floor.floor import Floor
from engine.floor.kinds import Stand
from engine.floor.machines.base import Machine
from engine.floor.pad import Pad
from engine.metrics.usage import Usage
from engine.scheduling.dump import dump, load
from engine.scheduling.scheduler import Scheduler
from engine.scheduling.stepper import Stepper
from engine.units import PS_PER_S


class Core(Machine):
    """A scheduler and its stepper, and the pad's turn."""

    decodes: bool

    def __init__(self, id: int, floor: Floor, stand: Stand, pad: Pad | None, settings: dict[str, int]) -> None:
        super().__init__(id, floor, stand, pad, settings)
        self.stepper = self._new_stepper()
        self._told_ps = -1

    def max_num_seqs(self) -> int:
        """Most sequences at a time."""
        return self.settings["max_num_seqs"]

    def max_num_batched_tokens(self) -> int:
        """Most tokens in a step."""
        return self.settings["max_num_batched_tokens"]

    @property
    def scheduler(self) -> Scheduler:
        """Who chooses what is in a step."""
        return self.stepper.scheduler

    @property
    def here(self) -> Pad:
        """The pad that it stands on."""
        assert self.pad is not None
        return self.pad

    def model(self) -> Model:
        """What it runs."""
        return self.floor.model

    def new_scheduler(self) -> Scheduler:
        """One for the pad's present memory."""
        return Scheduler(self.max_num_seqs(), self.max_num_batched_tokens(), self.here.pool, self.decodes)

    def _new_stepper(self) -> Stepper:
        deployment = self.floor.deployment(self.here.gpu, self.model())
        stepper = Stepper(self.new_scheduler(), deployment, self.floor.requests, self.floor.ledger)
        stepper.card_busy = self.here.busy
        if self.floor.level.tenants:
            stepper.usage = Usage()
        return stepper

    def connected(self) -> None:
        """Take over the settings."""
        self.scheduler.max_num_seqs = self.max_num_seqs()
        self.scheduler.max_num_batched_tokens = self.max_num_batched_tokens()

    # -- the pad's turn --------------------------------------------------------------------------------------------

    def _must_yield(self) -> bool:
        """Whether another machine waits for the pad, and a step was made in this turn."""
        pad = self.here
        mine = pad.state.holder == self.id
        return mine and pad.contested and self.stepper.last_end_ps > pad.state.granted_ps

    def _begin(self, now: int) -> None:
        """Start the next step, if there is one and the pad is to be had."""
        pad = self.here
        if self._must_yield():
            pad.release(self.id, now)
        if not self.scheduler.may_start():
            pad.release(self.id, now)
            return
        if not pad.acquire(self.id, now):
            return
        waiting = len(self.scheduler.waiting)
        if not self.stepper.begin(now):
            pad.release(self.id, now)
        elif pad.contested:
            self.stepper.only_one_step()
        if len(self.scheduler.waiting) < waiting:
            pad.freed()  # a Gateway lets in as many as are admitted

    def tell_freed(self) -> None:
        """Steps have ended since the last time: slots and memory may be free now."""
        if self.stepper.last_end_ps != self._told_ps:
            self._told_ps = self.stepper.last_end_ps
            self.here.freed()

    # -- state -----------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Scheduler and stepper."""
        return dump(self.stepper)

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        load(self.stepper, data)

    def fit(self) -> None:
        """Use the pad's new memory. Connections are made anew afterwards."""
        before, self.stepper = self.stepper, self._new_stepper()
        self.stepper.busy, self.stepper.usage = before.busy, before.usage

    def interrupt(self) -> None:
        """Write down all steps, and plan anew after the present one."""
        self.stepper.settle(self.now)
        self.stepper.cut(self.now)
        self.nudge()

    def settle(self, now: int) -> None:
        """Write down all steps that are over by `now`."""
        self.stepper.settle(now)

    def write(self) -> None:
        """Write into the requests here what they have reached."""
        self.stepper.write()

    def holds(self) -> dict[int, int]:
        """Request -> blocks of its pad's KV memory that it has here."""
        scheduler, pool, held = self.scheduler, self.here.pool, dict[int, int]()
        for sequence in (*scheduler.waiting, *scheduler.prefilling, *self.stepper.through):
            held[sequence.id] = sequence.blocks
        for sequence in scheduler.decoding.values():
            reached = sequence.known + scheduler.counter - sequence.joined
            held[sequence.id] = pool.blocks(reached - 1) if pool.grows else sequence.blocks
        return {id: blocks for id, blocks in held.items() if blocks}

    # -- what others want to know ----------------------------------------------------------------------------------

    def queue_length(self) -> int:
        """Sequences that wait."""
        return len(self.scheduler.waiting)

    def batch_size(self) -> int:
        """Sequences in the batch."""
        return self.scheduler.running

    def limit(self) -> str:
        """What binds the present step."""
        return self.stepper.run.limit if self.stepper.run else "none"

    def step_ps(self) -> int:
        """Length of the present step."""
        run, due = self.stepper.run, self.stepper.due_ps(step_by_step=True)
        return due - run.start_ps if run is not None and due is not None else 0

    def busy_ps(self, first_s: int, now: int) -> int:
        """Work since second `first_s`, the present step's share included."""
        run, busy = self.stepper.run, self.stepper.busy
        done = busy.total(first_s, len(busy.buckets))
        return done + (max(now - max(run.start_ps, first_s * PS_PER_S), 0) if run else 0)
