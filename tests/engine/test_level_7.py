"""Level 7: the right model for each task, on one card; larger models, a card each and long prompts anew all lose."""

from copy import deepcopy
from typing import Any

import pytest
from factories import new, reference
from test_tutorial import Player

from engine import catalog
from engine.diagnosis.fixes import changes
from engine.errors import EngineError
from engine.floor.layout import layout_from_data
from engine.level.load import load
from engine.metrics.report import report
from engine.physics.kv_cache import kv_bytes_per_token
from engine.protocol.asks.machines import machine_data
from engine.protocol.play import play
from engine.results.stars import stars

LEVEL = load("7")
THREE_B, FOUR_BIT, FP8, EIGHT_B = 1, 2, 3, 4
Data = dict[str, Any]


def changed(base: Data, second: int | None = None, first: int | None = None, without: str = "") -> Data:
    """A layout with other models (by place), or without a kind of machine."""
    data = deepcopy(base)
    data["machines"] = [machine for machine in data["machines"] if machine["kind"] != without]
    for machine in data["machines"]:
        if machine["kind"] == "model_server":
            model = first if machine["y"] == 0 else second
            machine["settings"] |= {} if model is None else {"model": model}
    return data


def two_cards() -> Data:
    """The 8B model in 16 bits on the other card."""
    data = deepcopy(LEVEL.reference)
    for machine in data["machines"]:
        if machine["kind"] == "model_server" and machine["y"] == 2:
            machine |= {"y": 7, "settings": {**machine["settings"], "model": EIGHT_B}}
    data["machines"] += [
        {"kind": kind, "x": x, "y": y}
        for kind, x, y in (("batcher", 9, 8), ("page_allocator", 10, 8), ("prefix_cache", 9, 9))
    ]
    data["belts"] = [belt for belt in data["belts"] if belt["from"]["y"] != 2 and belt["to"]["y"] != 2]
    way = [[4, 2], [4, 3], [4, 4], [4, 5], [4, 6], [4, 7], [5, 7], [6, 7]]
    out = [[9, 7], [10, 7], [11, 7], [12, 7], [12, 6], [13, 6]]
    data["belts"] += [
        {"tiles": way, "from": {"x": 4, "y": 1, "port": "s"}, "to": {"x": 7, "y": 7, "port": "w0"}},
        {"tiles": out, "from": {"x": 7, "y": 7, "port": "e0"}, "to": {"x": 14, "y": 6, "port": "w0"}},
    ]
    return data


def judged(layout: Data, seed: int = 1) -> tuple[set[str], dict[str, float | None]]:
    """The goals that a layout misses, and the value of each, also of single tenants."""
    simulation = play(LEVEL, seed, layout_from_data(layout))
    judgements = simulation.judge()
    values = {judgement.goal.metric: judgement.value for judgement in judgements}
    tenants = {name: part.on_time for name, part in simulation.score().tenants.items()}
    return {judgement.goal.metric for judgement in judgements if not judgement.met}, {**values, **tenants}


def test_fp8_does_as_well_as_four_bits_but_for_a_star() -> None:
    for model, reached in ((FOUR_BIT, {"goal", "latency", "cost"}), (FP8, {"goal", "cost"})):
        simulation = play(LEVEL, 1, layout_from_data(changed(LEVEL.reference, second=model)))
        assert {star.name for star in stars(simulation) if star.reached} == reached


def test_no_prompt_twice_is_what_makes_one_card_do() -> None:
    """The best of 50 settings of the two servers without a Prefix Cache."""
    missed, values = judged(changed(LEVEL.reference, second=FP8, without="prefix_cache"))
    assert "worst_on_time" in missed
    assert (values["code"] or 0) < 0.1


def test_no_model_alone_is_good_enough_for_all() -> None:
    for model in range(len(LEVEL.models)):
        missed, values = judged(changed(LEVEL.naive, first=model))
        assert "worst_on_time" in missed
        assert values["worst_on_time"] == 0, "not late: not good enough"
    assert judged(changed(LEVEL.naive, first=EIGHT_B))[1]["summaries"] == 0
    assert judged(changed(LEVEL.naive, first=THREE_B))[1]["code"] == 0


def test_sixteen_bits_do_not_fit_beside_the_other_model() -> None:
    with pytest.raises(EngineError) as refused:
        judged(changed(LEVEL.reference, second=EIGHT_B))
    assert refused.value.code == "place.too_big"


def test_a_card_for_each_model_serves_well_and_costs_too_much() -> None:
    missed, values = judged(two_cards())
    assert missed == {"usd_per_task"}
    assert values["worst_on_time"] == 1


@pytest.mark.parametrize("kind", ["prefix_cache", "batcher", "page_allocator"])
def test_what_is_left_out_is_missed(kind: str) -> None:
    missed, values = judged(changed(LEVEL.reference, without=kind))
    assert "worst_on_time" in missed
    assert values["code"] == pytest.approx(0, abs=0.1)


def test_without_routes_tasks_land_where_nobody_can_do_them() -> None:
    by_load = deepcopy(LEVEL.reference)
    by_load["machines"][0]["settings"]["policy"] = 0
    missed, values = judged(by_load)
    assert missed == {"worst_on_time", "usd_per_task"}
    assert all(0.1 < (values[tenant] or 0) < 0.9 for tenant in ("summaries", "code"))


def test_two_models_share_memory_that_is_made_for_the_larger_kv() -> None:
    simulation = play(LEVEL, 1, layout_from_data(LEVEL.reference))
    (pad, other) = simulation.floor.pads.values()
    sizes = [catalog.model(LEVEL.models[model]) for model in (THREE_B, FOUR_BIT)]
    assert pad.fixed_bytes == sum(model.weight_bytes for model in sizes) + pad.gpu.overhead_bytes
    assert pad.kv_bytes_per_block == 16 * max(kv_bytes_per_token(model) for model in sizes)
    assert other.fixed_bytes == 0
    told = report(simulation)
    assert [one["way"] for one in told["bill"]["pads"]] == ["rented", ""], "what nobody uses is not paid"
    assert told["bill"]["total_nusd"] == simulation.cost_nusd()


def test_the_tutorial_wins_it() -> None:
    player = Player(LEVEL)
    player.follow()
    assert player.passed
    assert list(dict.fromkeys(player.steps))[:9] == [step.id for step in LEVEL.tutorial][:9]


def test_models_are_told_by_their_names() -> None:
    simulation = new(level=LEVEL)
    reference(simulation)
    server = next(one.id for one in simulation.floor.machines.values() if one.stand.kind.name == "model_server")
    told = {setting["name"]: setting["choices"] for setting in machine_data(simulation, server)["settings"]}
    assert told["model"] == [catalog.model(id).name for id in LEVEL.settings["model_server"]["model"].choices]
    layout = layout_from_data(LEVEL.reference)
    steps = [step for fix in changes(LEVEL, layout, missed=False) if fix is not None for step in fix.steps]
    assert {step.params["value"] for step in steps if step.params.get("name") == "model"} <= set(told["model"])


def test_a_token_dock_that_is_not_needed_is_nothing_wrong() -> None:
    simulation = new(level=LEVEL)
    docks = [one for one in simulation.floor.machines.values() if one.stand.kind.name == "token_dock"]
    assert [dock.status() for dock in docks] == ["unconnected"] * 2
    reference(simulation)
    assert [len(dock.inputs) for dock in docks] == [2, 0]
    assert [dock.status() for dock in docks] == ["idle"] * 2
