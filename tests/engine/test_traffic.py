"""Arrivals are paced and lengths are dealt evenly."""

from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import PCG64, Generator

from engine.traffic.arrivals import Arrivals, Lengths, Traffic


def stream(traffic: Traffic, seed: int, count: int) -> list[tuple[int, int, int]]:
    random, arrivals, found = Generator(PCG64(seed)), Arrivals(), list[tuple[int, int, int]]()
    arrivals.start(traffic, random)
    for _ in range(count):
        at = arrivals.next_ps
        found.append((at, *arrivals.take(traffic, random)))
    return found


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 10**13), st.floats(0, 2), st.integers(1, 5000), st.integers(0, 5000))
def test_arrivals_keep_their_pace_and_order(seed: int, interval: int, jitter: float, low: int, span: int) -> None:
    traffic = Traffic(interval, round(interval * jitter), Lengths(low, low + span), Lengths(1, 1))
    found = stream(traffic, seed, 100)
    times = [at for at, _, _ in found]
    assert times == sorted(times)
    for index, (at, prompt, output) in enumerate(found):
        assert low <= prompt <= low + span
        assert output == 1
        if jitter <= 0.5:
            assert abs(at - (index + 1) * interval) <= traffic.jitter_ps


@given(st.integers(0, 2**32 - 1))
def test_every_ten_requests_have_every_tenth_of_the_lengths(seed: int) -> None:
    found = stream(Traffic(100, 10, Lengths(900, 1499), Lengths(1, 1)), seed, 50)
    for deal in range(0, 50, 10):
        tenths = sorted((prompt - 900) // 60 for _, prompt, _ in found[deal : deal + 10])
        assert tenths == list(range(10))
