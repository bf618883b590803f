"""Two layouts of one level side by side, each in a game of its own."""

from typing import Any

import msgpack
import pytest
from factories import LEVEL_1

from engine.protocol.play import play
from engine.protocol.session import Session
from engine.simulation import RUNNING
from engine.units import seconds


class Player:
    def __init__(self) -> None:
        self.session = Session()
        self.give(do="open", level="1", seed=1)
        self.give(do="layout", layout=LEVEL_1.reference)

    def give(self, **message: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.command(msgpack.packb({"v": 1, **message}))))

    def ask(self, question: str) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.ask(msgpack.packb({"v": 1, "ask": question}))))

    def look(self, delta_s: float = 0.0) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.step(delta_s)))


@pytest.fixture
def player() -> Player:
    return Player()


def test_a_second_tab_is_a_copy_in_its_own_time(player: Player) -> None:
    player.give(do="start")
    player.look(30.0)
    assert player.give(do="tab_open")["tab"] == 1
    shot = player.look()
    assert (shot["phase"], shot["t_ps"]) == ("build", 0)
    assert (shot["structure"]["tab"], shot["structure"]["tabs"]) == (1, 2)
    assert len(shot["structure"]["machines"]["id"]) == 4
    assert player.give(do="tab_open") == {"ok": False, "code": "tab.most", "params": {"most": 2}}


def test_tabs_do_not_disturb_each_other_and_run_together(player: Player) -> None:
    player.give(do="start")
    player.look(30.0)
    player.give(do="tab_open")
    player.give(do="set", id=4, name="max_num_seqs", value=1)
    player.give(do="start")
    player.look(10.0)
    told = player.ask("tabs")
    assert told["current"] == 1
    assert [tab["t_ps"] for tab in told["tabs"]] == [seconds(40), seconds(10)]
    assert told["tabs"][0]["layout_hash"] != told["tabs"][1]["layout_hash"]
    player.give(do="tab", index=0)
    shot = player.look()
    assert "structure" in shot
    assert shot["packets"]["token"][0] > 0, "what moves is drawn at once"
    simulation = player.session.simulation
    assert simulation is not None
    while simulation.phase == RUNNING:
        player.look(20.0)
    assert simulation.state_hash() == play(LEVEL_1, 1, simulation.site.layout()).state_hash()
    told = player.ask("tabs")
    assert [tab["phase"] for tab in told["tabs"]] == ["ended", "running"]
    assert [tab["passed"] for tab in told["tabs"]] == [True, False]
    assert told["tabs"][0]["tps"] > told["tabs"][1]["tps"]
    assert told["tabs"][0]["machines"] == 2


def test_each_tab_goes_back_in_its_own_time(player: Player) -> None:
    player.give(do="start")
    player.look(30.0)
    player.give(do="tab_open")
    player.give(do="start")
    player.look(20.0)
    assert player.give(do="rewind", t_ps=seconds(5))["ok"]
    player.look()
    assert [tab["t_ps"] for tab in player.ask("tabs")["tabs"]] == [seconds(50), seconds(5)]


def test_closing_a_tab_shows_the_other_one(player: Player) -> None:
    assert player.give(do="tab_close", index=0)["code"] == "tab.last"
    player.give(do="tab_open")
    player.give(do="remove", ids=[3])
    assert player.give(do="tab", index=2)["code"] == "tab.unknown"
    assert player.give(do="tab_close", index=0)["ok"]
    shot = player.look()
    assert (shot["structure"]["tab"], shot["structure"]["tabs"]) == (0, 1)
    assert len(shot["structure"]["machines"]["id"]) == 3
    assert player.give(do="restart")["ok"], "a restart concerns the tab that is shown"
    assert player.ask("tabs")["current"] == 0
