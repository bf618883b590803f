"""KV memory: every block has one owner and is freed once, in pages and in pieces."""

from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.memory.arena import Arena, BuddyArena
from engine.memory.contiguous import ContiguousPool
from engine.memory.paged import PagedPool

OWNERS = st.integers(0, 4)


class PagedBlocks(RuleBasedStateMachine):
    """The pool's counts against a model that knows each block: a free list, and what is still in freed blocks."""

    @initialize(total=st.integers(1, 40))
    def start(self, total: int) -> None:
        self.pool = PagedPool(total)
        self.free: deque[tuple[int, int | None]] = deque((block, None) for block in range(total))
        self.held: dict[int, list[int]] = {}

    @rule(owner=OWNERS, blocks=st.integers(0, 12))
    def take(self, owner: int, blocks: int) -> None:
        assert self.pool.take(blocks, owner) == (blocks <= len(self.free))
        if blocks <= len(self.free):
            self.held.setdefault(owner, []).extend(self.free.popleft()[0] for _ in range(blocks))

    @rule(owner=OWNERS, share=st.floats(0, 1), again=st.booleans())
    def give_back(self, owner: int, share: float, again: bool) -> None:
        held = self.held.pop(owner, [])
        keep = 0 if again else round(share * len(held))  # with `again` a sequence gives up all that it has
        gone = held[keep:]
        if keep:
            self.held[owner] = held[:keep]
        self.pool.give_back(len(gone), owner, again)
        self.forget(owner if again and gone else None)
        self.free.extend((block, owner if again else None) for block in reversed(gone))

    def forget(self, owner: int | None) -> None:
        """What an owner gave back earlier is no longer its latest."""
        self.free = deque((block, None if of == owner else of) for block, of in self.free)

    @rule(owner=OWNERS)
    def take_back(self, owner: int) -> None:
        mine = [block for block, of in self.free if of == owner]
        assert self.pool.take_back(owner) == len(mine)
        self.free = deque((block, of) for block, of in self.free if of != owner)
        self.held.setdefault(owner, []).extend(reversed(mine))

    @invariant()
    def every_block_is_free_or_has_one_owner(self) -> None:
        if not hasattr(self, "pool"):
            return
        used = sum(map(len, self.held.values()))
        assert (self.pool.free, self.pool.used) == (len(self.free), used)
        assert self.pool.free + self.pool.used == self.pool.total


PagedBlocks.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestPagedBlocks = PagedBlocks.TestCase


def test_a_block_that_was_not_taken_cannot_be_freed() -> None:
    pool = PagedPool(4)
    assert pool.take(2, 1)
    pool.give_back(2, 1)
    with pytest.raises(AssertionError):
        pool.give_back(1, 1)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40), st.integers(1, 64))
def test_paging_has_no_external_fragmentation(sizes: list[int], total: int) -> None:
    """Whatever was freed before, blocks are refused only when there are too few of them."""
    pool = PagedPool(total)
    for size in sizes:
        if pool.take(size, 1):
            pool.give_back(size // 2, 1)
            pool.give_back(size - size // 2, 1)
    assert pool.take(total, 2)
    assert not pool.take(1, 2)


@given(st.integers(1, 100_000), st.integers(1, 256))
def test_a_sequence_wastes_less_than_one_block(tokens: int, block_size: int) -> None:
    assert 0 <= PagedPool(1, block_size).blocks(tokens) * block_size - tokens < block_size


def test_the_last_blocks_of_a_preempted_sequence_are_used_first() -> None:
    pool = PagedPool(10)
    assert pool.take(6, 1)
    pool.give_back(6, 1, again=True)
    assert pool.take(7, 2)  # the four never used, then three of those given back
    assert pool.take_back(1) == 3
    assert pool.free == 0


@given(st.data(), st.integers(1, 300), st.sampled_from([Arena, BuddyArena]))
def test_pieces_lie_inside_and_never_overlap(data: st.DataObject, size: int, kind: type[Arena | BuddyArena]) -> None:
    arena = kind(size)
    pieces: dict[int, int] = {}
    for _ in range(data.draw(st.integers(1, 30))):
        if pieces and data.draw(st.booleans()):
            start = data.draw(st.sampled_from(sorted(pieces)))
            del pieces[start]
            arena.give_back(start)
            continue
        length = data.draw(st.integers(1, 80))
        rounded = 1 << (length - 1).bit_length() if kind is BuddyArena else length
        start_or_none = arena.take(length)
        if start_or_none is not None:
            pieces[start_or_none] = rounded
        ends = sorted((start, start + length) for start, length in pieces.items())
        assert all(end <= after for (_, end), (after, _) in pairwise(ends))
        assert all(start >= 0 and end <= size for start, end in ends)
    for start in list(pieces):
        arena.give_back(start)
    largest = size if kind is Arena else 1 << (size.bit_length() - 1)
    assert arena.take(largest) == 0, "what was freed has merged again"


def test_contiguous_memory_has_holes_too_small_to_use() -> None:
    """Half the memory is free, and a piece of a third of it finds no place: external fragmentation."""
    arena = Arena(600)
    first, middle, last = (arena.take(size) for size in (150, 300, 150))
    assert (first, middle, last) == (0, 150, 450)
    arena.give_back(0)
    arena.give_back(450)
    assert arena.free == 300
    assert arena.take(200) is None
    arena.give_back(150)
    assert arena.take(600) == 0


def test_a_contiguous_reservation_is_the_longest_that_a_sequence_may_get() -> None:
    pool = ContiguousPool(Arena(1000), block_size=3072, piece_bytes=300)
    assert [pool.take(pool.blocks(tokens), owner) for owner, tokens in enumerate((1, 3072, 900, 5))] == [
        True,
        True,
        True,
        False,
    ]
    assert pool.free == 0
    pool.give_back(1, 1)
    assert pool.free == 1
    with pytest.raises((KeyError, IndexError)):
        pool.give_back(1, 1)
