"""Belts are links: bandwidth shared evenly by what crosses them, and latency by the tile."""

from types import SimpleNamespace
from typing import Any

import pytest
import simpy

from engine import catalog
from engine.floor.belt import Belt, End, latency_ps

LINK = catalog.link("5gbase-t")
MIB_512 = 512 * 2**20
TILES = tuple((x, 0) for x in range(4))


def crossing(sends: list[tuple[int, int]]) -> dict[int, int]:
    """Packets of (time, bytes) put on one belt; when each has arrived."""
    env, arrived = simpy.Environment(), dict[int, int]()
    receiver = SimpleNamespace(receive=lambda request, belt: arrived.update({request: int(env.now)}))
    floor: Any = SimpleNamespace(link=LINK, watcher=None, machines={2: receiver})
    belt = Belt(1, floor, "kv", End(1, "e"), End(2, "w"), TILES)
    belt.start(env, None)
    for number, (time, size) in enumerate(sends):
        if time > env.now:
            env.run(until=time)
        belt.send(number, size, size // 32)
    env.run()
    return arrived


def test_a_packet_alone_takes_its_latency() -> None:
    alone = latency_ps(LINK, 4, MIB_512, MIB_512 // 32)
    assert crossing([(0, MIB_512)]) == {0: alone}
    assert alone / 1e12 == pytest.approx(0.9256 + 4 * 0.029, rel=0.01)


def test_two_at_once_share_the_wire_evenly() -> None:
    wire, alone = LINK.wire_ps(MIB_512), latency_ps(LINK, 4, MIB_512, MIB_512 // 32)
    both = crossing([(0, MIB_512), (0, MIB_512)])
    assert both[0] == both[1] == alone + wire


def test_a_small_one_does_not_wait_behind_a_large_one() -> None:
    arrivals = crossing([(0, MIB_512), (1000, MIB_512 // 16)])
    large, small = arrivals[0], arrivals[1]
    assert small < large / 4
    assert large == pytest.approx(latency_ps(LINK, 4, MIB_512, MIB_512 // 32) + LINK.wire_ps(MIB_512 // 16), rel=1e-6)


def test_one_that_comes_later_shares_only_what_is_left() -> None:
    wire = LINK.wire_ps(MIB_512)
    arrivals = crossing([(0, MIB_512), (wire // 2, MIB_512)])
    rest = latency_ps(LINK, 4, MIB_512, MIB_512 // 32) - wire
    assert arrivals[0] == pytest.approx(wire // 2 + wire + rest, rel=1e-6)
    assert arrivals[1] == pytest.approx(2 * wire + rest, rel=1e-6)
