"""Games that are kept, in the real game: saved, loaded, gone on with after a kill; recordings that others have made."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import pytest
from player import WAIT_S, Player, playing, user_folder

from engine.protocol.session import Session

pytestmark = [pytest.mark.godot, pytest.mark.long]

DATE = "2026-11-30 20:15"
PREFILL = (3, 1)  # of the reference layout


class Engine:
    """The engine without its view, which makes what the game then finds."""

    def __init__(self, folder: Path) -> None:
        self._session = Session()
        self.give(do="player_folder", folder=str(folder))

    def give(self, **message: Any) -> dict[str, Any]:
        told: dict[str, Any] = msgpack.unpackb(self._session.command(msgpack.packb({"v": 1, **message})))
        assert told["ok"], told
        return told

    def play(self, seconds: int) -> None:
        """The first level, its reference layout, so long."""
        self.give(do="open", level="1")
        assert self._session.simulation is not None
        self.give(do="layout", layout=self._session.simulation.level.reference)
        self.give(do="start")
        for _ in range(seconds):
            self._session.step(1.0)

    def save(self, slot: int | str) -> str:
        """Save; the hash of the state."""
        self.give(do="save", slot=slot, date=DATE)
        return self.hash()

    def hash(self) -> str:
        """That of the state now."""
        return str(self.ask("state")["hash"])

    def ask(self, question: str) -> dict[str, Any]:
        told: dict[str, Any] = msgpack.unpackb(self._session.ask(msgpack.packb({"v": 1, "ask": question})))
        return told


@dataclass
class Made:
    """What lay there before the game began: hashes, and files of somebody else's."""

    left: str
    earlier: str
    theirs: str
    recording: Path
    save: Path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("saves")


@pytest.fixture(scope="module")
def made(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """An autosave; a damaged save with an older one; one of a newer version; a recording and a save from elsewhere."""
    own = user_folder(folder)
    engine = Engine(own)
    engine.play(8)
    earlier = engine.save(1)
    engine.play(12)
    engine.save(1)
    engine.save(2)
    engine.play(15)
    left = engine.save("auto")
    (own / "saves" / "slot-1.save").write_bytes(b"damaged")
    newer = bytearray((own / "saves" / "slot-2.save").read_bytes())
    newer[8:10] = (9).to_bytes(2, "little")
    (own / "saves" / "slot-2.save").write_bytes(newer)
    away = tmp_path_factory.mktemp("elsewhere")
    other = Engine(away)
    other.play(6)
    theirs = other.save(1)
    recording = Path(other.give(do="recording_export")["path"])
    return Made(left, earlier, theirs, recording, away / "saves" / "slot-1.save")


@pytest.fixture(scope="module")
def game(folder: Path, made: Made) -> Iterator[Player]:
    with playing(folder, None) as player:
        yield player


def wait_says(game: Player, part: str) -> None:
    """Wait until the panel of saved games says something."""
    game.wait(f"{part!r} in the saved games", lambda: any(part in text for row in rows(game) for text in row))


def rows(game: Player) -> list[list[str]]:
    """What was told last, then the autosave and the slots."""
    found: list[list[str]] = game.words().get("saves", [])
    return found


def open_panel(game: Player) -> None:
    game.hand.key("F8")
    game.wait("the saved games", lambda: bool(rows(game)))
    game.settle()


def wait_state(game: Player, state: str) -> None:
    """Wait until the level is at the moment with this hash, and stays there."""

    def there() -> bool:
        clock = game.probe.last("clock")
        return clock is not None and clock["hash"] == state

    game.wait(f"the state {state}", there)


def wait_screen(game: Player, name: str, before: int) -> None:
    def shown() -> bool:
        return game.probe.count("screen") > before and (game.probe.last("screen") or {}).get("name") == name

    game.wait(f"the screen {name}", shown)


def go_on(game: Player) -> None:
    """Continue, once the title can."""
    game.probe.target("title:continue", WAIT_S)
    before = game.probe.count("screen")
    game.click("title:continue")
    wait_screen(game, "level", before)


def load(game: Player, slot: int | str) -> None:
    """Load a slot of the open panel."""
    before = game.probe.count("screen")
    game.click(f"save:{slot}:load")
    wait_screen(game, "level", before)


# The tests follow each other in one game.


def test_the_game_that_was_left_goes_on_at_that_moment(game: Player, made: Made) -> None:
    go_on(game)
    wait_state(game, made.left)
    game.wait_said("told", "As it was left at 0:15")
    assert (game.probe.last("time") or {})["paused"] is True


def test_what_was_saved_is_there_again_after_a_change(game: Player, made: Made) -> None:
    layout = game.after(lambda: None, "clock")["layout_hash"]
    open_panel(game)
    game.click("save:3:save")
    wait_says(game, "Saved in slot 3.")
    assert rows(game)[4][0] == "Slot 3   Prefill and decode"
    game.picture("saved_games")
    game.hand.key("Escape")
    game.hand.move(game.tile(*PREFILL))
    changed = game.change(lambda: game.hand.key("x"))
    assert changed["layout_hash"] != layout
    open_panel(game)
    load(game, 3)
    wait_state(game, made.left)
    assert game.after(lambda: None, "clock")["layout_hash"] == layout
    game.settle()
    game.hand.move(game.tile(*PREFILL))
    game.change(lambda: game.hand.key("ctrl+z"))


def test_what_cannot_be_undone_is_asked_for_twice(game: Player) -> None:
    open_panel(game)
    game.click("save:3:save")
    wait_says(game, "Press again to overwrite")
    game.click("save:3:save")
    wait_says(game, "Saved in slot 3.")
    game.hand.scroll(game.probe.target("save:1:load"), -3)
    game.settle()
    game.click("save:3:delete")
    wait_says(game, "Press again to delete")
    assert rows(game)[4][0] == "Slot 3   Prefill and decode"
    game.click("save:3:delete")
    wait_says(game, "Slot 3 is empty now.")
    assert rows(game)[4][1] == "Empty"


def test_keys_alone_and_the_pad_alone_go_through_them(game: Player) -> None:
    game.hand.key("Down")
    game.hand.key("Return")
    wait_says(game, "Press again to leave this game")
    game.hand.key("Escape")
    game.wait("the saved games to be closed", lambda: not rows(game))
    game.hand.move((640, 400))
    for button in ("Select", "Left", "A"):  # from the pause button
        game.pad.press(button)
    game.wait("the saved games", lambda: bool(rows(game)))
    for button in ("Down", "Right", "A"):
        game.pad.press(button)
    wait_says(game, "Press again to delete")
    game.pad.press("B")
    game.wait("the saved games to be closed", lambda: not rows(game))
    open_panel(game)


def test_a_damaged_save_says_so_and_the_one_before_it_loads(game: Player, made: Made) -> None:
    assert rows(game)[2][1] == "slot-1.save is damaged. This is the save before it."
    load(game, 1)
    wait_state(game, made.earlier)
    game.wait_said("told", "slot-1.save is damaged.")


def test_a_save_of_a_newer_game_is_refused_plainly(game: Player) -> None:
    open_panel(game)
    assert "from a newer game" in rows(game)[3][1]
    assert "save:2:load" not in game.probe.targets()
    game.hand.key("Escape")
    game.wait("the saved games to be closed", lambda: not rows(game))


def test_a_file_that_is_dropped_is_played_and_says_whether_it_is_the_same(game: Player, made: Made) -> None:
    before = game.probe.count("screen")
    game.probe.order(drop=str(made.recording))
    wait_screen(game, "level", before)
    game.wait_said("told", "This is a recording: Prefill and decode.")
    game.hand.key("F4")
    wait_state(game, made.theirs)
    game.wait_said("told", "just as it was played")
    game.picture("recording")


def test_a_run_that_is_shared_as_text_is_the_same_run(game: Player, made: Made) -> None:
    game.click("time:share")
    game.wait_said("told", "on the clipboard")
    open_panel(game)
    before = game.probe.count("screen")
    game.click("recording:open")
    wait_screen(game, "level", before)
    game.hand.key("F4")
    wait_state(game, made.theirs)


def test_a_save_of_somebody_else_is_simulated_anew(game: Player, made: Made) -> None:
    before = game.probe.count("screen")
    game.probe.order(drop=str(made.save))
    wait_screen(game, "level", before)
    wait_state(game, made.theirs)
    game.wait_said("told", "another computer")


def test_what_is_dropped_and_is_none_of_the_games_is_refused(game: Player, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    game.probe.order(drop=str(tmp_path / "picture.png"))
    game.wait_said("told", "picture.png")


def test_after_a_kill_the_game_that_was_left_its_settings_and_blueprints_are_there(
    game: Player, made: Made, folder: Path
) -> None:
    hand = game.hand
    hand.key("F10")
    game.click("settings:palette:more")
    hand.key("Escape")
    hand.key("ctrl+a")
    game.wait_selected(2, 3)
    hand.key("b")
    game.click("blueprints:save")
    game.wait("a blueprint", lambda: len(game.words()["library"]) == 1)
    name = game.words()["library"][0][0]
    hand.key("Escape")
    game.click("time:title")
    game.probe.wait_screen("title")
    game.probe.target("title:continue")
    game.kill()
    with playing(folder, None) as again:
        go_on(again)
        wait_state(again, made.theirs)
        again.hand.move((640, 400))
        again.hand.key("F10")
        again.wait("the settings", lambda: "Without red" in again.words()["comfort"]["texts"])
        again.hand.key("Escape")
        again.hand.key("b")
        again.wait("the library", lambda: [row[0] for row in again.words()["library"]] == [name])
        again.settle()
        again.hand.move(again.tile(*PREFILL))
        again.change(lambda: again.hand.key("x"))
        assert len(again.machines()) == 1
        again.probe.order(close=True)
        again.wait_end()
    kept = Engine(user_folder(folder)).ask("saves")["saves"][0]
    assert (kept["slot"], len(kept["layout"]["machines"])) == ("auto", 1)
