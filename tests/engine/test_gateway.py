"""The door of a shared server: quotas, priorities without starvation, and where prompts are sent."""

from itertools import pairwise
from typing import Any

import attrs
import pytest
from factories import LEVEL_1, PROMPT_DOCK, TOKEN_DOCK, do, link, new, place, slots
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.floor.machines import Gateway, Router
from engine.floor.machines.gateway import AGEING_S, BURST_S
from engine.level.spec import Dock, Level, PadSpec, Setting, Tenant
from engine.metrics.whereabouts import places
from engine.simulation import Simulation
from engine.traffic.traffic import Lengths, PoissonTraffic
from engine.units import PS_PER_S

SHORT = Lengths(50, 60), Lengths(4, 8)
QUOTAS = {f"quota_{tenant}": Setting(0, 0, 600) for tenant in range(3)}
PRIORITIES = {f"priority_{tenant}": Setting(0, 0, 3) for tenant in range(3)}


def tenant(id: str, per_s: float, prompt: Lengths = SHORT[0], output: Lengths = SHORT[1], **more: Any) -> Tenant:
    return Tenant(id, PoissonTraffic(per_s, prompt, output), **more)


def shared(*tenants: Tenant) -> Level:
    """Level 1's cards on a larger floor, with a door and tenants."""
    return attrs.evolve(
        LEVEL_1,
        width=24,
        height=12,
        pads=[PadSpec("l4", 8, 0, 6, 5), PadSpec("l4", 8, 7, 6, 5)],
        docks=[Dock("prompt_dock", 0, 5), Dock("token_dock", 20, 5)],
        reference={},
        naive={},
        traffic=None,
        tenants=list(tenants),
        allowed={**LEVEL_1.allowed, "gateway": 1, "router": 1},
        settings={
            **LEVEL_1.settings,
            "gateway": {**QUOTAS, **PRIORITIES},
            "router": {"policy": Setting(0, 0, 2), **{f"way_{tenant}": Setting(0, 0, 3) for tenant in range(3)}},
        },
    )


def built(level: Level, seed: int = 1, **values: int) -> tuple[Simulation, Gateway]:
    """A gateway before a prefill and a decode core on two cards."""
    simulation = new(seed, level)
    gateway = place(simulation, "gateway", 4, 5)
    prefill = place(simulation, "prefill_core", *corner(level, 0))
    decode = place(simulation, "decode_core", *corner(level, 1))
    link(simulation, PROMPT_DOCK, gateway)
    link(simulation, gateway, prefill)
    link(simulation, prefill, decode)
    link(simulation, decode, TOKEN_DOCK)
    slots(simulation, decode, 8)
    for name, value in values.items():
        do(simulation, "set", id=gateway, name=name, value=value)
    found = simulation.floor.machines[gateway]
    assert isinstance(found, Gateway)
    return simulation, found


def corner(level: Level, pad: int) -> tuple[int, int]:
    """A place on a card, with room around it."""
    return level.pads[pad].x + 1, level.pads[pad].y + 1


def ran(simulation: Simulation, seconds: int) -> Simulation:
    do(simulation, "start")
    simulation.advance(seconds * PS_PER_S)
    return simulation


@pytest.mark.parametrize("quota", [6, 30, 120])
def test_a_tenant_above_its_quota_is_refused_what_is_too_much(quota: int) -> None:
    simulation, _ = built(shared(tenant("a", 3.0), tenant("b", 0.5)), quota_0=quota)
    ran(simulation, 120)
    requests = list(simulation.floor.requests.values())
    admitted = sum(not request.refused for request in requests if request.tenant == 0)
    assert admitted <= quota * 2 + max(quota * BURST_S / 60, 1)
    assert admitted >= quota * 2 * 0.9
    assert not any(request.refused for request in requests if request.tenant == 1), "the other has no quota"


def test_a_burst_of_ten_seconds_passes() -> None:
    simulation, gateway = built(shared(tenant("a", 0.1)), quota_0=60)
    floor = simulation.floor
    ran(simulation, 100)
    request = next(iter(floor.requests.values()))
    assert [gateway._admits(request) for _ in range(12)].count(True) in (10, 11)


URGENCIES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 200)), min_size=1, max_size=40)


@given(URGENCIES, st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)))
@settings(max_examples=50, deadline=None)
def test_nobody_starves(asked: list[tuple[int, int]], priorities: tuple[int, int, int]) -> None:
    """Whoever is before a request in the queue came at most thirty seconds after it, whatever the priorities."""
    simulation, gateway = built(shared(tenant("a", 1), tenant("b", 1), tenant("c", 1)))
    for index, priority in enumerate(priorities):
        gateway.settings[f"priority_{index}"] = priority
    ran(simulation, 1)
    template = simulation.floor.requests
    ids = []
    for whose, second in sorted(asked, key=lambda one: one[1]):
        id = len(template) + 1
        template[id] = attrs.evolve(next(iter(template.values())), id=id, tenant=whose, arrival_ps=second * PS_PER_S)
        ids.append(id)
    order = sorted(ids, key=gateway.rank)
    arrivals = [template[id].arrival_ps for id in order]
    for place_, arrival in enumerate(arrivals):
        assert max(arrivals[: place_ + 1]) - arrival <= 3 * AGEING_S * PS_PER_S
    for one, two in pairwise(order):
        if template[one].arrival_ps == template[two].arrival_ps:
            assert priorities[template[one].tenant] >= priorities[template[two].tenant]


def waits_s(simulation: Simulation, whose: int) -> float:
    """The mean time to a first token; of one that has none, its age."""
    found = [
        (request.first_token_ps if request.tokens else simulation.now) - request.arrival_ps
        for request in simulation.floor.requests.values()
        if request.tenant == whose
    ]
    return sum(found) / len(found) / PS_PER_S


def test_the_urgent_do_not_wait_behind_the_others() -> None:
    """Twice as many long prompts as the card can take; the others' wait goes away, and the long ones still get in."""
    level = shared(tenant("chat", 0.2), tenant("documents", 1.6, Lengths(3_000, 4_000), Lengths(4, 8)))
    alike, ahead = (ran(built(level, priority_0=urgency)[0], 60) for urgency in (0, 3))
    assert waits_s(alike, 0) > 8
    assert waits_s(ahead, 0) < waits_s(alike, 0) / 2.5
    assert any(request.done for request in ahead.floor.requests.values() if request.tenant == 1)


def test_a_checkpoint_at_any_moment_goes_on_alike() -> None:
    level = shared(tenant("a", 1.0, Lengths(2_000, 3_000)), tenant("b", 2.0))
    simulation, _ = built(level, quota_1=60, priority_1=2)
    do(simulation, "start")
    for second in (7, 20, 33):
        simulation.advance(second * PS_PER_S)
        again = Simulation.restore(level, simulation.checkpoint())
        for one in (simulation, again):
            one.advance((second + 5) * PS_PER_S)
        assert again.state_hash() == simulation.state_hash()


def test_who_waits_at_a_door_that_is_taken_away_waits_at_the_dock() -> None:
    level = shared(tenant("a", 1.5, Lengths(3_000, 4_000)))
    simulation, gateway = built(level, quota_0=60)
    ran(simulation, 30)
    before = gateway.queue_length()
    assert before > 1
    do(simulation, "remove", ids=[gateway.id])
    dock = simulation.floor.machines[PROMPT_DOCK]
    assert dock.queue_length() >= before
    open_ = [request for request in simulation.floor.requests.values() if not request.refused and not request.done]
    assert len(places(simulation.floor)) == len(open_), "nobody is lost"


# -- the router --------------------------------------------------------------------------------------------------------


def routed(policy: int, *tenants: Tenant, **ways: int) -> tuple[Simulation, Router, list[int]]:
    """A router before prefill cores on two cards, each with a decode core of its own."""
    simulation = new(1, shared(*tenants))
    router = place(simulation, "router", 4, 5)
    link(simulation, PROMPT_DOCK, router)
    heads = []
    for pad in (0, 1):
        x, y = corner(simulation.level, pad)
        head, tail = place(simulation, "prefill_core", x, y), place(simulation, "decode_core", x + 4, y + 1)
        link(simulation, head, tail)
        link(simulation, tail, TOKEN_DOCK)
        heads.append(head)
    for head in heads:
        link(simulation, router, head)
    for name, value in {"policy": policy, **ways}.items():
        do(simulation, "set", id=router, name=name, value=value)
    found = simulation.floor.machines[router]
    assert isinstance(found, Router)
    return simulation, found, heads


def test_by_task_each_tenant_has_its_way() -> None:
    simulation, router, heads = routed(1, tenant("a", 1.0), tenant("b", 1.0), way_0=1, way_1=2)
    ran(simulation, 30)
    ways = {belt.source.port: belt.target.machine for belt in router.outputs}
    for request in simulation.floor.requests.values():
        belt = router.choose(request.id)
        assert belt is not None
        assert belt.source.port == ("e", "s")[request.tenant]
    assert set(ways.values()) == set(heads)


def test_by_load_a_prompt_goes_where_least_is_to_do() -> None:
    simulation, _, heads = routed(0, tenant("a", 3.0, Lengths(900, 1_100)))
    ran(simulation, 60)
    busy = [simulation.floor.machines[head].busy_ps(0, simulation.now) for head in heads]
    assert max(busy) < 1.6 * min(busy)


def test_by_prefix_a_beginning_stays_where_it_is_known() -> None:
    simulation, router, _ = routed(2, tenant("a", 1.0, Lengths(300, 400), prefix_tokens=200, prefixes=4))
    ran(simulation, 60)
    assert set(router.homes) == {0, 1, 2, 3}
    assert len(set(router.homes.values())) == 2
    for request in simulation.floor.requests.values():
        belt = router.choose(request.id)
        assert belt is not None
        assert belt.source.port == router.homes[request.prefix]
