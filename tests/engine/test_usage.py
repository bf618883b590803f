"""Usage accounts: whose work a card's time and cents go into; nothing is lost and nothing counted twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.metrics.fairness import jain
from engine.metrics.usage import Usage, share_out

PARTS = st.dictionaries(st.integers(-1, 4), st.integers(0, 1000), min_size=1)


@given(st.integers(0, 10**15), PARTS)
def test_what_is_shared_out_adds_up_to_the_whole(total: int, parts: dict[int, int]) -> None:
    shares, whole = share_out(total, parts), sum(parts.values())
    assert sum(shares.values()) == (total if whole else 0)
    for name, share in shares.items():
        assert abs(share - total * parts[name] / whole) <= 1


@given(st.lists(st.tuples(PARTS, st.lists(st.integers(0, 10**12), max_size=4)), max_size=6))
def test_looking_more_often_changes_nothing(runs: list[tuple[dict[int, int], list[int]]]) -> None:
    watched, unwatched, worked = Usage(), Usage(), 0
    for parts, times in runs:
        for usage in (watched, unwatched):
            usage.begin({tenant: tokens + 1 for tenant, tokens in parts.items()})
        for ps in times:
            watched.worked(ps)
            watched.by_tenant()
            worked += ps
        unwatched.worked(sum(times))
    assert watched.by_tenant() == unwatched.by_tenant()
    assert sum(watched.by_tenant().values()) == worked


def test_a_step_is_shared_out_by_its_tokens() -> None:
    usage = Usage()
    usage.begin({1: 512, 0: 16})
    usage.worked(528_000)
    usage.begin({0: 1})
    usage.worked(100)
    assert usage.by_tenant() == {0: 16_100, 1: 512_000}


@pytest.mark.parametrize(
    ("values", "expected"), [([0.9, 0.9, 0.9], 1.0), ([1, 0, 0], 1 / 3), ([1, 1, 0], 2 / 3), ([0.5, 1.0], 0.9)]
)
def test_jains_index(values: list[float], expected: float) -> None:
    assert jain(values) == pytest.approx(expected)


def test_where_nobody_is_served_nothing_can_be_said() -> None:
    assert jain([0, 0]) is None
