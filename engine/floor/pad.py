"""A pad is a GPU: the machines that stand on it share it, their steps run one after another."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from engine.catalog.gpu import Gpu
from engine.memory.vram import Vram
from engine.metrics.seconds import PerSecond

NOBODY = -1


@define
class PadState:
    """What a checkpoint keeps of a pad."""

    holder: int = NOBODY
    """The machine whose step runs, or may start, or NOBODY."""
    queue: list[int] = field(factory=list)
    held: dict[int, int] = field(factory=dict)
    """KV bytes per request."""
    busy: PerSecond = field(factory=PerSecond)


class Pad:
    """First come, first served; whoever holds the pad is told when somebody else waits."""

    def __init__(self, id: int, gpu: Gpu, x: int, y: int, width: int, height: int, vram: Vram) -> None:
        self.id, self.gpu = id, gpu
        self.x, self.y, self.width, self.height = x, y, width, height
        self.vram = vram
        self.state = PadState(held=vram.held)
        self.nudge: Callable[[int], None] = lambda machine: None
        self.watchers: list[int] = []
        """Machines that may wait for memory here, nudged when some is given back."""

    def restore(self, state: PadState) -> None:
        """Take over the state of a checkpoint."""
        self.state = state
        self.vram.held = state.held

    @property
    def contested(self) -> bool:
        """Whether a machine waits for the pad."""
        return bool(self.state.queue)

    def acquire(self, machine: int) -> bool:
        """True when `machine` may run a step now; else it queues and is nudged when its turn comes."""
        state = self.state
        if state.holder == NOBODY:
            state.holder = machine
        if state.holder == machine:
            return True
        if machine not in state.queue:
            state.queue.append(machine)
            self.nudge(state.holder)
        return False

    def release(self, machine: int) -> None:
        """Give the pad back, or leave the queue for it."""
        state = self.state
        if machine in state.queue:
            state.queue.remove(machine)
        if state.holder == machine:
            state.holder = state.queue.pop(0) if state.queue else NOBODY
            if state.holder != NOBODY:
                self.nudge(state.holder)

    def free(self, request: int) -> None:
        """Give back the memory of `request` and tell those who may wait for it."""
        self.vram.free(request)
        for machine in self.watchers:
            self.nudge(machine)
