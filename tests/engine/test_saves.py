"""A game that is saved is there again, to the bit: all tabs, their branches, what can be undone and the graphs."""

from pathlib import Path
from typing import Any

import msgpack
import pytest
from factories import LEVELS

from engine.protocol.session import Session

DAY = "2026-12-01 00:20"


class Player:
    """Somebody at the bridge, with a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.session = Session()
        assert self.give(do="player_folder", folder=str(folder))["ok"]

    def give(self, **message: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.command(msgpack.packb({"v": 1, **message}))))

    def ask(self, question: str, **fields: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.ask(msgpack.packb({"v": 1, "ask": question, **fields}))))

    def look(self, delta_s: float = 0.0) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.step(delta_s)))

    def play(self, level: str = "1", to_s: float = 0.0) -> None:
        assert self.give(do="open", level=level)["ok"]
        assert self.give(do="layout", layout=LEVELS[int(level) - 1].reference)["ok"]
        if to_s:
            assert self.give(do="start")["ok"]
            while self.look(5.0)["t_ps"] < to_s * 10**12:
                pass

    def arrive(self) -> list[str]:
        """Wait until what is loaded is there; what is said of it."""
        for _ in range(100_000):
            shot = dict(msgpack.unpackb(self.session.step(0.0, lambda: True)))
            if "rewinding" not in shot:
                return [event["code"] for event in shot.get("events", [])]
        raise AssertionError("it never arrives")


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(tmp_path)


def test_a_saved_game_is_there_again(player: Player, tmp_path: Path) -> None:
    player.play("1", 100)
    player.give(do="rewind", t_ps=50 * 10**12)
    player.look()
    player.look(3.0)
    player.give(do="tab_open")
    player.give(do="tab", index=0)
    before = [player.ask(question) for question in ("state", "timeline", "history", "tabs", "layout")]
    structure = player.look()
    assert player.give(do="save", slot=3, date=DAY)["ok"]
    row = player.ask("saves")["saves"][0]
    assert (row["slot"], row["level"], row["t_ps"], row["date"]) == (3, "prefill_and_decode", before[0]["t_ps"], DAY)
    assert row["state_hash"] == before[0]["hash"]
    other = Player(tmp_path)
    assert other.give(do="load", slot=3) == {"ok": True, "notes": []}
    assert other.arrive() == ["save.loaded"]
    assert [other.ask(question) for question in ("state", "timeline", "history", "tabs", "layout")] == before
    del structure
