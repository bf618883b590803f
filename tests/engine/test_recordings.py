"""A run that was recorded comes out the same on any machine; what comes from others is read with care."""

import base64
import json
import random
import subprocess
import sys
import zlib
from pathlib import Path

import attrs
import pytest
from factories import LEVEL_1
from saving import HALF_HOUR, Saver, half_hour

from engine.cli.main import main
from engine.level.load import load
from engine.saves import format as outer
from engine.saves.migrations import RUN
from engine.saves.recording import MAX_TEXT, PREFIX
from engine.units import seconds

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def player(tmp_path: Path) -> Saver:
    """A run of the first level that has been meddled with, up to 90 s."""
    player = Saver(tmp_path)
    player.play("1", 30)
    player.give(do="set", id=4, name="max_num_seqs", value=3)
    player.look(10.0)
    player.give(do="undo")
    player.look(50.0)
    return player


def test_a_recording_comes_out_the_same_for_somebody_else(player: Saver, tmp_path: Path) -> None:
    told = player.give(do="recording_export")
    assert told["ok"]
    path = Path(told["path"])
    assert path.parent == tmp_path / "recordings"
    assert path.suffix == ".tfrun"
    assert path.stat().st_size == told["bytes"] < 2000
    other = Saver(None)
    assert other.give(do="recording_open", path=str(path)) == {"ok": True, "notes": []}
    assert other.arrive() == ["save.loaded", "recording.equal"]
    assert other.whole()[0] == player.whole()[0]
    assert other.whole()[2] == player.whole()[2], "with its graphs"
    assert other.give(do="rewind", t_ps=seconds(35))["ok"]
    other.look()
    other.look(20.0)


def test_a_short_one_is_shared_as_text(player: Saver) -> None:
    text = player.give(do="recording_export")["text"]
    assert text.startswith(PREFIX)
    assert len(text) < 2000
    other = Saver(None)
    spread = "\n".join(text[place : place + 60] for place in range(0, len(text), 60))
    assert other.give(do="recording_open", text=f"  {spread}\n")["ok"]
    assert other.arrive() == ["save.loaded", "recording.equal"]
    assert other.game.state_hash() == player.game.state_hash()


def test_a_long_one_is_a_file_only(player: Saver) -> None:
    chance, core = random.Random(1), max(player.game.floor.machines)
    for _ in range(2000):
        assert player.give(do="set", id=core, name="max_num_seqs", value=chance.randint(1, 8))["ok"]
        player.look(chance.random() / 100)
    told = player.give(do="recording_export")
    assert told["bytes"] > MAX_TEXT
    assert told["text"] is None
    other = Saver(None)
    other.give(do="recording_open", path=told["path"])
    assert other.arrive() == ["save.loaded", "recording.equal"]


def test_it_goes_where_the_player_wants_it(player: Saver, tmp_path: Path) -> None:
    path = tmp_path / "mine" / "best.tfrun"
    refused = player.give(do="recording_export", path=str(path))
    assert refused["code"] == "player.not_saved"
    path.parent.mkdir()
    assert player.give(do="recording_export", path=str(path))["path"] == str(path)
    assert [each.name for each in path.parent.iterdir()] == ["best.tfrun"]
    assert player.give(do="recording_export", path="best.tfrun")["code"] == "message.malformed"
    nobody = Saver(None)
    nobody.play()
    assert nobody.give(do="recording_export")["code"] == "player.none"
    assert nobody.give(do="recording_export", path=str(path))["ok"], "not needed for that"


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    contents = set()
    for name in ("a", "b"):
        player = Saver(tmp_path / name)
        player.play("2", 41)
        contents.add(Path(player.give(do="recording_export")["path"]).read_bytes())
    assert len(contents) == 1


def test_a_long_run_is_recorded_in_a_few_hundred_bytes(tmp_path: Path) -> None:
    player = Saver(tmp_path, half_hour)
    player.play("1", 600)
    told = player.give(do="recording_export")
    assert told["bytes"] < 1500
    assert len(told["text"]) < 2000
    assert HALF_HOUR.id == LEVEL_1.id


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "message.malformed"),
        ("hello", "recording.none"),
        ("TF1:abc", "recording.none"),
        (PREFIX, "save.damaged"),
        (PREFIX + "?" * 20, "save.damaged"),
        (PREFIX + "A" * 400, "save.damaged"),
        (PREFIX + "A" * MAX_TEXT, "recording.too_long"),
        (PREFIX + " " * 1_000_000, "save.damaged"),
    ],
)
def test_a_text_that_is_no_recording_is_refused(text: str, code: str) -> None:
    assert Saver(None).give(do="recording_open", text=text)["code"] == code


def test_a_bomb_is_refused(player: Saver) -> None:
    text = player.give(do="recording_export")["text"]
    parts = outer.read(RUN, base64.b64decode(text[len(PREFIX) :]), "")
    packed = outer.write(RUN, parts.header, [])
    bomb = zlib.compress(bytes(500_000_000), 9)
    content = outer.sealed(packed[: -len(zlib.compress(b""))] + bomb, outer.NOBODY)
    assert len(content) < 600_000
    path = player.folder / "bomb.tfrun" if player.folder else Path()
    path.write_bytes(content)
    before = player.whole()
    player.give(do="recording_open", path=str(path))
    assert player.arrive() == ["save.damaged"]
    assert player.whole() == before


def test_a_recording_is_no_save_and_a_save_no_recording(player: Saver) -> None:
    path = player.give(do="recording_export")["path"]
    assert player.give(do="load_file", path=path)["code"] == "save.damaged"
    player.save()
    assert player.folder is not None
    save = str(player.folder / "saves" / "slot-1.save")
    assert player.give(do="recording_open", path=save)["code"] == "save.damaged"


def test_one_that_comes_out_otherwise_is_told_of(player: Saver, tmp_path: Path) -> None:
    path = tampered(player, tmp_path)
    other = Saver(None)
    assert other.give(do="recording_open", path=str(path))["ok"]
    assert other.arrive() == ["save.loaded", "recording.differs"]
    assert other.game.now == player.game.now


def tampered(player: Saver, tmp_path: Path) -> Path:
    """The recording of a run with one command changed; its digest is right."""
    content = Path(player.give(do="recording_export")["path"]).read_bytes()
    parts = outer.read(RUN, content, "")
    records = [record for record, _ in outer.records(parts.body, "")]
    changed = next(record for record in records if record[0] == "command" and record[2]["do"] == "set")
    changed[2]["value"] = 2
    path = tmp_path / "tampered.tfrun"
    path.write_bytes(outer.sealed(outer.write(RUN, parts.header, records), outer.NOBODY))
    return path


# -- the command line --------------------------------------------------------------------------------------------------


def test_the_command_line_verifies_recordings_and_saves(
    player: Saver, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player.save()
    paths = [player.give(do="recording_export")["path"], str(tmp_path / "saves" / "slot-1.save")]
    for path in paths:
        assert main(["replay", path]) == 0
        printed = capsys.readouterr().out
        assert "the same" in printed
        assert player.game.state_hash() in printed
        assert main(["replay", path, "--json"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert result["equal"] is True
        assert result["runs"][0]["hash"] == player.game.state_hash()
        assert result["runs"][0]["t_s"] == 90.0
    assert main(["replay", str(tampered(player, tmp_path))]) == 1
    printed = capsys.readouterr().out
    assert "not the same" in printed
    assert player.game.state_hash() in printed


@pytest.mark.parametrize("content", [None, b"", b"nothing", RUN.magic + bytes(100)])
def test_the_command_line_refuses_what_is_no_recording(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.tfrun"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_recording_of_a_level_that_is_none_of_the_games_own_needs_nothing_else(tmp_path: Path) -> None:
    mine = attrs.evolve(LEVEL_1, id="mine", texts={"en": {"level.mine.title": "Mine", "level.mine.goal": "Go"}})
    player = Saver(tmp_path, lambda which: mine if which == "that" else load(which))
    player.play("that", 20)
    path = player.give(do="recording_export")["path"]
    run = [sys.executable, "-m", "engine", "replay", path]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert player.game.state_hash() in done.stdout


def test_stars_are_not_had_by_watching(tmp_path: Path) -> None:
    player = Saver(tmp_path / "here")
    player.play("1", 240)
    path = player.give(do="recording_export")["path"]
    other = Saver(tmp_path / "there")
    other.give(do="recording_open", path=path)
    assert other.arrive() == ["save.loaded", "recording.equal"]
    assert other.give(do="attempt_keep", date="2026-12-01") == {"ok": True, "new": [], "stars": []}
    assert other.ask("progress")["levels"][0]["attempts"] == 0
    assert other.give(do="restart")["ok"]
    other.give(do="start")
    while other.look(5.0)["phase"] != "ended":
        pass
    assert other.give(do="attempt_keep", date="2026-12-01")["new"]
    player.save()
    player.load()
    assert player.give(do="attempt_keep", date="2026-12-01")["new"], "one's own counts"
