"""Level 8: one own card for the day, an API for the rush; anything else is late or dear. An hour lasts 20 s."""

from copy import deepcopy
from typing import Any

import attrs
import pytest
from test_tutorial import Player

from engine import catalog
from engine.floor.layout import layout_from_data
from engine.level.load import load
from engine.metrics.report import report
from engine.protocol.play import play
from engine.results.stars import stars
from engine.simulation import Simulation
from engine.supply.told import break_even_data
from engine.traffic.day import DayTraffic

LEVEL = load("8")
OWNED, RENTED = 0, 1
Data = dict[str, Any]


def changed(base: Data, kinds: str = "", **settings: int) -> Data:
    """A layout with other settings of a kind of machine."""
    data = deepcopy(base)
    for machine in data["machines"]:
        if machine["kind"] == kinds:
            machine["settings"] |= settings
    return data


def only(base: Data, *kinds: str, below: int = 99) -> Data:
    """A layout's machines of some kinds, and the belts between them and the docks."""
    data = deepcopy(base)
    data["machines"] = [one for one in data["machines"] if one["kind"] in kinds and one["y"] < below]
    places = {(one["x"], one["y"]) for one in (*data["machines"], *(attrs.asdict(dock) for dock in LEVEL.docks))}
    ends = [[(belt[end]["x"], belt[end]["y"]) for end in ("from", "to")] for belt in data["belts"]]
    data["belts"] = [belt for belt, both in zip(data["belts"], ends, strict=True) if places.issuperset(both)]
    return data


def played(layout: Data, seed: int = 1) -> Simulation:
    return play(LEVEL, seed, layout_from_data(layout))


def missed(simulation: Simulation) -> set[str]:
    return {judgement.goal.metric for judgement in simulation.judge() if not judgement.met}


SERVER = ("router", "model_server", "batcher", "page_allocator")
LOSING: dict[str, tuple[Data, set[str]]] = {
    "the API alone": (
        only(changed(LEVEL.reference, "router", fallback=0), "router", "api_port"),
        {"usd_per_task"},
    ),
    "one own card": (only(changed(LEVEL.naive, "model_server", max_num_seqs=64), *SERVER, below=5), {"on_time"}),
    "one own card with few slots": (only(LEVEL.naive, *SERVER, below=5), {"on_time", "usd_per_task"}),
    "a rented card and the API": (changed(LEVEL.reference, "model_server", supply=RENTED), {"usd_per_task"}),
    "never full": (changed(LEVEL.reference, "model_server", max_num_seqs=64), {"on_time"}),
    "nearly always full": (changed(LEVEL.reference, "model_server", max_num_seqs=4), {"usd_per_task"}),
    "by load to both": (changed(LEVEL.reference, "router", fallback=0), {"usd_per_task"}),
}


@pytest.mark.parametrize("name", LOSING)
def test_other_factories_are_late_or_dear(name: str) -> None:
    layout, reasons = LOSING[name]
    assert missed(played(layout)) == reasons


def test_the_stars_ask_for_fewer_slots_and_for_more() -> None:
    for slots, reached in ((14, {"goal", "latency"}), (18, {"goal", "cost"})):
        simulation = played(changed(LEVEL.reference, "model_server", max_num_seqs=slots))
        assert {star.name for star in stars(simulation) if star.reached} == reached
    dearer = played(changed(LEVEL.reference, "api_port", offer=1))
    assert {star.name for star in stars(dearer) if star.reached} == {"goal"}


def test_the_bill_adds_up_and_the_night_is_paid() -> None:
    simulation = played(LEVEL.reference)
    told = report(simulation)
    bill = told["bill"]
    assert bill["total_nusd"] == simulation.cost_nusd() == sum(one["total_nusd"] for one in bill["pads"] + bill["apis"])
    own = bill["pads"][0]
    day_usd = own["total_nusd"] / 1e9 * 3600 / 20
    assert day_usd == pytest.approx(24 * 0.29, rel=0.03), "an hour of one's own card, 24 times"
    assert bill["pads"][1]["total_nusd"] == 0
    served = told["finished"] * 3600 / 20
    traffic = LEVEL.tenants[0].traffic
    assert isinstance(traffic, DayTraffic)
    assert served == pytest.approx(sum(traffic.per_hour), rel=0.05), "a day's tasks"


def test_some_prices_a_card_never_beats_and_the_level_shows_them() -> None:
    (task,) = break_even_data(LEVEL)
    offers = {offer["api"]: offer for offer in task["offers"]}
    assert set(offers) == set(catalog.apis())
    assert [api for api, offer in offers.items() if offer["here"]] == ["together", "bedrock"]
    assert set(offers["deepinfra"]["break_even"].values()) == {None}
    assert 0 < offers["bedrock"]["break_even"]["owned"] < offers["together"]["break_even"]["owned"] < 0.3
    assert offers["groq"]["break_even"]["rented"] is None
    assert all(offers[api]["possible"] for api in LEVEL.apis)
    traffic = LEVEL.tenants[0].traffic
    assert isinstance(traffic, DayTraffic)
    mean = sum(traffic.per_hour) / 24 / 3600 / task["requests_per_s"]
    assert 0.3 < mean < 0.7, "over the day its load is beyond the break-even"
    assert max(traffic.per_hour) / 3600 > 1.5 * task["requests_per_s"], "and in the rush beyond the card"


def test_the_tutorial_wins_it() -> None:
    player = Player(LEVEL)
    player.follow()
    assert player.passed
    assert list(dict.fromkeys(player.steps))[:7] == [step.id for step in LEVEL.tutorial][:7]
