"""Paged KV memory: blocks of `block_size` tokens, handed out one by one, so that nothing is reserved ahead.

Freed blocks queue to be used again, oldest first; until then what is in them can be taken back by its owner, as vLLM
does with its prefix cache: a preempted sequence that comes back soon finds part of its KV still there.

Invariants: each block has one owner and is freed once; free + used = total; a sequence wastes less than one block.
Sources: Kwon et al., PagedAttention, SOSP 2023; vLLM, automatic prefix caching (free blocks are evicted in LRU order,
the last blocks of a sequence first).
"""

from __future__ import annotations

from attrs import define, field

DEFAULT_BLOCK_SIZE = 16
"""Tokens of a block where nothing else is said: vLLM's default."""
_NOBODY = -1


@define
class PagedPool:
    """Counts of blocks. They are alike: which one a sequence gets has no effect."""

    total: int
    block_size: int = DEFAULT_BLOCK_SIZE
    used: int = 0
    _freed: dict[int, list[int]] = field(factory=dict)
    """[owner, blocks] of what was freed, by a running number, the oldest first; blocks never used are not in it."""
    _number: int = 0
    _of: dict[int, int] = field(factory=dict)
    """Owner -> the number under which its freed blocks queue."""
    _untouched: int = -1
    grows: bool = True
    """Whether blocks are taken as sequences grow; else all at once, on admission."""

    def __attrs_post_init__(self) -> None:
        if self._untouched < 0:
            self._untouched = self.total - self.used

    @property
    def free(self) -> int:
        """Blocks that nobody has."""
        return self.total - self.used

    def blocks(self, tokens: int) -> int:
        """Blocks that `tokens` tokens take."""
        return -(-tokens // self.block_size)

    def take(self, blocks: int, owner: int = _NOBODY) -> bool:
        """Take blocks, first those never used, then the ones freed longest ago; False when there are not enough."""
        if blocks > self.total - self.used:
            return False
        self.used += blocks
        if self._untouched:
            fresh = min(blocks, self._untouched)
            self._untouched -= fresh
            blocks -= fresh
        while blocks:
            number = next(iter(self._freed))
            entry = self._freed[number]
            if entry[1] > blocks:
                entry[1] -= blocks
                return True
            blocks -= entry[1]
            self._drop(number, entry[0])
        return True

    def give_back(self, blocks: int, owner: int = _NOBODY, again: bool = False) -> None:
        """Return blocks; with `again`, the owner may take back what is still in them."""
        assert 0 <= blocks <= self.used, "a block is freed once"
        if not blocks:
            return
        self.used -= blocks
        if not again:
            latest = self._freed.get(self._number)
            if latest is not None and latest[0] == _NOBODY:
                latest[1] += blocks
                return
        self._number += 1
        self._freed[self._number] = [owner if again else _NOBODY, blocks]
        if again:
            self._of[owner] = self._number

    def take_back(self, owner: int) -> int:
        """Take the blocks again that `owner` gave back and that nobody has used since, the first of its sequence."""
        number = self._of.get(owner)
        if number is None:
            return 0
        blocks = self._freed[number][1]
        self._drop(number, owner)
        self.used += blocks
        return blocks

    def _drop(self, number: int, owner: int) -> None:
        del self._freed[number]
        if owner != _NOBODY and self._of.get(owner) == number:
            del self._of[owner]
