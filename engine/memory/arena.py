"""Contiguous memory: each reservation is one piece of address space, so that gaps between pieces may be too small to
use.

Two allocators, both with real addresses: first fit, and the buddy system that the PagedAttention paper gives its Orca
baselines (sizes rounded up to powers of two, halves merged again). Source: Kwon et al., SOSP 2023, section 6.1.
"""

from __future__ import annotations

from bisect import insort

from attrs import define, field


@define
class Arena:
    """First fit over bytes (or any other unit). Holes are kept sorted by address; neighbours merge."""

    size: int
    holes: list[tuple[int, int]] = field(factory=list)
    """(start, length), by address."""
    pieces: dict[int, int] = field(factory=dict)
    """Start -> length of what is taken."""

    def __attrs_post_init__(self) -> None:
        if not self.holes and not self.pieces and self.size:
            self.holes = [(0, self.size)]

    @property
    def free(self) -> int:
        """Units in all holes together."""
        total = 0
        for _, length in self.holes:
            total += length
        return total

    def take(self, length: int) -> int | None:
        """The start of a new piece in the first hole that is large enough; None if there is none."""
        for index, (start, room) in enumerate(self.holes):
            if room >= length:
                if room == length:
                    del self.holes[index]
                else:
                    self.holes[index] = (start + length, room - length)
                self.pieces[start] = length
                return start
        return None

    def give_back(self, start: int) -> None:
        """Free a piece; KeyError when none starts there (each piece is freed once)."""
        length = self.pieces.pop(start)
        insort(self.holes, (start, length))
        index = self.holes.index((start, length))
        if index + 1 < len(self.holes) and self.holes[index + 1][0] == start + length:
            length += self.holes.pop(index + 1)[1]
            self.holes[index] = (start, length)
        if index and self.holes[index - 1][0] + self.holes[index - 1][1] == start:
            before = self.holes[index - 1]
            self.holes[index - 1] = (before[0], before[1] + length)
            del self.holes[index]


@define
class BuddyArena:
    """Pieces of 2**k units at multiples of their length; a region of any size is a row of such pieces."""

    size: int
    _free: dict[int, set[int]] = field(factory=dict)
    _taken: dict[int, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        start = 0
        for order in reversed(range(self.size.bit_length())):
            if self.size >> order & 1:
                self._free.setdefault(order, set()).add(start)
                start += 1 << order

    def take(self, length: int) -> int | None:
        """The start of a piece of at least `length` units, rounded up to a power of two; None if there is none."""
        wanted = max(length - 1, 0).bit_length()
        orders = [order for order, starts in self._free.items() if order >= wanted and starts]
        if not orders:
            return None
        order = min(orders)
        start = min(self._free[order])
        self._free[order].remove(start)
        while order > wanted:
            order -= 1
            self._free.setdefault(order, set()).add(start + (1 << order))
        self._taken[start] = order
        return start

    def give_back(self, start: int) -> None:
        """Free a piece and merge it with its free other half, again and again."""
        order = self._taken.pop(start)
        while (start ^ (1 << order)) in self._free.get(order, ()) and (start | (1 << order)) + (
            1 << order
        ) <= self.size:
            self._free[order].remove(start ^ (1 << order))
            start &= ~(1 << order)
            order += 1
        self._free.setdefault(order, set()).add(start)
