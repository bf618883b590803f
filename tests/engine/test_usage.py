"""Usage accounts: whose work a card's time and cents go into; nothing is lost and nothing counted twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_gateway import built, ran, shared, tenant

from engine.floor.machines.core import Core
from engine.level.load import load
from engine.metrics.fairness import jain
from engine.metrics.tally import Tally
from engine.metrics.tenants import NOBODY, accounts
from engine.metrics.usage import Usage, share_out
from engine.protocol.commands import give
from engine.simulation import ENDED, Simulation
from engine.traffic.traffic import Lengths
from engine.units import PS_PER_S

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


@pytest.mark.parametrize(
    ("level", "built_as"), [("2", "naive"), ("3", "reference"), ("6", "reference"), ("8", "reference")]
)
def test_accounts_that_are_kept_are_those_of_a_fresh_look(level: str, built_as: str) -> None:
    played = load(level)
    simulation = Simulation(played, 1)
    give(simulation, {"v": 1, "do": "layout", "layout": getattr(played, built_as)})
    give(simulation, {"v": 1, "do": "start"})
    while simulation.phase != ENDED:
        simulation.advance(simulation.now + 5 * PS_PER_S)
        accounts(simulation)
        requests = simulation.floor.requests
        assert simulation.floor.tally.accounts() == Tally(requests).accounts()
    assert any(request.lost_ps >= 0 for request in requests.values()) == (built_as == "naive")


def test_where_nobody_is_served_nothing_can_be_said() -> None:
    assert jain([0, 0]) is None


@pytest.mark.parametrize("second", [3, 17, 60])
def test_accounts_add_up_to_the_last_token_picosecond_and_nano_dollar(second: int) -> None:
    level = shared(tenant("a", 1.0, Lengths(800, 1_500)), tenant("b", 2.0), tenant("c", 0.2, Lengths(3_000, 4_000)))
    simulation, _ = built(level, quota_1=60, priority_0=2)
    ran(simulation, second)
    found = accounts(simulation)
    assert [account.tenant for account in found] == [0, 1, 2, NOBODY]
    assert sum(account.requests for account in found) == len(simulation.floor.requests)
    assert sum(account.output_tokens for account in found) == simulation.tokens()
    assert sum(account.nusd for account in found) == simulation.cost_nusd()
    assert sum(account.gpu_ps for account in found) == 2 * second * PS_PER_S, "two cards, all the time"
    for account in found[:3]:
        ended = account.refused + account.finished + account.under_way
        assert ended == account.requests
    busy = sum(core.stepper.busy.total(0, second + 1) for core in cores(simulation))
    assert sum(account.gpu_ps for account in found[:3]) == busy
    if second == 60:
        assert found[1].refused > 0
        served = [account.gpu_ps / account.finished for account in found[:3]]
        assert served[2] == max(served), "the longest prompts are the most work"


def cores(simulation: Simulation) -> list[Core]:
    return [machine for machine in simulation.floor.machines.values() if isinstance(machine, Core)]
