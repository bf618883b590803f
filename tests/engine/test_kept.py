"""What the view keeps through the engine: its settings and blueprints, with what another game has kept meanwhile."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from saving import Saver

from engine.player.kept import MAX_DEPTH, MAX_VALUES, merge
from engine.player.whole_file import previous


def keep(player: Saver, data: Any, name: str = "settings") -> dict[str, Any]:
    return player.give(do="kept_write", name=name, data=data)


def test_what_is_kept_is_there_again(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    assert player.ask("kept", name="settings") == {"ok": True, "data": None, "notes": []}
    data = {"version": 1, "palette": "deutan", "ui_scale": 110, "share": 0.5, "keys": {"up": [["key", 87]]}, "x": None}
    assert keep(player, data) == {"ok": True, "merged": False, "data": data}
    assert Saver(tmp_path).ask("kept", name="settings")["data"] == data
    assert json.loads((tmp_path / "settings.json").read_text()) == data


def test_the_files_of_earlier_games_are_read_as_they_are(tmp_path: Path) -> None:
    settings_then = {"version": 1, "palette": "protan", "keys": {}}
    blueprints_then = {"version": 1, "blueprints": [{"name": "One", "text": "TF1:abc"}]}
    (tmp_path / "settings.json").write_text(json.dumps(settings_then))
    (tmp_path / "blueprints.json").write_text(json.dumps(blueprints_then))
    player = Saver(tmp_path)
    assert player.ask("kept", name="settings")["data"] == settings_then
    assert player.ask("kept", name="blueprints")["data"] == blueprints_then


def test_what_another_game_has_changed_is_not_lost(tmp_path: Path) -> None:
    one, other = Saver(tmp_path), Saver(tmp_path)
    start = {"version": 1, "palette": "normal", "music": 50, "keys": {"a": 1, "b": 2}}
    keep(one, start)
    other.ask("kept", name="settings")
    keep(one, {**start, "palette": "tritan"})
    told = keep(other, {**start, "music": 0, "keys": {"a": 1, "b": 3}})
    both = {"version": 1, "palette": "tritan", "music": 0, "keys": {"a": 1, "b": 3}}
    assert told == {"ok": True, "merged": True, "data": both}
    assert one.ask("kept", name="settings")["data"] == both


def test_blueprints_of_both_games_are_kept_and_removed_ones_stay_removed(tmp_path: Path) -> None:
    one, other = Saver(tmp_path), Saver(tmp_path)
    first, second, third = ({"name": name, "text": f"TF1:{name}"} for name in "abc")
    keep(one, {"version": 1, "blueprints": [first, second]}, "blueprints")
    other.ask("kept", name="blueprints")
    keep(one, {"version": 1, "blueprints": [second]}, "blueprints")
    told = keep(other, {"version": 1, "blueprints": [third, first, second]}, "blueprints")
    assert told["data"]["blueprints"] == [third, second]


def test_a_broken_file_is_kept_aside_and_the_one_before_is_taken(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    keep(player, {"version": 1, "music": 10})
    keep(player, {"version": 1, "music": 20})
    (tmp_path / "settings.json").write_bytes(b'{"version": 1, "mus')
    other = Saver(tmp_path)
    told = other.ask("kept", name="settings")
    assert told["data"] == {"version": 1, "music": 10}
    kept = {"file": "settings.json", "kept": "settings.broken-1.json"}
    assert told["notes"] == [
        {"code": "player.broken", "params": kept},
        {"code": "player.previous", "params": {"file": "settings.json"}},
    ]
    assert (tmp_path / "settings.broken-1.json").read_bytes() == b'{"version": 1, "mus'
    assert keep(other, {"version": 1, "music": 30})["ok"]
    assert Saver(tmp_path).ask("kept", name="settings") == {
        "ok": True,
        "data": {"version": 1, "music": 30},
        "notes": [],
    }


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"version": "1"}',
        b'{"version": 0}',
        b'{"version": 1, "a": NaN}',
        b'{"version": 1, "a": 1e999}',
        b'{"version": 1, "a": ' + b"9" * 400 + b"}",
        b'{"version": 1, "a": "\\ud800"}',
        b'{"version": 1, "a": ' + b"[" * 50,
        b'{"version": 1, "a": ' + b"[" * 50 + b"]" * 50 + b"}",
        b"\xff\xfe",
        b'{"version": 1' + b" " * 200_000 + b"}",
        b'{"version": 1, "a": [' + b"0," * MAX_VALUES + b"0]}",
    ],
)
def test_a_file_that_cannot_be_is_never_believed(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.json").write_bytes(content)
    told = Saver(tmp_path).ask("kept", name="settings")
    assert told["data"] is None
    assert [note["code"] for note in told["notes"]] == ["player.broken"]


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    content = b'{"version": 2, "what": "will be"}'
    (tmp_path / "settings.json").write_bytes(content)
    player = Saver(tmp_path)
    told = player.ask("kept", name="settings")
    assert told["data"] is None
    assert [note["code"] for note in told["notes"]] == ["player.newer"]
    assert keep(player, {"version": 1})["code"] == "player.locked"
    assert (tmp_path / "settings.json").read_bytes() == content


def nested(depth: int) -> Any:
    data: Any = 1
    for _ in range(depth):
        data = [data]
    return data


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "kept.data"),
        ({"version": 2}, "kept.data"),
        ({"version": True}, "kept.data"),
        ({"version": 1, "deep": nested(MAX_DEPTH)}, "kept.data"),
        ({"version": 1, "bytes": b"x"}, "kept.data"),
        ({"version": 1, "nan": float("nan")}, "kept.data"),
        ({"version": 1, "many": [0] * MAX_VALUES}, "kept.data"),
        ({"version": 1, "number": 2**64 - 1}, "kept.data"),
        ({"version": 1, "long": "x" * 100_000}, "player.too_large"),
        ([], "message.malformed"),
        (None, "message.malformed"),
    ],
)
def test_what_cannot_be_kept_is_refused(tmp_path: Path, data: Any, code: str) -> None:
    player = Saver(tmp_path)
    assert keep(player, data)["code"] == code
    assert not (tmp_path / "settings.json").exists()
    assert keep(player, {"version": 1, "deep": nested(MAX_DEPTH - 3)})["ok"]


def test_only_what_the_game_keeps_may_be_kept(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    for name in ("stars", "../settings", "", "Settings"):
        assert keep(player, {"version": 1}, name)["code"] == "kept.name"
        assert player.ask("kept", name=name)["code"] == "kept.name"
    assert Saver(None).ask("kept", name="settings")["code"] == "player.none"


def test_the_one_before_is_what_was_there_before_the_last_change(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    for music in (10, 20, 30):
        keep(player, {"version": 1, "music": music})
    assert json.loads(previous(tmp_path / "settings.json").read_text())["music"] == 20
    keep(player, {"version": 1, "music": 30})
    assert json.loads(previous(tmp_path / "settings.json").read_text())["music"] == 20, "nothing has changed"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(PLAIN, PLAIN, PLAIN)
def test_merging_keeps_what_either_has_changed(base: Any, mine: Any, theirs: Any) -> None:
    before = deepcopy((base, mine, theirs))
    assert merge(base, mine, base) == mine
    assert merge(base, base, theirs) == theirs
    assert merge(base, mine, mine) == mine
    merge(base, mine, theirs)
    assert (base, mine, theirs) == before, "nothing that was given is changed"
