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
