"""What the cards of a floor have been: bought, rented, or left alone, and since when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field

from engine.level.spec import CHOICE, OWNED, RENTED, Supply

if TYPE_CHECKING:
    from engine.floor.floor import Floor
    from engine.floor.pad import Pad

NEITHER = ""
OPEN = -1
SETTING = "supply"
WAYS = (OWNED, RENTED)
"""By the value of a machine's setting `supply`."""


@define
class PadAccount:
    """A card's account; times in ps."""

    owned_from: int = OPEN
    """Since when it has been one's own; what is bought stays bought."""
    rented: list[list[int]] = field(factory=list)
    """[from, to] of each time of renting; the last one is `OPEN` while it lasts."""

    def note(self, way: str, now: int) -> None:
        """How it stands from now on."""
        if way == OWNED and self.owned_from == OPEN:
            self.owned_from = now
        elif way != OWNED and self.owned_from == now:
            self.owned_from = OPEN  # no time has passed: it was not bought after all
        lasts = bool(self.rented) and self.rented[-1][1] == OPEN
        if way == RENTED and not lasts:
            self.rented.append([now, OPEN])
        elif way != RENTED and lasts:
            self.rented[-1][1] = now
            if self.rented[-1][0] == now:
                self.rented.pop()

    def rented_ps(self, from_ps: int, to_ps: int) -> int:
        """For how long it was rented within a window."""
        total = 0
        for start, end in self.rented:
            total += max((to_ps if end == OPEN else min(end, to_ps)) - max(start, from_ps), 0)
        return total

    def owned_ps(self, from_ps: int, to_ps: int) -> int:
        """For how long it was one's own within a window."""
        return 0 if self.owned_from == OPEN else max(to_ps - max(self.owned_from, from_ps), 0)


class Accounts:
    """An account per card, where the level counts who pays what."""

    def __init__(self, supply: Supply, pads: int) -> None:
        self.supply = supply
        self.pads = [PadAccount() for _ in range(pads)]

    def note(self, floor: Floor, now: int) -> None:
        """Something was built, moved, set or taken away."""
        for account, pad in zip(self.pads, floor.pads.values(), strict=True):
            account.note(self.way(pad), now)

    def way(self, pad: Pad) -> str:
        """How a card is paid at present."""
        if not pad.cores:
            return NEITHER
        declared = self.supply.pads[pad.id]
        if declared != CHOICE:
            return declared
        machines = sorted(pad.cores, key=lambda machine: machine.order)
        values = [machine.settings[SETTING] for machine in machines if SETTING in machine.settings]
        return WAYS[values[0]] if values else RENTED

    def dump(self) -> list[list[Any]]:
        """All accounts as plain data."""
        return [[account.owned_from, [list(span) for span in account.rented]] for account in self.pads]

    def load(self, data: list[list[Any]]) -> None:
        """Take over what `dump` wrote."""
        self.pads = [PadAccount(owned_from, [list(span) for span in rented]) for owned_from, rented in data]
