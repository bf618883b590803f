"""Metrics by the field's definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.metrics.ledger import Ledger
from engine.metrics.percentile import percentile
from engine.metrics.seconds import PerSecond, recent
from engine.traffic.request import Request
from engine.units import PS_PER_S


def request(
    id: int, arrival_s: float, first_s: float = -1, last_s: float = -1, tokens: int = 0, pause_s: float = 0
) -> Request:
    made = Request(id, 100, 11, round(arrival_s * PS_PER_S), 1)
    if tokens:
        made.first_token_ps, made.last_token_ps = round(first_s * PS_PER_S), round(last_s * PS_PER_S)
        made.tokens, made.longest_pause_ps = tokens, round(pause_s * PS_PER_S)
    return made


def ledger(*requests: Request, from_s: int = 0) -> Ledger:
    made = Ledger(from_s * PS_PER_S)
    made.restore(list(requests), PerSecond())
    return made


def test_percentiles_are_values_that_occurred() -> None:
    assert percentile([], 95) is None
    assert percentile([7], 95) == 7
    assert percentile(range(1, 101), 95) == 95
    assert percentile(range(1, 101), 50) == 50
    assert percentile([1, 2, 3], 95) == 3


@given(st.lists(st.integers(0, 10**15), min_size=1), st.sampled_from([1, 50, 95, 99, 100]))
def test_a_percentile_is_reached_by_that_share_and_no_smaller_value_is(values: list[int], percent: int) -> None:
    found = percentile(sorted(values), percent)
    assert found is not None
    assert sum(value <= found for value in values) * 100 >= percent * len(values)
    assert sum(value < found for value in values) * 100 < percent * len(values)


def test_a_finished_request_counts_with_ttft_tpot_and_end_to_end() -> None:
    score = ledger(request(1, 1, 3, 8, tokens=11, pause_s=0.6)).score(60 * PS_PER_S)
    assert score.ttft_p95_ps == 2 * PS_PER_S
    assert score.tpot_mean_ps == PS_PER_S // 2, "ten tokens after the first in five seconds"
    assert score.e2e_p95_ps == 7 * PS_PER_S
    assert score.pause_p95_ps == round(0.6 * PS_PER_S)


def test_what_is_not_finished_cannot_hide() -> None:
    score = ledger(request(1, 10), request(2, 5, 6, 20, tokens=3, pause_s=1)).score(60 * PS_PER_S)
    assert score.ttft_p95_ps == 50 * PS_PER_S, "the age of the one that has no token"
    assert score.pause_p95_ps == 40 * PS_PER_S, "the stream has stood still since its last token"
    assert (score.requests, score.finished) == (2, 0)


def test_the_warm_up_does_not_count() -> None:
    score = ledger(request(1, 10), request(2, 30, 31, 40, tokens=11), from_s=20).score(60 * PS_PER_S)
    assert (score.requests, score.ttft_p95_ps) == (1, PS_PER_S)
    assert score.window_ps == 40 * PS_PER_S


def test_tokens_count_within_the_window_only() -> None:
    made = ledger(from_s=2)
    for second, tokens in enumerate([5, 5, 7, 8, 9]):
        made.delivered.add(second, tokens)
    score = made.score(4 * PS_PER_S)
    assert score.tokens == 15
    assert score.tps == 7.5


@given(st.lists(st.tuples(st.integers(0, 10**13), st.integers(0, 10**13)), max_size=20))
def test_spans_keep_their_length_however_they_cross_seconds(spans: list[tuple[int, int]]) -> None:
    seconds = PerSecond()
    for start, length in spans:
        seconds.add_span(start, start + length)
    assert seconds.total(0, len(seconds.buckets)) == sum(length for _, length in spans)


@pytest.mark.parametrize(("now_s", "first", "length_s"), [(0, 0, 0), (3.5, 0, 3.5), (10, 0, 10), (12.5, 3, 9.5)])
def test_the_window_of_the_last_ten_seconds(now_s: float, first: int, length_s: float) -> None:
    opened, length = recent(round(now_s * PS_PER_S))
    assert opened == first
    assert length == max(round(length_s * PS_PER_S), 1)
