"""What is kept of a player: nothing is lost, and nothing is overwritten that was not understood."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import attrs
import msgpack
import pytest
from factories import LEVELS

from engine.errors import EngineError
from engine.player import json_file
from engine.player.player import MOST_ATTEMPTS, Player
from engine.protocol.session import Session
from engine.results.attempts import Attempt

LEVEL = LEVELS[2]
DAY = "2026-11-30"


def attempt(run: str, *stars: str) -> Attempt:
    return Attempt(LEVEL.id, 1, "layout", run, DAY, bool(stars), list(stars), 1, 5.3, 0.09, 4.06, 31.9)


def test_what_is_kept_is_there_again(tmp_path: Path) -> None:
    player = Player(str(tmp_path / "new" / "folder"))
    assert player.keep(attempt("a", "goal", "cost")) == ["goal", "cost"]
    assert player.keep(attempt("a", "goal", "cost")) == [], "the same run"
    assert player.keep(attempt("b", "goal", "latency")) == ["latency"]
    player.answer(LEVEL, "idle", "before", 0, DAY)
    player.answer(LEVEL, "idle", "after", 1, DAY)
    again = Player(str(tmp_path / "new" / "folder"))
    assert again.attempts == player.attempts
    assert [one.run for one in again.attempts] == ["a", "b"]
    assert again.stars == {LEVEL.id: ["goal", "latency", "cost"]}
    assert again.answers == player.answers
    assert again.notes == []
    assert not list(tmp_path.rglob("*.tmp"))


def test_the_oldest_attempts_go_first(tmp_path: Path) -> None:
    many = [attrs.asdict(attempt(str(number))) for number in range(MOST_ATTEMPTS)]
    (tmp_path / "attempts.json").write_text(json.dumps({"version": 1, "attempts": many}))
    player = Player(str(tmp_path))
    player.keep(attempt("new", "goal"))
    again = Player(str(tmp_path))
    assert len(again.attempts) == MOST_ATTEMPTS
    assert (again.attempts[0].run, again.attempts[-1].run) == ("1", "new")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 100_000,
        b'{"version": "1", "attempts": []}',
        b'{"version": 0, "attempts": []}',
        b'{"version": 1, "attempts": {}}',
        b'{"version": 1, "attempts": [{"run": 7}]}',
        b'{"version": 1, "attempts": [' + b",".join([b"0"] * (MOST_ATTEMPTS + 1)) + b"]}",
        b" " * (json_file.MAX_BYTES + 1),
    ],
)
def test_a_broken_file_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "attempts.json"
    path.write_bytes(content)
    player = Player(str(tmp_path))
    assert player.notes == [("player.broken", {"file": "attempts.json", "kept": "attempts.broken-1.json"})]
    assert (tmp_path / "attempts.broken-1.json").read_bytes() == content
    player.keep(attempt("a"))
    assert len(json.loads(path.read_text())["attempts"]) == 1
    path.write_bytes(content)
    assert Player(str(tmp_path)).notes[0][1]["kept"] == "attempts.broken-2.json"


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "stars.json"
    path.write_text('{"version": 2, "stars": "what will be"}')
    player = Player(str(tmp_path))
    assert player.notes == [("player.newer", {"file": "stars.json", "version": 2, "known": 1})]
    with pytest.raises(EngineError) as refused:
        player.keep(attempt("a", "goal"))
    assert (refused.value.code, refused.value.params) == ("player.locked", {"file": "stars.json"})
    assert path.read_text() == '{"version": 2, "stars": "what will be"}'


def test_a_full_disk_is_told_and_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(str(tmp_path))
    player.keep(attempt("a"))
    before = (tmp_path / "attempts.json").read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EngineError) as refused:
        player.keep(attempt("b"))
    assert refused.value.code == "player.not_saved"
    assert refused.value.params == {"file": "attempts.json", "detail": "No space left on device"}
    assert (tmp_path / "attempts.json").read_bytes() == before
    assert not list(tmp_path.glob("*.tmp"))
    assert [one.run for one in player.attempts] == ["a"]


@pytest.mark.parametrize("folder", ["", "relative/folder", "/dev/null/folder", "/bad\0name"])
def test_a_folder_that_cannot_be_used_is_refused(folder: str) -> None:
    with pytest.raises(EngineError) as refused:
        Player(folder)
    assert refused.value.code == "player.folder"


@pytest.mark.parametrize(
    ("question", "when", "choice", "date", "code"),
    [
        ("nothing", "before", 0, DAY, "question.unknown"),
        ("idle", "during", 0, DAY, "question.answer"),
        ("idle", "before", 3, DAY, "question.answer"),
        ("idle", "before", -1, DAY, "question.answer"),
        ("idle", "before", 0, "yesterday", "message.malformed"),
    ],
)
def test_answers_are_checked(tmp_path: Path, question: str, when: str, choice: int, date: str, code: str) -> None:
    with pytest.raises(EngineError) as refused:
        Player(str(tmp_path)).answer(LEVEL, question, when, choice, date)
    assert refused.value.code == code


def test_answers_go_out_as_csv_for_a_teacher(tmp_path: Path) -> None:
    player = Player(str(tmp_path))
    player.answer(LEVEL, "idle", "before", 0, DAY)
    player.answer(LEVEL, "idle", "before", 2, DAY)
    player.answer(LEVEL, "idle", "after", 1, DAY)
    path = player.export()
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [(row["when"], row["answer"], row["right"], row["correct"]) for row in rows] == [
        ("before", "c", "b", "no"),
        ("after", "b", "b", "yes"),
    ]
    assert rows[0]["date"] == DAY


# -- over the bridge ---------------------------------------------------------------------------------------------------


def give(session: Session, **message: Any) -> dict[str, Any]:
    return dict(msgpack.unpackb(session.command(msgpack.packb({"v": 1, **message}))))


def ask(session: Session, **message: Any) -> dict[str, Any]:
    return dict(msgpack.unpackb(session.ask(msgpack.packb({"v": 1, **message}))))


def test_a_session_keeps_what_the_view_tells_it_to(tmp_path: Path) -> None:
    session = Session()
    assert give(session, do="attempt_keep", date=DAY)["code"] == "player.none"
    assert give(session, do="player_folder", folder=str(tmp_path)) == {"ok": True, "notes": []}
    assert give(session, do="attempt_keep", date=DAY)["code"] == "level.none_open"
    assert ask(session, ask="results")["code"] == "level.none_open"
    give(session, do="open", level="3", seed=1)
    assert give(session, do="attempt_keep", date=DAY)["code"] == "run.not_ended"
    told = ask(session, ask="questions")["questions"][0]
    assert (told["id"], told["code"], len(told["answers"])) == ("idle", "question.speculation.idle", 3)
    assert (told["before"], told["after"], told["right"]) == (None, None, None)
    told = give(session, do="answer", question="idle", when="before", choice=0, date=DAY)
    assert told == {"ok": True, "correct": None}
    assert ask(session, ask="questions")["questions"][0]["right"] is None, "not told before the level is over"
    give(session, do="layout", layout=LEVEL.reference)
    give(session, do="start")
    session.step(320.0)
    state = session.simulation.state_hash() if session.simulation else ""
    kept = give(session, do="attempt_keep", date=DAY)
    assert kept["new"] == kept["stars"] == ["goal", "latency", "cost"]
    assert give(session, do="answer", question="idle", when="after", choice=1, date=DAY)["correct"]
    told = ask(session, ask="questions")["questions"][0]
    assert (told["before"], told["after"], told["right"]) == (0, 1, 1)
    results = ask(session, ask="results")
    assert [star["reached"] for star in results["stars"]] == [True, True, True]
    assert results["attempts"] == 1
    levels = ask(session, ask="progress")["levels"]
    assert [len(level["stars"]) for level in levels if level["stars"]] == [3]
    assert len(levels[2]["stars"]) == 3
    exported = give(session, do="answers_export")
    assert (Path(exported["path"]).name, exported["answers"]) == ("answers.csv", 2)
    assert session.simulation is not None
    assert session.simulation.state_hash() == state
