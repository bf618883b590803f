"""A Router's way to fall back to: taken when the server that a prompt is meant for is full or cannot be reached."""

import attrs
from factories import PROMPT_DOCK, do, link, new, place
from test_gateway import shared, tenant

from engine.floor.machines import ApiPort, Router
from engine.level.spec import Dock, Level, PadSpec, Setting
from engine.simulation import Simulation
from engine.traffic.traffic import Lengths
from engine.units import seconds

BUSY = Lengths(400, 500), Lengths(100, 120)


def level(per_s: float) -> Level:
    """A Model Server and an API, and more requests than the server has slots for."""
    base = shared(tenant("a", per_s, *BUSY))
    settings = {
        "model_server": {"max_num_seqs": Setting(4, 1, 64), "max_num_batched_tokens": Setting(2048, 2048, 2048)},
        "router": {"policy": Setting(0, 0, 2), "fallback": Setting(0, 0, 3), "way_0": Setting(0, 0, 3)},
        "api_port": {"offer": Setting(0, 0, 0)},
    }
    return attrs.evolve(
        base,
        pads=[PadSpec("rtx-4090", 8, 0, 6, 4)],
        docks=[Dock("prompt_dock", 0, 5), Dock("token_dock", 20, 2), Dock("token_dock", 20, 7)],
        settings=settings,
        allowed={"model_server": 1, "batcher": 1, "router": 1, "api_port": 1},
        apis=["groq"],
        end_s=60,
        warmup_s=0,
    )


def built(per_s: float, **values: int) -> tuple[Simulation, Router, ApiPort]:
    """The server is one way, the API another."""
    simulation = new(1, level(per_s))
    router, server = place(simulation, "router", 4, 5), place(simulation, "model_server", 9, 0)
    place(simulation, "batcher", 12, 3)
    port = place(simulation, "api_port", 10, 7)
    for source, target in ((PROMPT_DOCK, router), (router, server), (router, port), (server, 2), (port, 3)):
        link(simulation, source, target)
    machine, api = simulation.floor.machines[router], simulation.floor.machines[port]
    assert isinstance(machine, Router)
    assert isinstance(api, ApiPort)
    ways = {belt.target.machine: ("", "e", "s", "n").index(belt.source.port) for belt in machine.outputs}
    for name, value in {"fallback": ways[port], **values}.items():
        do(simulation, "set", id=router, name=name, value=ways[server] if name == "way_0" else value)
    do(simulation, "start")
    return simulation, machine, api


def test_nothing_goes_to_the_api_while_the_server_has_slots() -> None:
    simulation, _, api = built(0.3)
    simulation.advance(seconds(60))
    assert api.tokens_in == 0


def test_what_is_too_much_goes_to_the_api_and_the_server_stays_full() -> None:
    simulation, _, api = built(4.0)
    simulation.advance(seconds(60))
    assert api.tokens_in > 0
    busy = simulation.floor.pads[0].busy.total(10, 60)
    assert busy > 0.9 * 50 * 10**12
    waits = [
        request.first_token_ps - request.arrival_ps for request in simulation.floor.requests.values() if request.tokens
    ]
    assert max(waits) < seconds(2), "nobody queues"
    assert simulation.bill().apis[0].total == simulation.bill().total - simulation.bill().pads[0].total


def test_by_task_too() -> None:
    simulation, _, api = built(4.0, policy=1, way_0=0)
    simulation.advance(seconds(60))
    assert api.tokens_in > 0
    assert simulation.floor.pads[0].busy.total(10, 60) > 0.9 * 50 * 10**12


def test_a_broken_card_leaves_everything_to_the_api() -> None:
    simulation, router, api = built(1.0)
    simulation.advance(seconds(20))
    simulation.site.break_pad(simulation.floor.pads[0])
    simulation.advance(seconds(40))
    late = [one for one in simulation.floor.requests.values() if seconds(20) <= one.arrival_ps < seconds(35)]
    assert late
    assert all(request.done for request in late)
    assert router.queue_length() == 0
    simulation.site.repair_pad(simulation.floor.pads[0])
    before = api.tokens_in
    simulation.advance(seconds(44))
    assert api.tokens_in - before < 2_000, "the server has its part again"
