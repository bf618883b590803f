"""The report of a run: every figure by its definition, and every picosecond accounted for."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from factories import new, place, reference, slots

from engine import catalog
from engine.floor.layout import Layout, layout_from_data
from engine.level.load import load
from engine.level.spec import Goal, Level
from engine.metrics.memory import MemoryBook, holdings
from engine.metrics.report import (
    deadlines,
    goodput,
    in_window,
    latencies,
    report,
    statistics,
    tpot_ps,
    waiting_ps,
    waterfall,
)
from engine.protocol.play import SPEEDS, play
from engine.simulation import Simulation
from engine.traffic.request import Request
from engine.units import PS_PER_S

LEVELS = ("1", "2", "3")
OLD_KEYS = {
    *("level", "seed", "passed", "failed", "tps", "ttft_p50_s", "ttft_p95_s", "pause_p95_s", "tpot_mean_s"),
    *("e2e_p95_s", "requests", "finished", "tokens", "usd_per_mtok", "machines", "sim_seconds", "layout_hash", "hash"),
}


def layout_of(level: Level, settings: dict[str, dict[str, int]] | None = None, without: str = "") -> Layout:
    """The reference layout with other settings, or without a kind of machine."""
    data: dict[str, Any] = {**level.reference}
    machines = [machine for machine in data["machines"] if machine["kind"] != without]
    data["machines"] = [
        {**machine, "settings": {**machine.get("settings", {}), **(settings or {}).get(machine["kind"], {})}}
        for machine in machines
    ]
    return layout_from_data(data)


def played(level: Level, layout: Layout, speed: str = "max") -> tuple[Simulation, dict[str, Any]]:
    memory = MemoryBook()
    simulation = play(level, 1, layout, speed, memory.look)
    return simulation, report(simulation, memory)


FOUR_SEQUENCES = {"decode_core": {"max_num_seqs": 4}}
RUNS: dict[str, Callable[[], tuple[Simulation, dict[str, Any]]]] = {
    **{number: lambda number=number: played(load(number), layout_of(load(number))) for number in LEVELS},
    "2 with preemptions": lambda: played(load("2"), layout_of(load("2"), FOUR_SEQUENCES)),
    "2 without pages": lambda: played(
        load("2"), layout_of(load("2"), {"decode_core": {"max_num_seqs": 2}}, "page_allocator")
    ),
}


@pytest.mark.parametrize("run", RUNS)
def test_the_waterfall_adds_up_to_the_end_to_end_time_to_the_picosecond(run: str) -> None:
    simulation, told = RUNS[run]()
    done = [request for request in in_window(simulation) if request.done]
    assert done
    for request in done:
        assert sum(request.causes) == request.last_token_ps - request.arrival_ps
        assert min(request.causes) >= 0
    fall = told["waterfall"]
    assert fall["requests"] == told["finished"] == len(done)
    assert sum(fall["total_ps"].values()) == fall["e2e_total_ps"]
    assert sum(fall["mean_s"].values()) == pytest.approx(told["latency_s"]["e2e"]["mean"])


@pytest.mark.parametrize("run", RUNS)
def test_the_figures_agree_with_those_that_goals_judge(run: str) -> None:
    simulation, told = RUNS[run]()
    score = simulation.score()
    latency = told["latency_s"]
    assert set(told) >= OLD_KEYS
    assert latency["ttft"]["p50"] == told["ttft_p50_s"]
    assert latency["ttft"]["p95"] == told["ttft_p95_s"]
    assert latency["pause"]["p95"] == told["pause_p95_s"]
    assert latency["e2e"]["p95"] == told["e2e_p95_s"]
    assert latency["tpot"]["mean"] == pytest.approx(told["tpot_mean_s"])
    assert told["user_tps"] == score.user_tps
    for figures in latency.values():
        assert figures["p50"] <= figures["p95"] <= figures["p99"]


def test_what_is_not_finished_counts_with_its_age() -> None:
    young, standing = Request(1, 100, 10, 2 * PS_PER_S, 1), Request(2, 100, 10, 0, 1)
    standing.tokens, standing.first_token_ps, standing.last_token_ps = 3, PS_PER_S, 2 * PS_PER_S
    found = latencies([young, standing], 7 * PS_PER_S)
    assert found == {"ttft": [5 * PS_PER_S, PS_PER_S], "tpot": [], "e2e": [], "pause": [5 * PS_PER_S]}
    assert waiting_ps(young, 7 * PS_PER_S) == 5 * PS_PER_S
    assert waiting_ps(standing, 7 * PS_PER_S) == 0
    assert statistics([]) == {"mean": None, "p50": None, "p95": None, "p99": None}
    assert waterfall([young, standing])["requests"] == 0


def finished(ttft_s: int, pause_s: int, tpot_s: int) -> Request:
    request = Request(1, 100, 11, 0, 1)
    request.first_token_ps, request.longest_pause_ps = ttft_s * PS_PER_S, pause_s * PS_PER_S
    request.tokens, request.last_token_ps = 11, (ttft_s + 10 * tpot_s) * PS_PER_S
    return request


def test_goodput_counts_finished_requests_that_kept_every_deadline() -> None:
    goals = [Goal("tps", 30, at_least=True), Goal("ttft_p95", 3), Goal("pause_p95", 2), Goal("user_tps", 0.5, True)]
    limits = deadlines(goals)
    assert limits == {"ttft": 3, "pause": 2, "tpot": 2}
    kept, late, stalled, slow = finished(3, 2, 2), finished(4, 1, 1), finished(1, 3, 1), finished(1, 1, 3)
    assert tpot_ps(slow) == 3 * PS_PER_S
    under_way = Request(2, 100, 10, 0, 1)
    good = goodput([kept, late, stalled, slow, under_way], limits, 10 * PS_PER_S)
    assert (good["requests"], good["requests_per_s"], good["share_of_finished"]) == (1, 0.1, 0.25)
    assert goodput([kept, late], {}, PS_PER_S)["requests"] == 2


def test_a_factory_that_stalls_its_users_has_less_goodput_than_throughput() -> None:
    _, told = RUNS["2 with preemptions"]()
    assert told["preemptions"] > 0
    assert 0 < told["goodput"]["requests"] < told["finished"]


# -- memory ------------------------------------------------------------------------------------------------------------


def test_pages_save_about_40_per_cent_because_of_the_lengths() -> None:
    level = load("2")
    assert level.traffic is not None
    _, told = played(level, layout_of(level))
    assert told["kv"]["saving"] == pytest.approx(0.407, abs=0.02)
    assert told["kv"]["tokens_per_sequence"] == pytest.approx(1_820, rel=0.03)

    shorter = attrs.evolve(
        level,
        traffic=attrs.evolve(level.traffic, prompt=attrs.evolve(level.traffic.prompt, low=300, high=500)),
    )
    _, told = played(shorter, layout_of(shorter))
    assert told["kv"]["saving"] > 0.6, "with other lengths it is another share"


def test_a_reservation_saves_nothing_and_most_of_it_is_reserved_or_wasted() -> None:
    _, told = RUNS["2 without pages"]()
    assert told["kv"]["saving"] == 0
    decode = told["pads"][1]["memory"]
    assert 0.3 < decode["reserved"] + decode["internal"] < 0.6
    assert decode["internal"] > 0.1
    assert decode["external"] > 0.15, "846 MiB hold two pieces of 336 MiB"
    paged = RUNS["2"]()[1]["pads"][1]["memory"]
    assert paged["internal"] < 0.01
    assert paged["external"] == 0
    assert paged["tokens"] > decode["tokens"]
    for shares in (decode, paged):
        assert sum(shares.values()) == pytest.approx(1)


@pytest.mark.parametrize("run", ["2", "2 with preemptions", "2 without pages", "3"])
def test_what_sequences_hold_is_what_the_memory_has_handed_out(run: str) -> None:
    """At every whole second, on every card."""
    checked = 0

    def look(simulation: Simulation) -> None:
        nonlocal checked
        simulation.settle()
        for pad in simulation.floor.pads.values():
            held = holdings(pad)
            assert sum(one.taken for one in held) == pad.pool.used * pad.pool.block_size
            assert all(0 <= one.tokens <= one.taken for one in held)
            checked += len(held)

    level = load(run[0])
    settings = FOUR_SEQUENCES if "preemptions" in run else {"decode_core": {"max_num_seqs": 1 if run == "3" else 2}}
    play(level, 1, layout_of(level, settings, "page_allocator" if "without" in run else ""), "max", look)
    assert checked > 50


@pytest.mark.parametrize("speed", SPEEDS)
def test_looking_changes_nothing_and_sees_the_same_at_every_speed(speed: str) -> None:
    level = attrs.evolve(load("2"), warmup_s=50, end_s=150)
    layout = layout_of(level)
    assert played(level, layout, speed)[1] == played(level, layout)[1]
    assert played(level, layout)[1]["hash"] == play(level, 1, layout).state_hash()


# -- cards -------------------------------------------------------------------------------------------------------------


def test_idle_cards_take_power_and_cost_money() -> None:
    simulation = new(level=load("2"))
    place(simulation, "decode_core", 6, 4)
    simulation.start()
    simulation.advance(simulation.end_ps)
    told = report(simulation)
    card, costs, seconds = catalog.gpu("gtx-1050"), catalog.costs(), simulation.level.end_s
    assert [pad["utilisation"] for pad in told["pads"]] == [0, 0]
    assert told["energy"]["total_j"] == pytest.approx(2 * seconds * card.idle_watts)
    assert told["energy"]["j_per_token"] is None
    owned = told["cost"]["owned"]
    hours = 2 * seconds / 3600
    purchase = ((card.price_usd or 0) + costs.host_usd) / (costs.years * 8760)
    electricity = card.idle_watts / 1000 * costs.electricity_usd_per_kwh
    assert owned["usd"] == pytest.approx(hours * (purchase + electricity), rel=1e-4)
    assert owned["idle_electricity_usd"] == owned["electricity_usd"]
    assert owned["usd_per_mtok"] is None


@pytest.mark.parametrize(("number", "listed", "owned"), [("1", True, False), ("2", False, True), ("3", True, True)])
def test_a_price_that_is_not_known_is_not_made_up(number: str, listed: bool, owned: bool) -> None:
    """Nobody rents a GTX 1050 out, and the catalog has no purchase price of an L4."""
    _, told = RUNS[number]()
    assert told["cost"]["rented"]["listed"] is listed
    assert (told["cost"]["owned"] is not None) is owned
    assert told["cost"]["rented"]["usd_per_mtok"] == told["usd_per_mtok"]


def test_a_busy_card_takes_more_than_an_idle_one() -> None:
    _, told = RUNS["1"]()
    busy = told["pads"][1]
    assert busy["utilisation"] == pytest.approx(1, abs=0.01)
    assert 0.4 < told["pads"][0]["utilisation"] < 0.7
    watts = busy["energy_j"] / 240
    assert catalog.gpu("l4").idle_watts < watts <= catalog.gpu("l4").busy_watts
    assert told["energy"]["total_j"] == pytest.approx(sum(pad["energy_j"] for pad in told["pads"]))


# -- speculation -------------------------------------------------------------------------------------------------------


def test_acceptance_is_reported_as_engines_do() -> None:
    _, told = RUNS["3"]()
    draft = told["speculation"]
    assert draft["acceptance"] == draft["accepted"] / draft["drafted"]
    assert draft["acceptance"] == pytest.approx(0.54, abs=0.02), "not the .8 of a single token"
    assert draft["tokens_per_step"] == pytest.approx(draft["expected_tokens_per_step"], rel=0.02)


def test_without_a_draft_there_is_no_acceptance() -> None:
    simulation = new()
    reference(simulation)
    slots(simulation, next(id for id, one in simulation.floor.machines.items() if one.slots()), 2)
    assert report(simulation)["speculation"]["acceptance"] is None
