"""Token Dock: tokens leave the factory here. What it has delivered is counted by the Decode Cores that feed it."""

from __future__ import annotations

from attrs import define

from engine.floor.belt import Belt
from engine.floor.machines.base import IDLE, UNCONNECTED, Machine


@define
class TokenDockState:
    """A Token Dock keeps nothing."""


class TokenDock(Machine):
    """Tokens are a few bytes: they only take the belt's latency, so no event per token is needed."""

    state_class = TokenDockState

    def receive(self, request: int, belt: Belt | None) -> None:
        """Requests never come here, only their tokens."""
        raise AssertionError("a Token Dock takes tokens, not requests")

    def act(self, now: int) -> int | None:
        """Nothing ever falls due."""
        return None

    def evict(self) -> list[int]:
        """Nothing stays here."""
        return []

    def status(self) -> str:
        """Whether a belt leads here."""
        return IDLE if self.floor.inputs.get(self.id) else UNCONNECTED
