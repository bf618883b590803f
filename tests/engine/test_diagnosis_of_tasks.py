"""What the status line says where nobody waits, and tasks do not count all the same, or cost too much."""

from copy import deepcopy
from typing import Any

import pytest
from factories import do, new

from engine.diagnosis.diagnosis import Diagnosis
from engine.diagnosis.what_if import WhatIf
from engine.level.load import load
from engine.level.spec import Level
from engine.protocol.codes import CODES
from engine.units import PS_PER_S

SEED = 1


def without(data: dict[str, Any], *kinds: str) -> dict[str, Any]:
    """A layout without some kinds of machines, and without their belts."""
    data = deepcopy(data)
    gone = {(one["x"], one["y"]) for one in data["machines"] if one["kind"] in kinds}
    data["machines"] = [one for one in data["machines"] if one["kind"] not in kinds]
    ends = [{(belt[end]["x"], belt[end]["y"]) for end in ("from", "to")} for belt in data["belts"]]
    data["belts"] = [belt for belt, both in zip(data["belts"], ends, strict=True) if not gone & both]
    return data


def with_setting(data: dict[str, Any], kind: str, **settings: int) -> dict[str, Any]:
    """A layout with other settings of a kind of machine."""
    data = deepcopy(data)
    for one in data["machines"]:
        if one["kind"] == kind:
            one["settings"] = {**one.get("settings", {}), **settings}
    return data


def said(level: Level, layout: dict[str, Any]) -> dict[str, Any]:
    """What the line says of a layout while it is built, once its run has been simulated ahead."""
    simulation, diagnosis = new(SEED, level), Diagnosis(WhatIf(level, SEED))
    do(simulation, "layout", layout=layout)
    while diagnosis.search is None or diagnosis.search.before is None:
        diagnosis.think(simulation, lambda: diagnosis.search is not None and diagnosis.search.before is not None)
    told: dict[str, Any] = diagnosis.news(simulation, anew=True)["bottleneck"]
    assert set(told["params"]) == set(CODES[told["code"]])
    return told


def test_a_model_that_is_not_good_enough_is_named_with_its_tenant() -> None:
    level = load("7")
    for layout in (level.naive, with_setting(level.reference, "router", policy=0)):
        told = said(level, layout)
        assert told["code"] == "bottleneck.quality"
        assert told["params"]["tenant"] == "summaries"
        assert told["params"]["model"].startswith("Llama-3.1-8B")


@pytest.mark.parametrize(
    ("kinds", "code"),
    [((), "bottleneck.idle"), (("model_server", "batcher", "page_allocator"), "bottleneck.paid")],
)
def test_where_tasks_are_too_dear_the_line_says_what_is_paid_for(kinds: tuple[str, ...], code: str) -> None:
    level = load("8")
    told = said(level, without(level.reference, *kinds) if kinds else level.naive)
    assert told["code"] == code
    if not kinds:
        assert told["params"]["percent"] > 25


def test_a_prompt_in_chunks_takes_the_time_of_all_its_steps() -> None:
    level = load("5")
    told = said(level, with_setting(level.reference, "chunker", chunk_tokens=128))
    assert told["code"] == "bottleneck.chunks"
    assert told["params"]["chunks"] >= 8192 / 128
    assert 1_800 < told["params"]["ms"] < 2_200, "what documents were seen to wait is 1.96 s"


@pytest.mark.parametrize(
    ("slots", "code", "params"),
    [(32, "bottleneck.slow", {"kind": "model_server"}), (4, "bottleneck.api", {"kind": "api_port"})],
)
def test_slow_answers_and_a_dear_api_are_named_where_prompts_do_not_wait(
    slots: int, code: str, params: dict[str, Any]
) -> None:
    level = load("8")
    told = said(level, with_setting(level.reference, "model_server", max_num_seqs=slots))
    assert (told["code"], told["params"]["kind"]) == (code, params["kind"])
    assert told["params"].get("percent", 100) > 50
    assert told["params"].get("ms", 99) > 25


def test_whom_a_gateway_refuses_is_said_though_all_goals_are_met() -> None:
    level = load("6")
    told = said(level, level.reference)
    assert told["code"] == "bottleneck.turned_away"
    assert told["params"]["tenant"] == "documents"
    assert 20 < told["params"]["percent"] < 30


def test_a_run_under_way_is_judged_by_its_own_requests_and_counts_as_the_machines_do() -> None:
    level = load("8")
    simulation, diagnosis = new(SEED, level), Diagnosis(WhatIf(level, SEED))
    do(simulation, "layout", layout=with_setting(level.reference, "model_server", max_num_seqs=32))
    do(simulation, "start")
    while diagnosis.search is None or diagnosis.search.before is None:
        diagnosis.think(simulation, lambda: diagnosis.search is not None and diagnosis.search.before is not None)
    seen = set()
    for second in range(1, 240):
        simulation.advance(second * PS_PER_S)
        diagnosis.evidence.look(simulation)
        told = diagnosis.news(simulation, anew=True)["bottleneck"]
        if told["code"] == "bottleneck.slots":
            waiting = simulation.floor.machines[told["machine"]].queue_length()
            assert told["params"]["waiting"] == max(waiting, 1)
        seen |= set() if told["simulated"] else {told["code"]}
    assert "bottleneck.slow" in seen
