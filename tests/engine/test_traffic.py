"""Arrivals are paced or come by chance, and lengths are dealt evenly."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import PCG64, Generator

from engine.traffic.arrivals import Arrivals
from engine.traffic.day import DayTraffic
from engine.traffic.kinds import AnyTraffic, as_one
from engine.traffic.traffic import BurstTraffic, Lengths, PoissonTraffic, Traffic
from engine.units import PS_PER_S, seconds

ONE = Lengths(1, 1)


def stream(traffic: AnyTraffic, seed: int, count: int) -> list[tuple[int, int, int]]:
    random, arrivals, found = Generator(PCG64(seed)), Arrivals(), list[tuple[int, int, int]]()
    arrivals.start(traffic, random)
    for _ in range(count):
        at = arrivals.next_ps
        found.append((at, *arrivals.take(traffic, random)[:2]))
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


def test_measured_lengths_have_the_tenths_that_were_measured() -> None:
    deciles = [10, 20, 30, 40, 50, 60, 70, 80, 90]
    lengths = Lengths(1, 1_000, deciles)
    found = [prompt for _, prompt, _ in stream(Traffic(100, 10, lengths, ONE), 1, 2_000)]
    for index, value in enumerate(deciles, 1):
        assert sum(prompt < value for prompt in found) == 200 * index
    assert abs(lengths.mean - sum(found) / 2_000) < 15


@given(st.integers(0, 2**32 - 1))
def test_requests_by_chance_come_at_their_rate_and_as_unevenly_as_chance_has_it(seed: int) -> None:
    times = [at for at, _, _ in stream(PoissonTraffic(2.5, ONE, ONE), seed, 2_000)]
    assert times == sorted(times)
    assert 0.9 < times[-1] / seconds(2_000 / 2.5) < 1.1
    gaps = [(second - first) / PS_PER_S for first, second in pairwise(times)]
    assert 0.25 < sum(gap > 0.4 for gap in gaps) / len(gaps) < 0.5, "e^-1 of the gaps are longer than the mean"


@given(st.integers(0, 2**32 - 1))
def test_bursts_come_once_a_period_with_their_own_rate(seed: int) -> None:
    traffic = BurstTraffic(0.5, 20, 5, 50, ONE, ONE)
    arrivals, random = Arrivals(), Generator(PCG64(seed))
    arrivals.start(traffic, random)
    in_bursts = others = 0
    while arrivals.next_ps < seconds(2_000):
        in_burst = (arrivals.next_ps + arrivals.shift_ps) % seconds(50) < seconds(5)
        in_bursts, others = in_bursts + in_burst, others + (not in_burst)
        arrivals.take(traffic, random)
    assert 3_700 < in_bursts < 4_300, "40 bursts of 100"
    assert 750 < others < 1_050, "1,800 s at 0.5"
    assert abs(traffic.interval_ps / PS_PER_S - 1 / 2.45) < 1e-9


def test_several_streams_are_seen_as_one() -> None:
    one = as_one([PoissonTraffic(2, Lengths(5, 10), ONE), Traffic(seconds(0.5), 0, Lengths(1, 6), ONE)])
    assert one.interval_ps == seconds(0.25)
    assert (one.prompt.low, one.prompt.high) == (1, 10)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_a_day_has_as_many_requests_an_hour_as_it_says_and_none_at_night(seed: int) -> None:
    hours = [0] * 6 + [36_000] * 6 + [7_200] * 12
    traffic, day_ps = DayTraffic(hours, 10, ONE, ONE), 240 * PS_PER_S
    times = [at for at, _, _ in stream(traffic, seed, 1_200)]
    assert times == sorted(times)
    days = [at for at in times if at < day_ps]
    assert all(at >= 60 * PS_PER_S for at in days)
    morning = [at for at in days if at < 120 * PS_PER_S]
    assert abs(len(morning) - 600) < 5 * 600**0.5, "ten a second, for ten seconds an hour"
    assert abs(len(days) - len(morning) - 240) < 5 * 240**0.5
    assert not [at for at in times if day_ps <= at < day_ps + 60 * PS_PER_S], "the next night"
    assert traffic.interval_ps == 86_400 * PS_PER_S // sum(hours)
