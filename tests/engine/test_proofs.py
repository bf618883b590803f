"""Proofs: the levels bind, and a proof of one that does not bind fails."""

import io
import json
from contextlib import redirect_stdout
from random import Random
from typing import Any

import attrs
import pytest
from factories import LEVEL_1, PROMPT_DOCK, TOKEN_DOCK, lay, new, place

from engine.cli.main import main
from engine.errors import EngineError
from engine.floor.belt import End
from engine.floor.layout import Layout, layout_from_data
from engine.level import Ban, Level
from engine.level.load import campaign
from engine.proof.build import Builder
from engine.proof.draw import Drawer
from engine.proof.enumerate import all_plans
from engine.proof.plan import LONG, SHORT, Part, Plan, sound
from engine.proof.prove import (
    FULL_BUDGET,
    SEEDS,
    prove,
    prove_banned,
    prove_naive,
    prove_reference,
    prove_speeds,
    prove_unbanned,
)
from engine.proof.search import search
from engine.proof.side_by_side import searches
from engine.proof.trial import attempt, shown, uses

QUICK_BUDGET = 120
"""Runs that a search may take in the tests of every day; the long ones take all."""
BANNED_BUDGET = 24
"""Those of a search that has to fail, and so takes them all."""
LEVELS = {level.id: level for level in campaign()}
FIRST = [level.id for level in LEVELS.values() if level.number <= 3]
"""The levels whose runs are short enough for a search every day."""
ROUTED = [level.id for level in LEVELS.values() if "router" in level.allowed]
"""Levels with too many plans for a search to find a winner: where tasks go is a setting, and has to fit the belts."""
ROUTED_BUDGET = 200
FEW_SEEDS = 2
SPLIT = LEVEL_1.bans[0]


def assert_proven(report: dict[str, Any]) -> None:
    wrong = {name: part for name, part in report.items() if isinstance(part, dict) and not part.get("proven", True)}
    assert report["proven"], json.dumps(wrong, indent=1)[:5000]


@pytest.mark.parametrize("name", LEVELS)
def test_every_reference_wins_and_every_naive_layout_loses(name: str) -> None:
    level, seeds = LEVELS[name], SEEDS if name in FIRST else FEW_SEEDS
    reference = layout_from_data(level.reference)
    assert prove_reference(level, reference, seeds)["passed"] == seeds
    assert prove_naive(level, seeds)["failed"] == seeds
    if name in FIRST:
        assert prove_speeds(level, reference)["proven"]


@pytest.mark.parametrize("name", [FIRST[0], *(pytest.param(name, marks=pytest.mark.long) for name in FIRST[1:])])
def test_a_search_wins_every_level_and_not_without_what_it_teaches(name: str) -> None:
    banned = prove_banned(LEVELS[name], BANNED_BUDGET)
    assert banned["proven"], banned
    assert banned["tried"] > BANNED_BUDGET / 2 * len(LEVELS[name].bans)
    unbanned = prove_unbanned(LEVELS[name], 1, QUICK_BUDGET)
    assert unbanned["proven"], unbanned


@pytest.mark.long
@pytest.mark.parametrize("name", ROUTED)
def test_a_search_does_not_win_a_routed_level_without_what_it_teaches(name: str) -> None:
    level = LEVELS[name]
    reference = layout_from_data(level.reference)
    assert prove_reference(level, reference, SEEDS)["proven"]
    assert prove_naive(level, SEEDS)["proven"]
    assert prove_speeds(level, reference)["proven"]
    banned = prove_banned(level, ROUTED_BUDGET)
    assert banned["proven"], banned


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in LEVELS if name not in ROUTED])
def test_every_level_binds_with_the_whole_budget(name: str) -> None:
    report = prove(LEVELS[name], SEEDS, FULL_BUDGET)
    assert_proven(report)
    assert all(ban["tried"] >= 200 or ban["method"] == "enumeration" for ban in report["banned"]["bans"])


# -- a proof that is none --------------------------------------------------------------------------------------------


def test_a_reference_that_loses_proves_nothing() -> None:
    result = prove_reference(LEVEL_1, layout_from_data(LEVEL_1.naive), 2)
    assert not result["proven"]
    assert result["passed"] == 0


def test_a_naive_layout_that_wins_proves_nothing() -> None:
    winning = attrs.evolve(LEVEL_1, naive=LEVEL_1.reference)
    assert not prove_naive(winning, 2)["proven"]


def test_a_naive_layout_must_fail_for_the_reason_of_the_level() -> None:
    result = prove_naive(attrs.evolve(LEVEL_1, naive_fails="ttft_p95"), 2)
    assert not result["proven"]
    assert result["missed"] == ["pause_p95"]


def test_a_ban_that_takes_nothing_away_is_broken_and_the_layout_that_breaks_it_is_told() -> None:
    level = attrs.evolve(LEVEL_1, bans=[Ban("nothing")])
    result = prove_banned(level, QUICK_BUDGET)
    assert not result["proven"]
    winning = layout_from_data(result["best"]["layout"])
    assert attempt(level, 9, winning).passed


def test_a_search_that_finds_nothing_proves_nothing() -> None:
    level = attrs.evolve(LEVEL_1, goals=[attrs.evolve(LEVEL_1.goals[0], target=1000.0)])
    result = prove_unbanned(level, 2, 5)
    assert not result["proven"]
    assert result["found"] == 0


@pytest.mark.parametrize("name", ["reference", "naive", "naive_fails", "bans"])
def test_a_level_has_to_declare_what_is_proven(name: str) -> None:
    empty: Any = type(getattr(LEVEL_1, name))()
    with pytest.raises(EngineError) as refused:
        prove(attrs.evolve(LEVEL_1, **{name: empty}), 1, 1)
    assert (refused.value.code, refused.value.params["name"]) == ("proof.undeclared", name)


# -- the search -----------------------------------------------------------------------------------------------


def found(level: Level, seed: int, ban: Ban | None = None, budget: int = 12) -> dict[str, Any] | None:
    result = search(level, ban, seed, budget, Builder(level, 20), None)
    assert result.runs <= budget + 4
    return shown(*result.best) if result.best else None


def test_a_search_is_the_same_each_time() -> None:
    first = found(LEVEL_1, 3, SPLIT)
    assert first == found(LEVEL_1, 3, SPLIT)
    assert first != found(LEVEL_1, 4, SPLIT)


@pytest.mark.long
def test_searches_side_by_side_find_what_they_find_alone() -> None:
    wanted: list[tuple[Ban | None, int]] = [(SPLIT, 3), (None, 1)]
    together = searches(LEVEL_1, 10, wanted)
    alone = [search(LEVEL_1, ban, seed, 10, Builder(LEVEL_1, 20), None) for ban, seed in wanted]
    assert together == alone


def part(kind: str, pad: int, **settings: int) -> Part:
    return Part(kind, pad, tuple(settings.items()))


def prefill(pad: int) -> Part:
    return part("prefill_core", pad, max_num_batched_tokens=4096)


def decode(pad: int, slots: int = 4) -> Part:
    return part("decode_core", pad, max_num_seqs=slots)


ONE_EACH = ((0, 2), (2, 3), (3, 1))


def built(plan: Plan) -> Layout:
    layout = Builder(LEVEL_1, 40).build(plan)
    assert layout is not None
    return layout


def test_plans_are_built_compactly_and_win_like_what_a_player_builds() -> None:
    layout = built(Plan((prefill(0), decode(1)), ONE_EACH))
    hand_off = next(belt for belt in layout.belts if belt.source.port in ("e", "s") and belt.target.port in ("w", "n"))
    assert len(hand_off.tiles) <= 4
    assert attempt(LEVEL_1, 1, layout).passed


def test_a_long_way_is_long() -> None:
    layout = built(Plan((prefill(0), decode(1)), ONE_EACH, LONG))
    assert max(len(belt.tiles) for belt in layout.belts) >= LONG
    assert attempt(LEVEL_1, 1, layout).missed == ("ttft_p95",)


def test_machines_for_show_do_not_hide_a_split() -> None:
    """The second Prefill Core gets no prompt, since the first is always done in time: its card only looks mixed."""
    simulation = new()
    first, second = place(simulation, "prefill_core", 3, 2), place(simulation, "prefill_core", 3, 3)
    show, real = place(simulation, "decode_core", 6, 3), place(simulation, "decode_core", 8, 5)
    for source, output, target, entry, tiles in (
        (PROMPT_DOCK, "e0", first, "n", [(2, 1), (3, 1)]),
        (PROMPT_DOCK, "e1", second, "w", [(2, 2), (2, 3)]),
        (first, "e", real, "w", [(5, 2), (6, 2), (7, 2), (7, 3), (7, 4), (7, 5)]),
        (second, "e", show, "w", [(5, 3)]),
        (show, "s", TOKEN_DOCK, "w1", [(6, 4), (6, 5), (6, 6), (7, 6), (8, 6), (9, 6)]),
        (real, "e", TOKEN_DOCK, "w0", [(9, 5)]),
    ):
        lay(simulation, End(source, output), End(target, entry), tiles)
    trial = attempt(LEVEL_1, 1, simulation.site.layout())
    assert trial.passed
    assert uses(trial, SPLIT)
    one_card = Plan((prefill(0), decode(0, 8)), ONE_EACH)
    assert not uses(attempt(LEVEL_1, 1, built(one_card)), SPLIT)


def test_equal_plans_have_one_form() -> None:
    one = Plan((prefill(0), decode(0, 2), decode(1, 4)), ((0, 2), (2, 3), (2, 4), (3, 1), (4, 1)))
    other = Plan((decode(1, 4), prefill(0), decode(0, 2)), ((0, 3), (2, 1), (3, 2), (3, 4), (4, 1)))
    assert one.key(2) == other.key(2)
    assert one.key(2) != attrs.evolve(one, way=LONG).key(2)


def test_all_plans_of_level_1_are_known() -> None:
    plans = all_plans(LEVEL_1, None, 10_000)
    assert plans is not None
    assert len(set(plans)) == len(plans)
    assert all(sound(LEVEL_1, plan) for plan in plans)
    # One Prefill and one Decode Core: 2 cards each, 8 numbers of slots, 2 ways.
    assert sum(len(plan.parts) == 2 for plan in plans) == 2 * 2 * 8 * 2
    assert {plan.way for plan in plans} == {SHORT, LONG}
    assert all_plans(LEVEL_1, None, 1000) is None


def test_a_ban_is_kept_by_every_plan_that_is_drawn() -> None:
    level = attrs.evolve(LEVEL_1, allowed={**LEVEL_1.allowed, "page_allocator": 2})
    drawn = [Drawer(level, ban, Random(1)) for ban in (None, Ban("paging", kinds=["page_allocator"], way=LONG))]
    for drawer in drawn:
        plan, kinds, ways = drawer.fresh(), set[str](), set[int]()
        for _ in range(200):
            assert plan is not None
            assert sound(level, plan)
            kinds |= {placed.kind for placed in plan.parts}
            ways.add(plan.way)
            plan = drawer.changed(plan)
        assert ("page_allocator" in kinds) == (drawer.ban is None)
        assert ways == ({SHORT, LONG} if drawer.ban is None else {LONG})


# -- the command line ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    """A small report, as JSON gives it."""
    text = io.StringIO()
    with redirect_stdout(text):
        status = main(["prove", "1", "--seeds", "1", "--budget", "12", "--json"])
    report: dict[str, Any] = json.loads(text.getvalue())
    assert status == (0 if report["proven"] else 1) == 0
    return report


def test_the_report_as_json(printed: dict[str, Any]) -> None:
    for name in ("reference", "banned", "unbanned", "naive", "speeds"):
        assert printed[name]["proven"] is True
    assert printed["banned"]["tried"] == sum(ban["tried"] for ban in printed["banned"]["bans"])
    assert set(printed["speeds"]["hashes"]) == {"1", "2", "4", "8", "step", "max"}


def test_the_report_in_words(
    printed: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.cli.prove.prove", lambda *_: printed)
    assert main(["prove", "1"]) == 0
    text = capsys.readouterr().out
    for words in ("reference passes", "layouts tried", "naive layout fails pause_p95", "the same at speeds"):
        assert words in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere"),
        (["1", "--seeds", "0"], "1 to 1000 seeds"),
        (["1", "--budget", "0"], "1 to 1000000 runs"),
        (["bench"], "declares no naive"),
    ],
)
def test_a_wrong_call_is_refused(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", *arguments]) == 2
    assert words in capsys.readouterr().err
