"""KV memory in one piece per sequence, of the longest length that it might reach: what engines did before paging.

Most of a piece is reserved for tokens that never come, and pieces leave holes too small for another one.
"""

from __future__ import annotations

from attrs import define, field

from engine.memory.arena import Arena


@define
class ContiguousPool:
    """A "block" is a whole reservation of `block_size` (the maximum length) tokens."""

    arena: Arena
    block_size: int
    piece_bytes: int
    starts: dict[int, list[int]] = field(factory=dict)
    """Owner -> the start of its piece, in bytes."""
    grows: bool = False

    @property
    def total(self) -> int:
        """Pieces that fit into all the memory."""
        return self.arena.size // self.piece_bytes

    @property
    def used(self) -> int:
        """Pieces that are taken."""
        return len(self.arena.pieces)

    @property
    def free(self) -> int:
        """Pieces that still find a hole."""
        count = 0
        for _, length in self.arena.holes:
            count += length // self.piece_bytes
        return count

    def blocks(self, tokens: int) -> int:
        """One piece, however few tokens."""
        return -(-tokens // self.block_size)

    def take(self, blocks: int, owner: int) -> bool:
        """Reserve pieces."""
        if blocks > self.free:
            return False
        for _ in range(blocks):
            start = self.arena.take(self.piece_bytes)
            assert start is not None
            self.starts.setdefault(owner, []).append(start)
        return True

    def give_back(self, blocks: int, owner: int, again: bool = False) -> None:
        """Free pieces; nothing that was in them can be had again."""
        for _ in range(blocks):
            self.arena.give_back(self.starts[owner].pop())
        if not self.starts.get(owner):
            self.starts.pop(owner, None)

    def take_back(self, owner: int) -> int:
        """Never anything."""
        return 0
