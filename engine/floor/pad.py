"""A pad is a GPU: the machines that stand on it share it, their steps run one after another, and so they share its
memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define, field

from engine.catalog.gpu import Gpu
from engine.memory.block_table import BlockTable
from engine.memory.paged import PagedPool
from engine.memory.pool import KvPool
from engine.metrics.seconds import PerSecond

if TYPE_CHECKING:
    from engine.floor.machines.base import Machine

NOBODY = -1


@define
class PadState:
    """Who runs on it."""

    holder: int = NOBODY
    """The machine whose step runs, or may start, or NOBODY."""
    queue: list[int] = field(factory=list)
    granted_ps: int = -1
    """Since when the holder has it; -1 for NOBODY."""


class Pad:
    """First come, first served; whoever holds the pad is told when somebody else waits."""

    def __init__(self, id: int, gpu: Gpu, x: int, y: int, width: int, height: int) -> None:
        self.id, self.gpu = id, gpu
        self.x, self.y, self.width, self.height = x, y, width, height
        self.state = PadState()
        self.busy = PerSecond()
        self.pool: KvPool = PagedPool(0)
        self.broken = False
        """Whether the card has failed: nothing runs on it, and nobody sends anything to it."""
        self.fixed_bytes = 0
        """Weights, driver and activations: what is taken before any KV."""
        self.kv_bytes_per_block = 1
        self.table: BlockTable | None = None
        """Which blocks are whose, once somebody has asked."""
        self.pool_shape: tuple[object, ...] | None = None
        """What its memory is like, and for which models."""
        self.nudge: Callable[[int], None] = lambda machine: None
        self.cores: list[Machine] = []
        """The machines that stand here."""
        self.watchers: list[int] = []
        """Machines that may wait for memory here, nudged when some is given back."""

    @property
    def contested(self) -> bool:
        """Whether a machine waits for the pad."""
        return bool(self.state.queue)

    @property
    def kv_bytes(self) -> int:
        """Bytes that KV caches have taken."""
        return self.pool.used * self.kv_bytes_per_block

    @property
    def used_bytes(self) -> int:
        """All bytes that are taken."""
        return self.fixed_bytes + self.kv_bytes

    def acquire(self, machine: int, now: int) -> bool:
        """True when `machine` may run a step now; else it queues and is nudged when its turn comes."""
        state = self.state
        if state.holder == NOBODY:
            state.holder, state.granted_ps = machine, now
        if state.holder == machine:
            return True
        if machine not in state.queue:
            state.queue.append(machine)
            self.nudge(state.holder)
        return False

    def release(self, machine: int, now: int) -> None:
        """Give the pad back, or leave the queue for it."""
        state = self.state
        if machine in state.queue:
            state.queue.remove(machine)
        if state.holder == machine:
            state.holder = state.queue.pop(0) if state.queue else NOBODY
            state.granted_ps = -1 if state.holder == NOBODY else now
            if state.holder != NOBODY:
                self.nudge(state.holder)

    def settle(self, now: int) -> None:
        """Write down the steps of all machines here: only then does the pool say what is free."""
        for core in self.cores:
            core.settle(now)

    def take(self, blocks: int, owner: int) -> bool:
        """Take memory for a request that is on its way here; runs that counted on it are planned anew."""
        self._interrupt()
        return self.pool.take(blocks, owner)

    def give_back(self, blocks: int, owner: int) -> None:
        """Return memory, and tell those who may wait for it."""
        self._interrupt()
        self.pool.give_back(blocks, owner)
        self.freed()

    def freed(self) -> None:
        """Memory or a slot was given back."""
        for machine in self.watchers:
            self.nudge(machine)

    def _interrupt(self) -> None:
        for core in self.cores:
            core.interrupt()
