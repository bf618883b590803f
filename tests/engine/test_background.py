"""A game is saved while it goes on: nothing waits for the disk, and nothing is lost by that."""

from pathlib import Path

from saving import DAY, Saver


def test_what_is_written_later_is_there_for_whoever_asks(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    player.play("1", 20)
    told = player.give(do="save", slot="auto", date=DAY, later=True)
    assert told["ok"]
    before = player.ask("state")
    assert player.ask("saves")["saves"][0]["state_hash"] == before["hash"]
    player.look(5.0)
    assert player.give(do="save", slot="auto", date=DAY, later=True)["ok"]
    player.session.close()
    other = Saver(tmp_path)
    assert other.load("auto") == ["save.loaded"]
    assert other.ask("state") == player.ask("state")


def test_what_cannot_be_written_is_told_with_a_snapshot(tmp_path: Path) -> None:
    player = Saver(tmp_path)
    player.play("1", 20)
    (tmp_path / "saves").write_text("in the way", "utf-8")
    assert player.give(do="save", slot="auto", date=DAY, later=True)["ok"]
    player.session.close()
    assert [event["code"] for event in player.look()["events"] if event["code"].startswith("player.")] == [
        "player.not_saved"
    ]


def test_what_is_done_while_it_is_packed_is_not_in_it(tmp_path: Path) -> None:
    """The game goes on, builds and goes back while a save is on its way."""
    player = Saver(tmp_path)
    player.play("1", 40)
    player.give(do="rewind", t_ps=20 * 10**12)
    player.look()
    before = player.whole()
    told = player.give(do="save", slot="auto", date=DAY, later=True)
    assert told == {"ok": True, "slot": "auto", "bytes": None}
    for number in range(30):
        player.give(do="remove", ids=[4])
        player.give(do="undo")
        player.look(0.1)
        if number == 20:
            player.give(do="rewind", t_ps=5 * 10**12)
            player.look()
    player.session.close()
    other = Saver(tmp_path)
    assert other.load("auto") == ["save.loaded"]
    assert other.whole() == before
