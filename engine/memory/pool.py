"""What a scheduler needs of a KV memory, whichever way it is organised."""

from __future__ import annotations

from typing import Protocol


class KvPool(Protocol):
    """Memory in blocks of `block_size` tokens."""

    block_size: int
    grows: bool
    """Whether a sequence takes blocks as it grows; else it takes all that it will ever need when it is admitted."""

    @property
    def total(self) -> int:
        """All blocks."""

    @property
    def used(self) -> int:
        """Blocks that are taken."""

    @property
    def free(self) -> int:
        """Blocks that can be taken."""

    def blocks(self, tokens: int) -> int:
        """Blocks that `tokens` tokens take."""

    def take(self, blocks: int, owner: int) -> bool:
        """Take blocks; False, and nothing taken, when they are not there."""

    def give_back(self, blocks: int, owner: int, again: bool = False) -> None:
        """Return blocks; with `again`, the owner may come back for their contents."""

    def take_back(self, owner: int) -> int:
        """Take blocks again whose contents are still there since `owner` gave them back."""
