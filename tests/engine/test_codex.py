"""The codex: each page complete, its numbers those of this factory, its distances those of docs/fidelity.md."""

import re
from pathlib import Path
from typing import Any

import msgpack
import pytest
from factories import LEVELS, new, reference

from engine.cli.words import words
from engine.codex.codex import codex, codex_page
from engine.codex.distances import DISTANCES
from engine.codex.figures import FIGURES, figure
from engine.codex.pages import MACHINE, PAGES
from engine.floor.kinds import KINDS
from engine.floor.layout import layout_from_data
from engine.level.spec import Level
from engine.physics.speculation import expected_tokens
from engine.protocol.play import play
from engine.protocol.session import Session
from engine.simulation import Simulation

FIDELITY = (Path(__file__).resolve().parents[2] / "docs" / "fidelity.md").read_text("utf-8")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


def value(simulation: Simulation, name: str) -> Any:
    return figure(simulation, name)["value"]


def built(level: Level) -> Simulation:
    simulation = new(level=level)
    reference(simulation)
    return simulation


def test_every_machine_and_concept_has_a_page() -> None:
    assert {page.id for page in PAGES.values() if page.group == MACHINE} == set(KINDS)
    concepts = "prefill decode kv_cache paging fragmentation speculation acceptance batching ttft tpot throughput"
    assert set(f"{concepts} roofline link goodput cost energy".split()) <= set(PAGES)


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.id)
def test_a_page_is_complete_short_and_leads_only_to_pages_that_exist(page: Any) -> None:
    codes = [f"codex.{page.id}{part}" for part in ("", ".what", ".rule", *([".legend"] if page.equation else []))]
    for code in codes:
        text = words(code, {})
        assert text != code, code
        assert len(text) <= 150, (code, len(text))
    assert set(page.figures) <= set(FIGURES)
    assert set(page.distances) <= set(DISTANCES)
    assert set(page.see) <= set(PAGES) - {page.id}
    assert page.see
    assert page.distances, "how true it is"


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_words_and_a_unit(name: str) -> None:
    assert words(f"figure.{name}", {}) != f"figure.{name}"
    unit = f"unit.{FIGURES[name].unit}"
    assert "7" in words(unit, {"value": "7"})
    assert not words(unit, {"value": "7"}).startswith(unit)


@pytest.mark.parametrize("name", DISTANCES)
def test_a_distance_is_that_of_the_fidelity_page(name: str) -> None:
    distance = DISTANCES[name]
    rows = [line for line in FIDELITY.splitlines() if line.startswith(f"| {distance.row}")]
    assert len(rows) == 1, distance.row
    numbers = {float(number.replace(",", "")) for number in NUMBER.findall(rows[0])}
    for number, unit in distance.numbers.values():
        assert number in numbers, (name, number, rows[0])
        assert words(f"unit.{unit}", {"value": "7"}) != f"unit.{unit}"
    text = words(f"distance.{name}", dict.fromkeys(distance.numbers, "7 %"))
    assert not text.startswith("distance.")
    assert len(text) <= 170


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_pages_answer_at_any_time_and_change_nothing(level: Level) -> None:
    empty, ran = new(level=level), play(level, 1, layout_from_data(level.reference))
    for simulation in (empty, built(level), ran):
        before = simulation.state_hash()
        for listed in codex(simulation)["pages"]:
            page = codex_page(simulation, listed["id"])
            msgpack.packb(page)
            assert page["here"] == listed["here"]
        assert simulation.state_hash() == before
    known = {name for name in FIGURES if value(ran, name) is not None}
    needed = {name for page in PAGES.values() if not page.needs or page.needs in level.allowed for name in page.figures}
    assert needed <= known, "after a run every number of a page is there"


def test_the_numbers_of_level_1_are_those_of_its_facts() -> None:
    simulation = built(LEVELS[0])
    assert value(simulation, "kv_token_kib") == 128
    assert value(simulation, "kv_prompt_mib") == 512
    assert value(simulation, "weights_gb") == pytest.approx(15.0, abs=0.1)
    assert value(simulation, "handoff_tiles") == 4
    assert value(simulation, "tile_ms") == pytest.approx(29, abs=0.5)
    assert value(simulation, "handoff_s") == pytest.approx(0.926 + 4 * 0.029, rel=0.01)
    assert 30 < value(simulation, "tps_full") < 60
    assert value(simulation, "ridge_tokens") == pytest.approx(121e12 * 0.5 / (300e9 * 0.8), rel=0.1)


def test_the_numbers_of_level_2_say_why_two_fit_and_then_three() -> None:
    simulation = built(LEVELS[1])
    assert value(simulation, "reserved_mib") == 336
    assert (value(simulation, "reserved_fit"), value(simulation, "paged_fit")) == (2, 4)
    assert (value(simulation, "block_tokens"), value(simulation, "block_waste")) == (16, 7.5)


def test_the_numbers_of_level_3_follow_its_draft() -> None:
    simulation = built(LEVELS[2])
    assert value(simulation, "guesses") == 5
    assert value(simulation, "tokens_per_step") == pytest.approx(expected_tokens(0.8, 5))
    assert value(simulation, "tps_alone") == pytest.approx(57, abs=1)
    assert value(simulation, "best_guesses") in range(5, 8)
    ran = play(LEVELS[2], 1, layout_from_data(LEVELS[2].reference))
    assert value(ran, "measured_per_step") == pytest.approx(expected_tokens(0.8, 5), rel=0.02)
    assert value(ran, "measured_acceptance") == pytest.approx(value(ran, "reported_acceptance"), rel=0.03)


def test_a_level_names_what_it_has_and_cards_that_nobody_measured() -> None:
    here = {page["id"] for page in codex(new(level=LEVELS[0]))["pages"] if page["here"]}
    assert "decode" in here
    assert not {"paging", "speculation", "draft_model", "page_allocator"} & here
    codes = [one["code"] for one in codex_page(new(level=LEVELS[0]), "decode")["fidelity"]]
    assert codes == ["distance.decode", "distance.assumed"]
    codes = [one["code"] for one in codex_page(new(level=LEVELS[2]), "decode")["fidelity"]]
    assert codes == ["distance.decode"], "an RTX 4090 was measured"


def test_the_codex_over_the_bridge() -> None:
    session = Session()
    session.command(msgpack.packb({"v": 1, "do": "open", "level": "1", "seed": 1}))
    page = msgpack.unpackb(session.ask(msgpack.packb({"v": 1, "ask": "codex_page", "id": "decode_core"})))
    assert page["ok"]
    assert page["texts"] == ["codex.decode_core.what", "codex.decode_core.rule"]
    assert {one["system"] for one in page["counterparts"]} == {"vLLM", "TensorRT-LLM"}
    unknown = msgpack.unpackb(session.ask(msgpack.packb({"v": 1, "ask": "codex_page", "id": "x" * 99})))
    assert (unknown["code"], len(unknown["params"]["id"])) == ("codex.unknown", 40)
    assert len(msgpack.unpackb(session.ask(msgpack.packb({"v": 1, "ask": "codex"})))["pages"]) == len(PAGES)
