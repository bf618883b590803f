"""How things act in time: one order for what happens at once, and no wake-up lost."""

import itertools

import pytest
import simpy

from engine.floor.process import Process


class Clerk(Process):
    """Acts at given times, and writes down that it did."""

    def __init__(self, id: int, order: int, times: list[int], log: list[tuple[int, int]]) -> None:
        super().__init__(id)
        self._order, self.times, self.log = order, times, log

    @property
    def order(self) -> int:
        return self._order

    def act(self, now: int) -> int | None:
        self.log.append((now, self.id))
        later = [time for time in self.times if time > now]
        return min(later) if later else None


def office(starts: list[tuple[int, int]], until: int = 100) -> list[tuple[int, int]]:
    """Clerks (order, first time), all of them due again at 50; what they did."""
    env, log = simpy.Environment(), list[tuple[int, int]]()
    for order, first in starts:
        Clerk(order, order, [first, 50], log).start(env, first)
    env.run(until=until)
    return log


@pytest.mark.parametrize("starts", list(itertools.permutations([(1, 30), (2, 20), (3, 10)])))
def test_what_is_due_at_once_happens_in_order_of_place_not_of_scheduling(starts: list[tuple[int, int]]) -> None:
    assert office(starts) == [(10, 3), (20, 2), (30, 1), (50, 1), (50, 2), (50, 3)]


def test_a_run_ends_before_what_is_due_at_its_end() -> None:
    assert office([(1, 10)], until=50) == [(10, 1)]


def test_a_nudge_wakes_early_and_the_later_wake_up_is_not_lost() -> None:
    env, log = simpy.Environment(), list[tuple[int, int]]()
    clerk = Clerk(1, 1, [10, 50], log)
    clerk.start(env, 10)
    env.run(until=20)
    clerk.nudge()
    env.run(until=100)
    assert log == [(10, 1), (20, 1), (50, 1)]


def test_one_that_was_stopped_never_acts_again() -> None:
    env, log = simpy.Environment(), list[tuple[int, int]]()
    clerk = Clerk(1, 1, [10, 50], log)
    clerk.start(env, 10)
    env.run(until=20)
    clerk.stop()
    clerk.nudge()
    env.run(until=100)
    assert log == [(10, 1)]
