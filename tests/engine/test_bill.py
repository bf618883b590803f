"""What a run costs: own cards, rented ones, tokens of an API, to the nano-dollar, in any order of looking."""

from typing import Any

import attrs
import msgpack
import pytest
from factories import LEVEL_1, PROMPT_DOCK, TOKEN_DOCK, do, link, new, place, run

from engine import catalog
from engine.errors import EngineError
from engine.floor.machines import ApiPort
from engine.level.check import check_level
from engine.level.data import level_from_data, level_to_data
from engine.level.spec import CHOICE, OWNED, RENTED, Level, PadSpec, Setting, Supply, Tenant
from engine.physics.money import purchase_nusd, rent_nusd
from engine.protocol.asks import answer
from engine.protocol.session import Session
from engine.simulation import Simulation
from engine.supply.told import break_even_data
from engine.traffic.traffic import Lengths, PoissonTraffic
from engine.units import PS_PER_S, seconds

APIS = ["deepinfra", "together"]
CARD = catalog.gpu("rtx-4090")


def level(*pads: str, **changes: Any) -> Level:
    """Level 1 with cards that are sold, and an API."""
    cards = [PadSpec("rtx-4090", pad.x, pad.y, pad.width, pad.height) for pad in LEVEL_1.pads]
    return attrs.evolve(
        LEVEL_1,
        id="bill",
        pads=cards,
        apis=APIS,
        supply=Supply(list(pads)) if pads else None,
        allowed={**LEVEL_1.allowed, "api_port": 2},
        settings={**LEVEL_1.settings, "api_port": {"offer": Setting(0, 0, 1)}},
        **changes,
    )


def through_api(simulation: Simulation, offer: int = 0) -> ApiPort:
    """A port between the docks, above the cards."""
    port = place(simulation, "api_port", 6, 6)
    do(simulation, "set", id=port, name="offer", value=offer)
    link(simulation, PROMPT_DOCK, port)
    link(simulation, port, TOKEN_DOCK)
    machine = simulation.floor.machines[port]
    assert isinstance(machine, ApiPort)
    return machine


def free_floor() -> Level:
    """Without cards in the way."""
    return attrs.evolve(level(RENTED), pads=[PadSpec("rtx-4090", 0, 7, 1, 1)], reference={}, naive={}, naive_fails="")


# -- by the token ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offer", [0, 1])
def test_every_token_of_an_api_is_paid_at_its_price(offer: int) -> None:
    simulation = new(level=free_floor())
    port = through_api(simulation, offer)
    run(simulation)
    api, paid = catalog.api(APIS[offer]), 0
    for request in simulation.floor.requests.values():
        paid += api.nusd(request.prompt_tokens, request.tokens)
    bill = simulation.bill()
    assert bill.total == bill.apis[0].total == simulation.cost_nusd() == paid > 0
    assert bill.pads[0].total == 0, "nothing stands on the card"
    assert (port.tokens_in, port.tokens_out) == (
        sum(request.prompt_tokens for request in simulation.floor.requests.values()),
        simulation.tokens(),
    )


def test_an_api_answers_as_fast_as_its_offer_says_however_many_ask() -> None:
    simulation = new(level=free_floor())
    through_api(simulation)
    run(simulation)
    api = catalog.api("deepinfra")
    done = [request for request in simulation.floor.requests.values() if request.done]
    assert len(done) > 100
    for request in done:
        ttft = request.first_token_ps - request.arrival_ps
        assert api.ttft_ps < ttft < api.ttft_ps + seconds(0.1), "and the belts"
        assert request.last_token_ps - request.first_token_ps == (request.output_tokens - 1) * api.tpot_ps
        assert request.longest_pause_ps == api.tpot_ps
        assert sum(request.causes) == request.last_token_ps - request.arrival_ps


def test_looking_often_or_going_back_changes_nothing() -> None:
    straight, looked = new(level=free_floor()), new(level=free_floor())
    for simulation in (straight, looked):
        through_api(simulation)
        do(simulation, "start")
    straight.advance(seconds(100))
    for step in range(1, 1001):
        looked.advance(seconds(0.1) * step)
        looked.bill()
    assert straight.state_hash() == looked.state_hash()
    again = Simulation.restore(straight.level, straight.checkpoint())
    for simulation in (straight, again):
        simulation.advance(seconds(200))
    assert again.state_hash() == straight.state_hash()
    assert again.bill() == straight.bill()


def test_an_answer_that_is_cut_off_is_asked_for_again_and_paid_twice() -> None:
    simulation = new(level=free_floor())
    port = through_api(simulation)
    do(simulation, "start")
    simulation.advance(seconds(4.6))
    (belt,) = [belt for belt in simulation.floor.belts.values() if belt.source.machine == port.id]
    (asked,) = [call.request for call in port.calls.values()][:1]
    do(simulation, "remove", ids=[belt.id])
    assert port.doing() == "blocked"
    simulation.advance(seconds(6))
    link(simulation, port.id, TOKEN_DOCK)
    simulation.advance(seconds(30))
    request = simulation.floor.requests[asked]
    assert request.done
    assert request.longest_pause_ps > seconds(1)
    assert sum(request.causes) == request.last_token_ps - request.arrival_ps
    paid = sum(one.prompt_tokens for one in simulation.floor.requests.values())
    assert port.tokens_in > paid, "prompt and answer so far were sent along"


# -- by the hour -------------------------------------------------------------------------------------------------------


def test_without_a_supply_all_cards_are_rented_from_the_start() -> None:
    simulation = run(new(level=level()))
    assert simulation.cost_nusd() == 2 * rent_nusd(CARD.rent_usd_per_hour, simulation.end_ps)


def test_a_card_is_paid_from_when_something_stands_on_it() -> None:
    simulation = new(level=level(OWNED, RENTED))
    do(simulation, "start")
    simulation.advance(seconds(10))
    assert simulation.cost_nusd() == 0
    first, second = (place(simulation, "prefill_core", pad.x, pad.y) for pad in simulation.level.pads)
    simulation.advance(seconds(40))
    own, rented = simulation.bill().pads
    costs = catalog.costs()
    assert own.way == OWNED
    assert own.purchase == purchase_nusd(1599 + costs.host_usd, costs.years, seconds(30))
    assert own.management == rent_nusd(costs.management_usd_per_hour, seconds(30))
    assert 0 < own.electricity < own.purchase
    assert (own.rent, rented.rent) == (0, rent_nusd(CARD.rent_usd_per_hour, seconds(30)))
    do(simulation, "remove", ids=[first, second])
    simulation.advance(seconds(50))
    later = simulation.bill()
    assert later.pads[0].purchase > own.purchase, "what is bought stays bought"
    assert later.pads[1].total == rented.total, "what is rented is handed back"
    place(simulation, "prefill_core", simulation.level.pads[1].x, simulation.level.pads[1].y)
    simulation.advance(seconds(60))
    assert simulation.bill().pads[1].rent == rent_nusd(CARD.rent_usd_per_hour, seconds(40))
    window = simulation.bill(45 * PS_PER_S)
    assert window.pads[1].rent == rent_nusd(CARD.rent_usd_per_hour, seconds(10))
    assert window.total < simulation.bill().total


def test_what_is_tried_out_before_the_start_costs_nothing() -> None:
    tried, built = new(level=level(OWNED, RENTED)), new(level=level(OWNED, RENTED))
    for pad in tried.level.pads:
        do(tried, "remove", ids=[place(tried, "prefill_core", pad.x, pad.y)])
    for simulation in (tried, built):
        do(simulation, "start")
        simulation.advance(seconds(20))
    assert tried.cost_nusd() == 0
    assert tried.bill() == built.bill()


def test_a_busy_card_of_ones_own_takes_more_electricity() -> None:
    idle, busy = new(level=level(OWNED, OWNED)), new(level=level(OWNED, OWNED))
    for simulation in (idle, busy):
        do(simulation, "layout", layout=LEVEL_1.reference)
    do(busy, "start")
    busy.advance(seconds(100))
    do(idle, "start")
    for belt in list(idle.floor.belts):
        do(idle, "remove", ids=[belt])
    idle.advance(seconds(100))
    for one, other in zip(idle.bill().pads, busy.bill().pads, strict=True):
        assert one.electricity < other.electricity
        assert (one.purchase, one.management) == (other.purchase, other.management)


def test_accounts_outlive_a_checkpoint() -> None:
    simulation = new(level=level(RENTED, OWNED))
    do(simulation, "layout", layout=LEVEL_1.reference)
    do(simulation, "start")
    simulation.advance(seconds(33))
    again = Simulation.restore(simulation.level, simulation.checkpoint())
    for one in (simulation, again):
        one.advance(seconds(66))
    assert simulation.bill() == again.bill()
    assert simulation.state_hash() == again.state_hash()


# -- what the view asks ------------------------------------------------------------------------------------------------


def test_the_bill_that_is_shown_adds_up() -> None:
    simulation = new(level=level(OWNED, RENTED))
    do(simulation, "layout", layout=LEVEL_1.reference)
    do(simulation, "start")
    simulation.advance(seconds(30))
    before = simulation.state_hash()
    told = answer(simulation, {"v": 1, "ask": "bill"})
    assert simulation.state_hash() == before
    assert told["total_nusd"] == sum(entry["total_nusd"] for entry in (*told["pads"], *told["apis"]))
    for pad in told["pads"]:
        parts = ("purchase_nusd", "management_nusd", "electricity_nusd", "rent_nusd")
        assert pad["total_nusd"] == sum(pad[part] for part in parts)
    assert [pad["way"] for pad in told["pads"]] == [OWNED, RENTED]


def test_the_break_even_of_each_task_is_shown_for_all_offers() -> None:
    chat = Tenant("chat", PoissonTraffic(1, Lengths(800, 900), Lengths(600, 700)), ttft_s=2)
    sums = Tenant("sums", PoissonTraffic(1, Lengths(800, 900), Lengths(100, 200)), benchmark="tldr9", quality=18)
    shared = attrs.evolve(
        level(OWNED, OWNED), traffic=None, tenants=[chat, sums], models=["llama-3.1-8b", "llama-3.2-3b"]
    )
    tasks = break_even_data(shared)
    assert [(task["tenant"], task["model"]) for task in tasks] == [("chat", "llama-3.2-3b"), ("sums", "llama-3.2-3b")]
    assert {offer["api"]: offer["here"] for offer in tasks[0]["offers"]} == {
        "deepinfra": True,
        "groq": False,
        "together": True,
        "bedrock": False,
    }
    assert not tasks[1]["offers"], "an 8B model is not good enough at summaries"


def test_a_game_goes_on_while_the_break_even_is_found() -> None:
    task = Tenant("chat", PoissonTraffic(1, Lengths(810, 910), Lengths(20, 30)), ttft_s=2)
    known = attrs.evolve(level(OWNED, OWNED), traffic=None, tenants=[task])
    session = Session(lambda _: known)
    session.command(msgpack.packb({"v": 1, "do": "open", "level": "any"}))

    def told() -> dict[str, Any]:
        return dict(msgpack.unpackb(session.ask(msgpack.packb({"v": 1, "ask": "break_even", "task": 0}))))

    first, slices = told(), 0
    assert first["pending"]
    assert [(task["tenant"], "offers" in task) for task in first["tasks"]] == [("chat", False)]
    while session.awaited:
        session.think(lambda: True)
        slices += 1
    assert slices > 100, "each is some milliseconds"
    assert told() == {"ok": True, "tasks": break_even_data(known), "pending": False}


# -- as a level says it ------------------------------------------------------------------------------------------------


def test_a_level_with_a_supply_comes_back_from_its_data() -> None:
    known = level(OWNED, CHOICE)
    assert not check_level(known)
    assert level_from_data(level_to_data(known)) == known
    assert not {"apis", "supply"} & set(level_to_data(LEVEL_1)), "its data is as it was"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"supply": Supply([OWNED])}, "supply.pads"),
        ({"supply": Supply([OWNED, "stolen"])}, "supply.pads[1]"),
        ({"supply": Supply([OWNED, OWNED], place="moon")}, "supply.place"),
        ({"apis": ["abacus"]}, "apis[0]"),
        ({"apis": []}, "apis"),
        ({"pads": LEVEL_1.pads, "supply": Supply([OWNED, RENTED])}, "supply.pads[0]"),
    ],
)
def test_what_is_wrong_with_a_supply_is_told(wrong: dict[str, Any], field: str) -> None:
    assert field in {problem.field for problem in check_level(attrs.evolve(level(), **wrong))}


def test_an_offer_that_the_level_does_not_have_is_refused() -> None:
    simulation = new(level=free_floor())
    port = place(simulation, "api_port", 6, 6)
    with pytest.raises(EngineError):
        do(simulation, "set", id=port, name="offer", value=2)
