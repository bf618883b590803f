"""Machines to which nothing happens in time: where they stand, or what passes through them, is all that counts."""

from __future__ import annotations

from engine.floor.belt import Belt
from engine.floor.machines.base import IDLE, UNCONNECTED, WORKING, Machine
from engine.memory.shared import SharedPool


class Passive(Machine):
    """Never acts, never holds a request."""

    def act(self, now: int) -> int | None:
        """Nothing ever falls due."""
        return None

    def receive(self, request: int, belt: Belt | None) -> None:
        """Requests never come here, only their tokens."""
        raise AssertionError(f"a {self.stand.kind.name} takes no requests")

    def evict(self) -> list[int]:
        """Nothing stays here."""
        return []

    def doing(self) -> str:
        """Whether belts lead here."""
        return IDLE if self.inputs else UNCONNECTED


class TokenDock(Passive):
    """Tokens leave the factory here. Tokens are a few bytes: they only take the belt's latency, no event per token."""

    def doing(self) -> str:
        """A dock without a belt is unconnected, unless tokens leave by another one."""
        docks = [machine for machine in self.floor.machines.values() if isinstance(machine, TokenDock)]
        return IDLE if any(dock.inputs for dock in docks) else UNCONNECTED


class ValidationGate(Passive):
    """Lets accepted tokens pass and throws the others away: with it on the way out, a Decode Core may check drafts."""


class PageAllocator(Passive):
    """On its pad, KV memory is handed out in blocks, with a block table per sequence, instead of in one piece."""

    def doing(self) -> str:
        """Whether it has memory to hand out."""
        return WORKING if self.pad is not None and self.pad.pool.total else IDLE


class Batcher(Passive):
    """On its pad, sequences join and leave a Model Server's batch between any two steps (continuous batching)."""

    def doing(self) -> str:
        """Whether it has a server to serve."""
        return WORKING if _has_server(self) else IDLE


class Chunker(Passive):
    """On its pad, prompts are cut into chunks that share a Model Server's steps with the sequences that decode."""

    def doing(self) -> str:
        """Whether it has a server to serve."""
        return WORKING if _has_server(self) else IDLE


def _has_server(machine: Machine) -> bool:
    return machine.pad is not None and bool(machine.floor.on_pad(machine.pad, "model_server"))


class PrefixCache(Passive):
    """On its pad, blocks of a common beginning are kept once, and found again; only pages can be shared."""

    def doing(self) -> str:
        """Whether it shares a memory."""
        return WORKING if self.pad is not None and isinstance(self.pad.pool, SharedPool) else IDLE
