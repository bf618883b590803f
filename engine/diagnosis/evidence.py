"""What was seen of a run: what limited each machine, and what the requests spent their time on."""

from __future__ import annotations

from collections import deque

from attrs import define, field, frozen

from engine.diagnosis.limits import LIMITS, NONE, limit_of
from engine.diagnosis.waits import WHOLE, drafts, place, waits
from engine.floor.geometry import Tile
from engine.metrics.history import LOOKS_PER_S
from engine.simulation import Simulation

RECENT_S = 10
RECENT = RECENT_S * LOOKS_PER_S
"""Looks that make up the last ten seconds."""


@frozen
class Look:
    """What was seen at a moment, by the origins of the machines."""

    time_ps: int
    limits: dict[Tile, str]
    spent: dict[tuple[str, Tile], int]
    """(cause, machine to blame) -> thousandths of requests."""
    drafts: dict[Tile, tuple[int, int]]
    """Tokens proposed and accepted so far."""


def look_at(simulation: Simulation) -> Look:
    """Look now."""
    floor, spent = simulation.floor, dict[tuple[str, Tile], int]()
    for cause, where, amount in waits(floor):
        key = cause, where
        spent[key] = spent.get(key, 0) + amount
    limits = {place(machine): limit_of(machine, machine.status()) for machine in floor.machines.values()}
    return Look(simulation.now, limits, spent, {where: (made, right) for where, made, right in drafts(floor)})


@define
class Evidence:
    """Sums over the last `most` looks (None: over all, of which only the first and the last are kept)."""

    most: int | None = RECENT
    looks: deque[Look] = field(factory=deque)
    seen: int = 0
    """Looks that are in the sums."""
    spent: dict[tuple[str, Tile], int] = field(factory=dict)
    """(cause, machine to blame) -> thousandths of requests, summed over the looks."""
    limits: dict[Tile, dict[str, int]] = field(factory=dict)
    """Machine -> limit -> looks."""

    def look(self, simulation: Simulation) -> None:
        """Look now (engine.metrics.history.Looker)."""
        look = look_at(simulation)
        self.looks.append(look)
        self._count(look, 1)
        if self.most is None and len(self.looks) > 2:
            self.looks.pop()
            self.looks[-1] = look
        elif self.most is not None and len(self.looks) > self.most:
            self._count(self.looks.popleft(), -1)

    def rewound(self, simulation: Simulation) -> None:
        """Forget what was seen after `simulation.now`."""
        while self.looks and self.looks[-1].time_ps > simulation.now:
            self._count(self.looks.pop(), -1)

    def _count(self, look: Look, sign: int) -> None:
        self.seen += sign
        for key, amount in look.spent.items():
            self.spent[key] = self.spent.get(key, 0) + sign * amount
        for where, limit in look.limits.items():
            counts = self.limits.setdefault(where, {})
            counts[limit] = counts.get(limit, 0) + sign

    # -- what it says --------------------------------------------------------------------------------------------------

    def shares(self, where: Tile) -> list[tuple[str, float]]:
        """Each limit's share of the time in which the machine was there, the largest first, without `none`."""
        counts = self.limits.get(where, {})
        seen = 0
        for count in counts.values():
            seen += count
        found = [(name, counts[name] / seen) for name in LIMITS if name != NONE and counts.get(name)]
        return sorted(found, key=lambda entry: -entry[1])

    def share(self, where: Tile, *limits: str) -> float:
        """The share of the time in which the machine had one of these limits."""
        total = 0.0
        for name, share in self.shares(where):
            total += share if name in limits else 0.0
        return total

    def requests(self, cause: str, where: Tile) -> float:
        """How many requests spent their time so, on average."""
        return self.spent.get((cause, where), 0) / (WHOLE * self.seen) if self.seen else 0.0

    def waiting(self, cause: str, where: Tile) -> float:
        """How many do so: of a run under way when it was looked at last, as the machines themselves tell it."""
        now = self.looks[-1].spent.get((cause, where), 0) / WHOLE if self.most is not None and self.looks else 0.0
        return now or self.requests(cause, where)

    def drafted(self, where: Tile) -> tuple[int, int]:
        """Tokens proposed and accepted between the first look and the last."""
        if not self.looks or where not in self.looks[-1].drafts:
            return 0, 0
        made, right = self.looks[-1].drafts[where]
        made_before, right_before = self.looks[0].drafts.get(where, (0, 0))
        if made_before >= made:  # its memory was divided anew, and it began afresh; or there was one look only
            return made, right
        return made - made_before, right - right_before
