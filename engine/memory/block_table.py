"""Block tables: which blocks of a paged memory a sequence's KV lies in, and how many sequences use each block.

Blocks are alike, so the scheduler only counts them (`engine.memory.paged`); a table says which ones they are, for
the map of a card's memory. A block that several sequences share (a common prefix) is freed when the last of them
leaves. Source: Kwon et al., PagedAttention, SOSP 2023, sections 4.2 and 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping


class BlockTable:
    """Physical blocks 0 to `total - 1`; `tables` maps an owner to its blocks in the order of its tokens."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.tables: dict[int, list[int]] = {}
        self.references: dict[int, int] = {}
        """Block -> how many tables it is in; a block that is in none is free."""
        self._free = list(range(total - 1, -1, -1))

    @property
    def free(self) -> int:
        """Blocks that are in no table."""
        return len(self._free)

    def hold(self, owner: int, blocks: int) -> None:
        """Let a table grow or shrink, at its end, to so many blocks; MemoryError when there are not enough."""
        table = self.tables.setdefault(owner, [])
        if blocks - len(table) > len(self._free):
            raise MemoryError(f"{blocks - len(table)} blocks wanted, {len(self._free)} free")
        while len(table) < blocks:
            block = self._free.pop()
            self.references[block] = 1
            table.append(block)
        while len(table) > blocks:
            self._drop(table.pop())
        if not table:
            del self.tables[owner]

    def share(self, owner: int, with_owner: int, blocks: int) -> None:
        """Begin a new table with the first blocks of another one: a prefix that both have."""
        if with_owner in self.tables:
            raise ValueError(f"{with_owner} has a table already")
        prefix = self.tables[owner][:blocks]
        for block in prefix:
            self.references[block] += 1
        self.tables[with_owner] = prefix

    def follow(self, held: Mapping[int, int]) -> None:
        """Bring all tables to what their owners hold by now (owner -> blocks); the others are gone."""
        for owner in [owner for owner in self.tables if owner not in held]:
            self.hold(owner, 0)
        for owner, blocks in sorted(held.items(), key=lambda entry: entry[1] - len(self.tables.get(entry[0], ()))):
            self.hold(owner, blocks)

    def _drop(self, block: int) -> None:
        self.references[block] -= 1
        if self.references[block] == 0:
            del self.references[block]
            self._free.append(block)
