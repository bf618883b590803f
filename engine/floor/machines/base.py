"""What all machines have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from engine.floor.floor import Floor
from engine.floor.geometry import order_of
from engine.floor.kinds import Stand
from engine.floor.pad import Pad
from engine.floor.process import Process

if TYPE_CHECKING:
    from engine.floor.belt import Belt

STATES = (
    "idle",
    "working",
    "waiting_pad",
    "waiting_memory",
    "blocked",
    "unconnected",
    "crashed",
    "broken",
)
"""What a machine does or waits for."""
IDLE, WORKING, WAITING_PAD, WAITING_MEMORY, BLOCKED, UNCONNECTED, CRASHED, BROKEN = STATES


class Machine(Process):
    """A machine at a place. What it does over time is all in its state, plain data that a checkpoint keeps."""

    def __init__(self, id: int, floor: Floor, stand: Stand, pad: Pad | None, settings: dict[str, int]) -> None:
        super().__init__(id)
        self.floor, self.stand, self.pad, self.settings = floor, stand, pad, settings

    @property
    def order(self) -> int:
        """The place of its origin."""
        return order_of((self.stand.x, self.stand.y))

    # -- state -----------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Its state as plain data."""
        return {}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""

    # -- what others tell it ---------------------------------------------------------------------------------------

    @abstractmethod
    def receive(self, request: int, belt: Belt | None) -> None:
        """A request arrives over `belt` (None: from outside)."""

    @abstractmethod
    def evict(self) -> list[int]:
        """Forget all requests, give back pad and memory; the requests that were here."""

    def cancel(self, request: int) -> None:
        """A request that was on its way here will not arrive."""

    def cancel_sent(self, request: int) -> None:
        """A request that was sent from here will not arrive."""

    def arrived(self, request: int) -> None:
        """A request that was sent from here has arrived."""

    def connected(self) -> None:
        """Belts or machines have changed."""

    def fit(self) -> None:
        """The pad's memory was divided anew; no request is here."""

    def interrupt(self) -> None:
        """Somebody changes the pad's memory: write down all steps, and plan anew after the present one."""

    def settle(self, now: int) -> None:
        """Write down what has happened by `now` and is still only implied by the state."""

    def write(self) -> None:
        """Write into the requests here what they have reached."""

    # -- what others want to know ----------------------------------------------------------------------------------

    @property
    def is_broken(self) -> bool:
        """Whether the card that it stands on is broken."""
        return self.pad is not None and self.pad.broken

    def status(self) -> str:
        """One of the states above."""
        return BROKEN if self.is_broken else self.doing()

    @abstractmethod
    def doing(self) -> str:
        """Its state on a card that works."""

    def load_length(self) -> int:
        """Requests here, for whoever has to choose between machines."""
        return self.queue_length() + self.batch_size()

    def queue_length(self) -> int:
        """Requests that wait here."""
        return 0

    def batch_size(self) -> int:
        """Requests in the present step."""
        return 0

    def slots(self) -> int:
        """Most requests at a time; 0: no such limit."""
        return 0

    def limit(self) -> str:
        """What binds the present step: `none`, `compute` or `bandwidth`."""
        return "none"

    def step_ps(self) -> int:
        """Length of the present step; 0: none."""
        return 0

    def busy_ps(self, first_s: int, now: int) -> int:
        """Picoseconds of work since the second `first_s`."""
        return 0

    def holds(self) -> dict[int, int]:
        """Request -> blocks of its pad's KV memory that it has here."""
        return {}

    def weight_bytes(self) -> int:
        """Weights that only this machine needs on its pad."""
        return 0

    def kv_bytes_per_token(self) -> int:
        """KV bytes per token that only this machine needs on its pad."""
        return 0

    @property
    def outputs(self) -> list[Belt]:
        """Belts that start here."""
        return self.floor.outputs.get(self.id, [])

    @property
    def inputs(self) -> list[Belt]:
        """Belts that end here."""
        return self.floor.inputs.get(self.id, [])
