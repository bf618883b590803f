"""A recording is watched: it plays as it was played, says whether its end is the same, and is nobody's own game."""

from pathlib import Path

import pytest
from saving import Saver

from engine.units import seconds


@pytest.fixture
def watcher(tmp_path: Path) -> Saver:
    """Somebody who has opened what another one has recorded: a run with a change at 30 s, up to 45 s."""
    player = Saver(tmp_path / "player")
    player.play("1", 30)
    assert player.give(do="set", id=4, name="max_num_seqs", value=3)["ok"]
    player.look(15.0)
    text = player.give(do="recording_export")["text"]
    watcher = Saver(tmp_path / "watcher")
    assert watcher.give(do="watch")["code"] == "level.none_open"
    assert watcher.give(do="recording_open", text=text)["ok"]
    assert watcher.arrive() == ["save.loaded", "recording.equal"]
    assert watcher.ask("state") == player.ask("state")
    assert watcher.look()["following"] is None
    assert watcher.give(do="watch")["ok"]
    watcher.arrive()
    assert watcher.game.now == 0
    return watcher


def batch(watcher: Saver) -> int:
    """The most requests in a batch of the machine whose limit was changed."""
    settings = watcher.ask("machine", id=4)["settings"]
    return next(int(setting["value"]) for setting in settings if setting["name"] == "max_num_seqs")


def test_it_plays_to_its_end_and_says_that_it_is_the_same(watcher: Saver) -> None:
    for _ in range(29):
        shot = watcher.look(1.0)
    assert shot["following"] == {"reached_ps": seconds(45), "equal": None}
    assert batch(watcher) != 3
    watcher.look(2.0)
    assert batch(watcher) == 3
    for _ in range(30):
        shot = watcher.look(1.0)
    assert shot["following"] == {"reached_ps": seconds(45), "equal": True}
    assert shot["t_ps"] == seconds(45), "it stands at its end"
    assert watcher.give(do="save", slot=1, date="2026-12-01 10:00")["code"] == "recording.watched"


def test_it_is_watched_again_after_going_back(watcher: Saver) -> None:
    watcher.look(40.0)
    assert watcher.give(do="rewind", t_ps=seconds(10))["ok"]
    watcher.arrive()
    assert watcher.give(do="single_step")["ok"]
    shot = watcher.look(60.0)
    assert (shot["t_ps"], shot["following"]["equal"]) == (seconds(45), True)


def test_who_changes_something_takes_over(watcher: Saver) -> None:
    watcher.look(10.0)
    assert watcher.give(do="set", id=4, name="max_num_seqs", value=2)["ok"]
    shot = watcher.look(60.0)
    assert (shot["t_ps"], shot["following"]) == (seconds(70), None)
    assert batch(watcher) == 2
    assert watcher.give(do="save", slot=1, date="2026-12-01 10:00")["ok"]


def test_who_takes_over_goes_on_past_its_end(watcher: Saver) -> None:
    watcher.look(45.0)
    assert watcher.give(do="take_over")["ok"]
    assert watcher.look(5.0)["t_ps"] == seconds(50)


def test_what_was_only_built_is_at_its_end_at_once(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    player.play("1")
    text = player.give(do="recording_export")["text"]
    watcher = Saver(None)
    assert watcher.give(do="recording_open", text=text)["ok"]
    watcher.arrive()
    assert watcher.give(do="watch")["ok"]
    assert watcher.look()["following"] == {"reached_ps": 0, "equal": True}
