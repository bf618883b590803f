"""Prefix sharing: prompts that begin alike keep the KV of their common beginning once.

Each full block of a prefix has a key. As long as a sequence uses it, it is referenced; when the last one has gone, it
queues with the other free blocks, and whoever comes with the same beginning before it is needed for something else has
it back, its prefill skipped. So what was used least recently is given up first, the end of a prefix before its
beginning, and never what somebody uses.

Invariants: a key stands for one block at most; used = blocks of one sequence alone + referenced ones; a referenced
block is never handed out; free + used = total.
Sources: Kwon et al., PagedAttention, SOSP 2023, section 4.4; vLLM, automatic prefix caching (reference counts, free
blocks evicted in LRU order).
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from engine.memory.paged import PagedPool

_MOST_BLOCKS = 1 << 20
_FIRST_KEY = 1 << 40  # beyond all requests: keys and requests own freed blocks alike


def keys_of(prefix: int, tokens: int, block_size: int) -> range:
    """The keys of the full blocks of a prefix: one that fills its last block only in part shares the others."""
    first = _FIRST_KEY + prefix * _MOST_BLOCKS
    return range(first, first + tokens // block_size)


@define
class SharedPool(PagedPool):
    """Paged memory that finds the blocks of a prefix again."""

    references: dict[int, int] = field(factory=dict)
    """Key -> sequences that use the block; blocks that nobody uses are among the free ones."""
    asked: int = 0
    """Prompt tokens of the sequences that were admitted, ..."""
    found: int = 0
    """... and those of them whose KV was here."""

    def hold(self, keys: Sequence[int]) -> int:
        """Use the first blocks of a prefix, as far as they are here; how many."""
        for count, key in enumerate(keys):
            if key in self.references:
                self.references[key] += 1
            elif self.take_back(key):
                self.references[key] = 1
            else:
                return count
        return len(keys)

    def let_go(self, keys: Sequence[int]) -> None:
        """Use them no longer; those that nobody uses queue to be used for something else, the last one first."""
        for key in reversed(keys):
            self.references[key] -= 1
            if not self.references[key]:
                del self.references[key]
                self.give_back(1, key, again=True)

    def publish(self, keys: Sequence[int], owner: int) -> None:
        """Blocks that `owner` has computed and uses can be had by others; what is here twice is given back."""
        for key in keys:
            if self.hold([key]):
                self.give_back(1, owner)
            else:
                self.references[key] = 1
