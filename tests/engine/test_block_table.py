"""Block tables: each block is used by those that count on it, and freed once."""

import attrs
import numpy as np
import pytest
from factories import LEVELS, do, new, reference
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.memory.block_table import BlockTable
from engine.protocol.asks import answer
from engine.units import PS_PER_S

TOTAL = 24
OWNERS = st.integers(1, 6)


class Tables(RuleBasedStateMachine):
    """Sequences grow, shrink, share prefixes and leave, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.table = BlockTable(TOTAL)

    @rule(owner=OWNERS, blocks=st.integers(0, 10))
    def hold(self, owner: int, blocks: int) -> None:
        before = len(self.table.tables.get(owner, ()))
        if blocks - before > self.table.free:
            with pytest.raises(MemoryError):
                self.table.hold(owner, blocks)
        else:
            self.table.hold(owner, blocks)
            assert len(self.table.tables.get(owner, ())) == blocks

    @rule(owner=OWNERS, other=OWNERS, blocks=st.integers(1, 10))
    def share(self, owner: int, other: int, blocks: int) -> None:
        if owner in self.table.tables and other not in self.table.tables:
            free = self.table.free
            self.table.share(owner, other, blocks)
            assert self.table.free == free, "a shared block takes no memory"

    @invariant()
    def every_block_is_counted_once(self) -> None:
        uses = [block for table in self.table.tables.values() for block in table]
        assert {block: uses.count(block) for block in set(uses)} == self.table.references
        assert self.table.free + len(set(uses)) == TOTAL
        assert all(len(set(table)) == len(table) for table in self.table.tables.values())


TestTables = Tables.TestCase


@given(st.lists(st.dictionaries(OWNERS, st.integers(1, 4)), max_size=10))
def test_tables_follow_what_is_held(moments: list[dict[int, int]]) -> None:
    table = BlockTable(TOTAL)
    for held in moments:
        before = {owner: list(blocks) for owner, blocks in table.tables.items()}
        table.follow(held)
        assert {owner: len(blocks) for owner, blocks in table.tables.items()} == held
        for owner in before.keys() & held.keys():
            kept = min(len(before[owner]), held[owner])
            assert table.tables[owner][:kept] == before[owner][:kept], "a block stays where it is"


def test_the_map_of_a_paged_card_shows_every_block_that_is_taken() -> None:
    game = new(level=LEVELS[1])
    reference(game)
    do(game, "start")
    for second in range(20, 300, 7):
        game.advance(second * PS_PER_S)
        before = game.state_hash()
        told = answer(game, {"v": 1, "ask": "memory", "pad": 1})
        assert told["paged"]
        owners = np.frombuffer(told["owners"], "<u2")
        assert len(owners) == told["total"] == 483
        assert np.count_nonzero(owners) == told["used"]
        assert owners.max(initial=0) <= len(told["tokens"])
        assert game.state_hash() == before
    whole = answer(game, {"v": 1, "ask": "memory", "pad": 0})
    assert not whole["paged"]
    assert sum(blocks for _, blocks in whole["held"]) == whole["used"] <= whole["total"] == 2


def test_a_level_need_not_let_the_player_set_the_size_of_a_block() -> None:
    level = attrs.evolve(LEVELS[1], settings={**LEVELS[1].settings, "page_allocator": {}})
    game = new(level=level)
    reference(game)
    sizes = {pad.pool.block_size for pad in game.floor.pads.values() if pad.pool.grows}
    assert sizes == {16}
