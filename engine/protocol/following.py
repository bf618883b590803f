"""A recording that is watched: its commands are given at their times, until the player takes over."""

from __future__ import annotations

from typing import Any

from attrs import define

from engine.errors import EngineError
from engine.protocol.branches import GivenCommand
from engine.protocol.commands import give
from engine.simulation import RUNNING, Simulation


@define
class Following:
    """What a recording says of the game that it is followed in. No hook is called meanwhile: what hooks did is among
    the commands.
    """

    commands: list[GivenCommand]
    reached_ps: int
    """Where it ends."""
    state_hash: str
    """That of its end."""
    equal: bool | None = None
    """Whether its end came out as it was recorded; None before that."""

    def advance(self, simulation: Simulation, to_ps: int) -> None:
        """Go on to a time, or to the next command."""
        given = len(simulation.commands)
        next_ps = self.commands[given][0] if given < len(self.commands) else self.reached_ps
        simulation.advance(min(to_ps, next_ps))
        while given < len(self.commands) and self.commands[given][0] <= simulation.now:
            try:
                give(simulation, self.commands[given][1])
                given += 1
            except EngineError:  # of another version of the game
                del self.commands[given]
        if self.equal is None and self.at_end(simulation):
            self.equal = simulation.state_hash() == self.state_hash

    def at_end(self, simulation: Simulation) -> bool:
        """Whether there is no more of it."""
        return simulation.now >= self.reached_ps or simulation.phase != RUNNING

    def to_data(self) -> dict[str, Any]:
        """As snapshots tell it."""
        return {"reached_ps": self.reached_ps, "equal": self.equal}
