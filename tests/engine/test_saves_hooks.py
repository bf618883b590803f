"""Saved games of levels that have code of their own: what it did is in the save, and a load calls none of it."""

from pathlib import Path

import attrs
import pytest
from hook_level import CALLED, LEVEL
from saving import Saver

from engine.floor.layout import layout_from_data
from engine.level.load import load
from engine.level.spec import Level
from engine.protocol.play import play
from engine.units import seconds


def with_hooks(which: str) -> Level:
    return LEVEL if which == LEVEL.id else load(which)


@pytest.mark.parametrize("to_s", [0, 44.9, 45, 60.5, 100])
def test_a_saved_game_goes_on_with_its_hooks(tmp_path: Path, to_s: float) -> None:
    player = Saver(tmp_path, with_hooks)
    player.play(LEVEL.id, to_s)
    player.save()
    CALLED.clear()
    other = Saver(tmp_path, with_hooks)
    assert other.load() == ["save.loaded"]
    assert CALLED == []
    assert other.whole() == player.whole()
    assert other.game.commands == player.game.commands
    if not to_s:
        other.give(do="start")
    while other.look(5.0)["phase"] != "ended":
        pass
    assert other.game.state_hash() == play(LEVEL, 1, layout_from_data(LEVEL.reference)).state_hash()


def test_where_the_code_is_not_there_its_past_is_played_and_it_is_told(tmp_path: Path) -> None:
    mine = attrs.evolve(LEVEL, id="mine")
    player = Saver(tmp_path, lambda which: mine if which == "that" else load(which))
    player.play("that", 80)
    player.save()
    path = player.give(do="recording_export")["path"]
    CALLED.clear()
    other = Saver(tmp_path / "there")
    other.give(do="load_file", path=str(tmp_path / "saves" / "slot-1.save"))
    codes = other.arrive()
    assert codes == ["save.loaded", "save.elsewhere", "save.no_hooks"]
    assert other.game.state_hash() == player.game.state_hash()
    assert other.game.now == seconds(80)
    other.look(30.0)
    assert CALLED == []
    other.give(do="recording_open", path=path)
    assert "recording.equal" in other.arrive()


def test_a_player_cannot_write_the_answers_of_hooks(tmp_path: Path) -> None:
    player = Saver(tmp_path, with_hooks)
    player.play(LEVEL.id, 10)
    message = {"name": "fail", "t_s": 10, "effects": [], "memory": {}}
    assert player.give(do="hook", **message)["code"] == "message.unknown"
