"""The sandbox: a floor of one's own choice, with every machine and no goal, kept as a level and loaded again."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from saving import Saver

from engine.cli.main import main
from engine.level.check import check_level
from engine.level.data import level_to_data
from engine.level.rules import NEEDED, PLACED
from engine.mods.mod import read_mod
from engine.sandbox.own import id_of
from engine.sandbox.plan import SIZES, Plan, level_of, plan_to_data, room

PLAN = plan_to_data(Plan(minutes=5))
LINE: dict[str, Any] = {
    "version": 1,
    "machines": [
        {"kind": "prefill_core", "x": 6, "y": 6},
        {"kind": "decode_core", "x": 13, "y": 6, "settings": {"max_num_seqs": 4}},
    ],
    "belts": [
        {
            "tiles": [[x, 6] for x in range(2, 6)],
            "from": {"x": 0, "y": 6, "port": "e0"},
            "to": {"x": 6, "y": 6, "port": "w"},
        },
        {
            "tiles": [[x, 6] for x in range(8, 13)],
            "from": {"x": 6, "y": 6, "port": "e"},
            "to": {"x": 13, "y": 6, "port": "w"},
        },
        {
            "tiles": [[x, 6] for x in range(14, 23)],
            "from": {"x": 13, "y": 6, "port": "e"},
            "to": {"x": 23, "y": 6, "port": "w0"},
        },
    ],
}
TRACE = "arrival,prompt_tokens,output_tokens\n0.5,100,20\n1.25,300,40\n"


@pytest.fixture
def player(tmp_path: Path) -> Saver:
    """In the sandbox, where a line of two machines stands."""
    player = Saver(tmp_path)
    assert player.give(do="sandbox_open", plan=PLAN)["ok"]
    assert player.give(do="layout", layout=LINE)["ok"]
    return player


def test_a_floor_of_any_size_holds_cards_of_all_kinds_and_every_machine() -> None:
    cards = [gpu["id"] for gpu in Saver(None).ask("sandbox")["gpus"]]
    for width, height in SIZES:
        many = [cards[index % len(cards)] for index in range(room(width, height))]
        for docks in (1, 2, 4):
            level = level_of(Plan(width=width, height=height, cards=many, docks=docks))
            assert check_level(level) == []
    named = {kind: set(level.settings.get(kind, {})) for kind in PLACED}
    assert all(named[kind] >= set(NEEDED.get(kind, ())) for kind in level.allowed)
    assert {"prefill_core", "decode_core", "page_allocator", "draft_model", "validation_gate"} <= set(level.allowed)


def test_what_cannot_be_is_told_before_the_floor_opens(player: Saver) -> None:
    told = player.ask("sandbox_plan", plan={**PLAN, "cards": ["l4"] * 7})
    assert told["problems"] == [{"field": "", "code": "sandbox.room", "params": {"most": 6}}]
    assert player.give(do="sandbox_open", plan={**PLAN, "docks": 9})["code"] == "sandbox.docks"
    assert player.give(do="sandbox_open", plan={**PLAN, "more": 1})["code"] == "data.malformed"
    assert player.give(do="sandbox_open", plan={**PLAN, "model": "gpt"})["code"] == "check.unknown"
    assert (
        player.give(do="sandbox_open", plan={**PLAN, "streams": [{"traffic": {"is": "Flood"}}]})["code"] == "data.field"
    )
    large = player.ask("sandbox_plan", plan={**PLAN, "model": "llama-3.1-70b"})
    assert [card["fits"] for card in large["floor"]["cards"]] == [False, False]
    assert player.game.level.id == "sandbox", "what was open stays open"


def test_a_run_without_a_goal_ends_without_a_winner(player: Saver) -> None:
    player.give(do="start")
    events = [event["code"] for _ in range(62) for event in player.look(5.0)["events"]]
    assert events[-1] == "run.over"
    assert player.game.tokens() > 10_000
    result = player.look()["result"]
    assert (result["passed"], result["goals"]) == (False, [])
    assert player.give(do="attempt_keep", date="2026-12-01")["new"] == []
    assert player.ask("results")["attempts"] == 1, "it is no attempt at anything, and not kept"


def test_saves_and_recordings_carry_the_floor(player: Saver, tmp_path: Path) -> None:
    player.give(do="start")
    player.look(20.0)
    player.save()
    recording = player.give(do="recording_export")["path"]
    before = player.whole()
    player.look(30.0)
    player.give(do="rewind", t_ps=20 * 10**12)
    while "rewinding" in player.look():
        pass
    assert player.ask("state") == before[0]
    assert player.give(do="open", level="1")["ok"]
    assert player.load() == ["save.loaded"]
    assert player.whole()[0] == before[0]
    other = Saver(None)
    assert other.give(do="recording_open", path=recording)["ok"]
    assert other.arrive() == ["save.loaded", "recording.equal"]
    assert other.ask("state") == before[0]


def test_a_floor_is_kept_as_a_level_and_stands_there_again(
    player: Saver, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = player.ask("layout")
    kept = player.give(do="own_save", title="Größer & besser")
    assert kept == {"ok": True, "level": "own/grosser_besser"}
    listed = [level for level in player.ask("progress")["levels"] if level.get("mod") == "own"]
    assert [level["id"] for level in listed] == ["own/grosser_besser"]
    assert player.ask("texts", language="de")["texts"]["level.own/grosser_besser.title"] == "Größer & besser"
    again = Saver(tmp_path)
    assert again.give(do="open", level="own/grosser_besser")["ok"]
    assert again.ask("layout") == layout
    assert main(["check", str(tmp_path / "levels" / "grosser_besser.json")]) == 0
    assert "accepted" in capsys.readouterr().out
    again.give(do="start")
    again.look(10.0)
    again.save()
    again.give(do="open", level="1")
    assert again.load() == ["save.loaded"], "a save of it holds the level too"
    assert again.give(do="own_delete", level="own/grosser_besser")["ok"]
    assert again.give(do="open", level="own/grosser_besser")["code"] == "level.unknown"
    assert again.load() == ["save.loaded"]


def test_a_trace_is_brought_and_played(player: Saver, tmp_path: Path) -> None:
    elsewhere = tmp_path / "my run?.csv"
    elsewhere.write_text(TRACE)
    assert player.give(do="trace_bring", path=str(elsewhere)) == {"ok": True, "trace": "my run_.csv"}
    assert player.ask("sandbox")["traces"] == ["my run_.csv"]
    assert player.give(do="sandbox_open", plan={**PLAN, "streams": [{"trace": "my run_.csv"}]})["ok"]
    player.give(do="start")
    player.look(5.0)
    assert [request.prompt_tokens for request in player.game.floor.requests.values()] == [100, 300]
    assert (
        player.give(do="sandbox_open", plan={**PLAN, "streams": [{"trace": "../secret.csv"}]})["code"]
        == "trace.missing"
    )
    elsewhere.write_text("arrival,prompt_tokens\n1,2\n")
    assert player.give(do="trace_bring", path=str(elsewhere))["code"] == "trace.columns"


@pytest.mark.parametrize(
    "change",
    [
        {"more": 1},
        {"width": 10**9},
        {"acceptance": float("nan")},
        {"model": None},
        {"hooks": [{"is": "At", "second": 3, "name": "boom"}]},
        {"reference": {"version": 1, "machines": [{"kind": "prefill_core", "x": 0, "y": 0}], "belts": []}},
    ],
)
def test_a_file_that_is_no_level_is_refused_and_harms_nobody(
    change: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Saver(tmp_path)
    level = attrs.evolve(level_of(Plan()), id="mine", texts={"en": {"level.mine.title": "Mine"}})
    path = tmp_path / "levels" / "mine.json"
    path.parent.mkdir()
    path.write_text(json.dumps({**level_to_data(level), **change}))
    (path.parent / "deep.json").write_text("[" * 100_000)
    rows = player.ask("own_levels")["levels"]
    assert [row["level"] for row in rows] == ["own/deep", "own/mine"]
    assert all(row["code"] for row in rows)
    assert not player.give(do="open", level="own/mine")["ok"]
    assert [level for level in player.ask("progress")["levels"] if level.get("mod")] == []
    assert main(["check", str(path)]) == 1
    assert "refused" in capsys.readouterr().out


def test_several_applications_are_tenants_with_deadlines(player: Saver) -> None:
    lengths = {"low": 100, "high": 200, "deciles": []}
    bursts = {"is": "BurstTraffic", "per_s": 0.2, "burst": 3.0, "burst_s": 5.0, "every_s": 30.0}
    bursts |= {"prompt": lengths, "output": lengths}
    poisson = {"is": "PoissonTraffic", "per_s": 0.5, "prompt": lengths, "output": lengths}
    streams = [{"traffic": bursts, "ttft_ms": 1500, "prefix_tokens": 64}, {"traffic": poisson}]
    assert player.give(do="sandbox_open", plan={**PLAN, "streams": streams})["ok"]
    level = player.game.level
    assert [(one.id, one.ttft_s, one.prefix_tokens) for one in level.tenants] == [("a", 1.5, 64), ("b", 0.0, 0)]
    assert {"quota_0", "priority_1"} <= set(level.settings["gateway"])
    assert "quota_2" not in level.settings["gateway"]
    assert player.give(do="layout", layout=LINE)["ok"]
    player.give(do="start")
    for _ in range(8):
        player.look(5.0)
    assert {request.tenant for request in player.game.floor.requests.values()} == {0, 1}
    assert player.give(do="sandbox_open", plan={**PLAN, "streams": [{}] * 6})["code"] == "sandbox.streams"


def test_titles_become_names_of_files() -> None:
    titles = ("Level 1", "Übung", "42", "con", "日本", "a" * 99)
    assert [id_of(title) for title in titles] == ["level_1", "ubung", "level_42", "level_con", "level", "a" * 40]
    mod, problems = read_mod(b'{"id": "own", "version": "1.0.0", "title": {"en": "x"}, "levels": ["a.py"]}', "own")
    assert mod is not None
    assert [problem.code for problem in problems] == ["mod.id"], "no mod takes the name that is theirs"
