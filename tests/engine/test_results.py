"""Stars, histograms, and what a factory would be in production."""

import copy
import json
import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from factories import LEVELS, link, new, place, run, slots

from engine.cli.words import words
from engine.floor.layout import layout_from_data
from engine.level.spec import Level
from engine.protocol.codes import CODES
from engine.protocol.play import play
from engine.results.attempts import BINS, Attempt, attempt_of, histograms
from engine.results.production import MONTH_PS, production
from engine.results.results import results
from engine.results.stars import stars
from engine.simulation import Simulation
from engine.units import PS_PER_S

LEVEL_1, LEVEL_2, LEVEL_3 = LEVELS
# Flags of `vllm serve` that docs.vllm.ai documents for 0.20 and newer.
FLAGS = {
    "--tokenizer",
    "--max-model-len",
    "--max-num-seqs",
    "--max-num-batched-tokens",
    "--block-size",
    "--gpu-memory-utilization",
    "--speculative-config",
    "--kv-transfer-config",
    "--no-enable-prefix-caching",
    "--port",
}


def played(level: Level, layout: dict[str, Any], seed: int = 1) -> Simulation:
    return play(level, seed, layout_from_data(layout))


def reference(level: Level) -> Simulation:
    return played(level, level.reference)


def short() -> Simulation:
    """Level 1 with a hand-off of one tile."""
    simulation = new()
    prefill, decode = place(simulation, "prefill_core", 5, 3), place(simulation, "decode_core", 7, 4)
    slots(simulation, decode, 8)
    link(simulation, 1, prefill)
    assert link(simulation, prefill, decode) == 1
    link(simulation, decode, 2)
    return run(simulation)


def two_decode_cores() -> Simulation:
    """Level 1 with two Decode Cores that take turns on one card."""
    simulation = new()
    prefill = place(simulation, "prefill_core", 3, 1)
    cores = [place(simulation, "decode_core", 6, y) for y in (4, 6)]
    link(simulation, 1, prefill)
    for core in cores:
        slots(simulation, core, 8)
        link(simulation, prefill, core)
        link(simulation, core, 2)
    return run(simulation)


def with_way(level: Level, tiles: list[list[int]]) -> Simulation:
    layout = copy.deepcopy(level.reference)
    layout["belts"][1]["tiles"] = tiles
    return played(level, layout)


def around() -> Simulation:
    """Level 2 with a hand-off of ten tiles."""
    return with_way(LEVEL_2, [[5, 1], [6, 1], [7, 1], [8, 1], [8, 2], [8, 3], [7, 3], [6, 3], [5, 3], [5, 4]])


def far_around() -> Simulation:
    """Level 2 with one of 28."""
    rows = [[5, 1], [5, 0], *([x, 0] for x in range(6, 12)), [11, 1], *([x, 1] for x in range(10, 5, -1)), [6, 2]]
    rows += [*([x, 2] for x in range(7, 12)), [11, 3], *([x, 3] for x in range(10, 4, -1)), [5, 4]]
    return with_way(LEVEL_2, rows)


def drafting(guesses: int, model: int = 0) -> Simulation:
    layout = copy.deepcopy(LEVEL_3.reference)
    layout["machines"][1]["settings"] = {"num_speculative_tokens": guesses, "model": model}
    return played(LEVEL_3, layout)


@pytest.mark.parametrize(
    ("build", "reached"),
    [
        (short, {"goal", "latency", "cost"}),
        (lambda: reference(LEVEL_1), {"goal", "cost"}),
        (two_decode_cores, {"goal"}),
        (lambda: reference(LEVEL_2), {"goal", "latency", "cost"}),
        (around, {"goal", "cost"}),
        (far_around, {"goal"}),
        (lambda: reference(LEVEL_3), {"goal", "latency", "cost"}),
        (lambda: drafting(4), {"goal", "cost"}),
        (lambda: drafting(5, model=1), {"goal"}),
        (lambda: played(LEVEL_1, LEVEL_1.naive), set[str]()),
    ],
)
def test_each_star_is_reached_by_a_good_factory_and_missed_by_another_that_wins(
    build: Callable[[], Simulation], reached: set[str]
) -> None:
    assert {star.name for star in stars(build()) if star.reached} == reached


def test_no_star_shines_before_the_end() -> None:
    simulation = new()
    assert not any(star.reached for star in stars(simulation))
    told = results(simulation, [])
    assert (told["attempt"], told["attempts"]) == (None, 0)
    assert [one["bins"] for one in told["histograms"]] == [0, 0, 0, 0]


# -- histograms --------------------------------------------------------------------------------------------------------


def attempt(run: str, passed: bool = True, **figures: Any) -> Attempt:
    values = {"cards": 2, "usd_per_mtok": 12.5, "ttft_p95": 2.2, "j_per_token": 2.5, "tps": 35.0, **figures}
    return Attempt("prefill_and_decode", 1, "layout", run, "2026-11-30", passed, [], **values)


def test_a_histogram_spans_the_attempts_that_won_and_says_where_this_one_lies() -> None:
    kept = [attempt(str(number), ttft_p95=2.0 + number / 10) for number in range(5)]
    kept += [attempt("lost", passed=False, ttft_p95=150.0), attempt("nothing", passed=False, ttft_p95=None)]
    found = {one["code"]: one for one in histograms(kept, kept[4])}
    told = found["histogram.ttft_p95"]
    assert (told["low"], told["high"], told["bins"]) == (2.0, 2.4, BINS)
    assert sum(told["counts"]) == 6, "without the one that has no first token"
    assert sum(told["passed"]) == 5
    assert (told["bin"], told["counts"][-1], told["passed"][-1]) == (BINS - 1, 2, 1), "all beyond is in the outer bin"
    assert told["best"] == 2.0
    cards = found["histogram.cards"]
    assert (cards["bins"], cards["counts"]) == (1, [7])


def test_whole_numbers_get_a_bin_each() -> None:
    kept = [attempt("a", cards=1), attempt("b", cards=3), attempt("c", cards=3)]
    cards = histograms(kept, kept[0])[3]
    assert (cards["low"], cards["counts"], cards["bin"]) == (1, [1, 0, 2], 0)


def test_an_attempt_counts_once_whether_it_is_kept_or_not() -> None:
    simulation = reference(LEVEL_3)
    kept = attempt_of(simulation, "2026-11-30")
    assert (kept.cards, kept.passed, len(kept.run)) == (1, True, 32)
    for so_far in ([], [kept], [kept, attempt("of another level")]):
        told = results(simulation, so_far)
        assert told["attempts"] == 1
        assert [sum(one["counts"]) for one in told["histograms"]] == [1, 1, 1, 1]


# -- production --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_the_commands_have_flags_that_exist_with_the_factorys_own_settings(level: Level) -> None:
    simulation = reference(level)
    commands = production(simulation)["commands"]
    assert len(commands) == len(level.pads)
    for text in commands:
        words_ = [word for word in shlex.split(text) if "=" not in word or word.startswith("{")]
        assert words_[:2] == ["vllm", "serve"]
        assert {word for word in words_ if word.startswith("--")} <= FLAGS
        for word in words_:
            if word.startswith("{"):
                assert isinstance(json.loads(word), dict)


def test_split_cards_hand_their_kv_over() -> None:
    first, second = production(reference(LEVEL_1))["commands"]
    assert '"kv_role":"kv_producer"' in first
    assert '"kv_role":"kv_consumer"' in second
    assert "--max-num-seqs 4" in second
    assert "--max-num-batched-tokens 4096" in first
    assert "--max-model-len 4160" in second


def test_a_draft_becomes_a_speculative_config() -> None:
    told = production(reference(LEVEL_3))
    (command,) = told["commands"]
    config = json.loads(next(word for word in shlex.split(command) if word.startswith("{")))
    assert config == {
        "method": "draft_model",
        "model": "meta-llama/Llama-3.2-1B-Instruct",
        "num_speculative_tokens": 5,
    }
    assert "kv-transfer" not in command
    assert [note["code"] for note in told["notes"]] == ["production.draft_format"]
    assert "speculative" not in production(played(LEVEL_3, LEVEL_3.naive))["commands"][0]


def test_old_cards_and_formats_are_named() -> None:
    codes = [note["code"] for note in production(reference(LEVEL_2))["notes"]]
    assert codes == ["production.proxy", "production.too_old", "production.gguf"]
    naive = [note["code"] for note in production(played(LEVEL_2, LEVEL_2.naive))["notes"]]
    assert "production.always_pages" in naive
    assert production(new())["notes"] == [{"code": "production.nothing", "params": {}}]


def test_a_month_costs_what_its_hours_do() -> None:
    """Two L4 at $0.78 an hour for 730 hours; one RTX 4090 of one's own."""
    month = production(reference(LEVEL_1))["month"]
    assert MONTH_PS == 730 * 3600 * PS_PER_S
    assert month["rented"]["usd"] == pytest.approx(2 * 0.78 * 730)
    assert month["rented"]["listed"]
    assert month["owned"] is None, "the catalog has no price of an L4"
    simulation = reference(LEVEL_3)
    month = production(simulation)["month"]
    owned = month["owned"]
    assert owned["purchase_usd"] == pytest.approx((1599 + 800) / 36)
    assert owned["electricity_usd"] == pytest.approx(owned["kwh"] * owned["usd_per_kwh"], rel=1e-6)
    assert owned["usd"] == pytest.approx(owned["purchase_usd"] + owned["electricity_usd"])
    assert month["tokens"] == pytest.approx(simulation.tokens() / 320 * 730 * 3600, rel=1e-6)


def test_every_code_of_results_has_words() -> None:
    codes = [code for code in CODES if re.match("(star|histogram|production|player)", code)]
    codes += ["goal.usd_per_mtok", "goal.j_per_token"]
    for code in codes:
        text = words(code, dict.fromkeys(CODES.get(code, ()), "x"))
        assert not text.startswith(f"{code} "), code
        assert text != code
