"""What a Decode Core and a Model Server have in common: tokens are made here and leave for a Token Dock."""

from __future__ import annotations

from typing import Any

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.kinds import DRAFT
from engine.floor.machines.core import Core


class TokenMaker(Core):
    """A core that needs a way out for its tokens."""

    decodes = True

    def __init__(self, *arguments: Any) -> None:
        self.way_out: list[Belt] = []
        super().__init__(*arguments)

    def ready(self) -> bool:
        """Whether a step may begin, if there is anything to do."""
        return bool(self.way_out) and not self.is_broken

    def act(self, now: int) -> int | None:
        """End the run that is over, let sequences leave and join, begin the next run."""
        stepper, pad = self.stepper, self.here
        stepper.settle(now)
        if stepper.run is not None and self._must_yield():
            stepper.cut(now)
        if stepper.run is None:
            if self.ready() and (self.scheduler.running or self.scheduler.waiting):
                self._begin(now)
            else:
                pad.release(self.id, now)
        self.tell_freed()
        return stepper.due_ps(self.floor.step_by_step)

    def connected(self) -> None:
        """Know the way of the tokens; without one a step under way is lost."""
        super().connected()
        self.way_out = self._find_way_out()
        stepper = self.stepper
        stepper.delay_ps = 0
        for belt in self.way_out:
            stepper.delay_ps += belt.latency_ps(BYTES_PER_TOKEN_ID, BYTES_PER_TOKEN_ID)
        if not self.way_out:
            stepper.abort()
        watcher = self.floor.watcher
        stepper.watcher = None if watcher is None or not self.way_out else _BeltWatcher(self)

    def _find_way_out(self) -> list[Belt]:
        """The belts from here to a Token Dock, through gates; the first way, in the order of places."""
        for belt in self.outputs:
            way, machine = [belt], self.floor.machines[belt.target.machine]
            while machine.stand.kind.name == "validation_gate" and machine.outputs and len(way) < len(self.floor.belts):
                way.append(machine.outputs[0])
                machine = self.floor.machines[way[-1].target.machine]
            if machine.stand.kind.name == "token_dock":
                return way
        return []


class _BeltWatcher:
    """Tells the floor's watcher of tokens on this core's way out."""

    def __init__(self, core: TokenMaker) -> None:
        self.core = core

    def horizon_ps(self) -> int:
        watcher = self.core.floor.watcher
        assert watcher is not None
        return min(watcher.horizon_ps(belt) for belt in self.core.way_out)

    def made(self, at_ps: int, requests: list[int]) -> None:
        watcher = self.core.floor.watcher
        assert watcher is not None
        for belt in self.core.way_out:
            watcher.made(belt, at_ps, requests)

    def drafted(self, at_ps: int, proposed: list[int]) -> None:
        watcher = self.core.floor.watcher
        assert watcher is not None
        for belt in self.core.inputs:
            if belt.packet == DRAFT:
                watcher.made(belt, at_ps, proposed)

    def rejected(self, at_ps: int, requests: list[int], behind: int) -> None:
        """They get as far as the first gate."""
        watcher = self.core.floor.watcher
        assert watcher is not None
        watcher.rejected(self.core.way_out[0], at_ps, requests, behind)
