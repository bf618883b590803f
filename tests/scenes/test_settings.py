"""The settings in the real game: by mouse, keys and pad; kept for the next time; told when they were broken."""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from engine.version import VERSION
from tests.scenes.player import Player, playing, user_folder

pytestmark = [pytest.mark.godot, pytest.mark.follows]

Rect = list[float]
PROMPT_WITHOUT_RED = (0x6B, 0xDE, 0xAE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("settings")


@pytest.fixture(scope="module")
def game(folder: Path) -> Iterator[Player]:
    """A game whose file of settings was broken."""
    (user_folder(folder) / "settings.json").write_text("{", "utf-8")
    with playing(folder, 1) as player:
        player.hand.move((300, 250))
        yield player


def says(game: Player, part: str) -> bool:
    return any(part in text for text in game.words()["comfort"]["texts"])


def wait_says(game: Player, part: str) -> None:
    game.wait(f"{part!r} in the settings", lambda: says(game, part))


def page(game: Player, name: str) -> None:
    game.click(f"settings:page_{name}")
    game.wait(f"the page {name}", lambda: game.words()["comfort"]["panel"] == name)


def kept(folder: Path) -> dict[str, object]:
    values: dict[str, object] = json.loads((user_folder(folder) / "settings.json").read_text("utf-8"))
    return values


def overlaps(one: Rect, other: Rect) -> bool:
    return all(one[at] < other[at] + other[at + 2] and other[at] < one[at] + one[at + 2] for at in (0, 1))


# The tests follow each other in one game.


def test_a_broken_file_is_told_and_kept_aside(game: Player, folder: Path) -> None:
    game.wait_said("notes", "It is kept as settings.broken-1.json")
    assert (user_folder(folder) / "settings.broken-1.json").read_text("utf-8") == "{"
    game.picture("notes")
    game.click("notes:seen")
    game.wait("the note to be away", lambda: game.words()["notes"] == "")


def test_a_palette_changes_the_picture_at_once(game: Player, tmp_path: Path) -> None:
    start = game.probe.target("time:start")
    game.hand.key("F10")
    game.click("settings:palette:more")
    wait_says(game, "Without red")

    def shown() -> bool:
        game.display.picture(tmp_path / "shown.png")
        with Image.open(tmp_path / "shown.png") as picture:
            seen = picture.getpixel((round(start[0]) - 100, round(start[1])))
        assert isinstance(seen, tuple)
        return all(abs(one - other) < 4 for one, other in zip(seen, PROMPT_WITHOUT_RED, strict=True))

    game.wait("the start button in its colour", shown)


def test_keys_alone_go_through_the_settings(game: Player) -> None:
    hand = game.hand
    hand.key("Up")
    hand.key("Up")
    for name in ("sound", "game", "keys", "about", "looks"):
        hand.key("Right")
        game.wait(f"the page {name}", lambda name=name: game.words()["comfort"]["panel"] == name)  # type: ignore[misc]
    hand.key("Down")
    hand.key("Down")
    hand.key("Return")
    wait_says(game, "On")
    hand.key("Left")
    game.wait("high contrast to be off", lambda: not says(game, "On"))
    hand.key("Escape")
    game.wait("the settings to be closed", lambda: game.words()["comfort"]["panel"] == "")
    hand.key("Escape")  # with the pointer in hand
    game.wait("the settings to be open", lambda: game.words()["comfort"]["panel"] == "looks")


def test_the_pad_alone_goes_through_the_settings(game: Player) -> None:
    pad = game.pad
    pad.press("B")
    game.wait("the settings to be closed", lambda: game.words()["comfort"]["panel"] == "")
    pad.press("L3", "Left")
    game.wait("the settings to be open", lambda: game.words()["comfort"]["panel"] == "looks")
    for button in ("Down", "Down", "Down", "A"):
        pad.press(button)
    wait_says(game, "On")
    pad.press("Left")
    game.wait("reduced motion to be off", lambda: not says(game, "On"))


def test_a_key_that_another_action_has_is_told_and_swapped_and_does_what_it_says(game: Player) -> None:
    page(game, "keys")
    box = game.probe.targets()["panel:settings"]
    game.hand.scroll((box[0] + 100, box[1] + box[3] * 0.7), -8)
    game.settle()
    game.click("settings:rotate:0")
    wait_says(game, "Press the new key")
    game.hand.key("x")
    wait_says(game, "X was “Remove under the cursor”; that is R now.")
    game.click("settings:delete:1")
    game.hand.key("ctrl+y")  # a second key, taken from Redo
    wait_says(game, "Ctrl+Y was “Redo”; that has none now.")
    game.hand.key("F10")
    game.wait("the settings to be closed", lambda: game.words()["comfort"]["panel"] == "")
    game.hand.key("2")
    at = game.tile(3, 1)
    game.change(lambda: game.hand.click(at))
    game.hand.key("Escape")
    game.change(lambda: game.hand.key("x"))
    assert game.machines() == [["prefill_core", 3, 1, 1]]
    game.change(lambda: game.hand.key("r"))
    assert game.machines() == []


def test_the_card_of_keys_says_what_is_set(game: Player) -> None:
    game.hand.key("question")

    def rows() -> list[list[str]]:
        found: list[list[str]] = game.words()["comfort"]["card"]
        return found

    game.wait("the card", lambda: bool(rows()))
    keys = {row[0]: row[1] for row in rows() if len(row) > 1}
    assert (keys["Turn"], keys["Remove under the cursor"], keys["Copy"]) == ("X", "R, Ctrl+Y", "Ctrl+C")
    x, y, width, height = game.probe.targets()["panel:help_card"]
    assert min(x, y) >= 0
    assert x + width <= 1280
    assert y + height <= 720
    game.hand.key("Escape")
    game.wait("the card to be away", lambda: not rows())


def test_another_language_is_spoken_at_once_and_the_factory_stays(game: Player) -> None:
    game.change(lambda: game.hand.key("ctrl+z"))
    game.hand.key("F10")
    page(game, "game")
    game.click("settings:language:more")
    wait_says(game, "Deutsch")
    assert says(game, "Sprache")
    assert game.machines() == [["prefill_core", 3, 1, 1]]
    game.hand.key("Left")
    wait_says(game, "Language")
    game.hand.key("Escape")
    game.wait("the settings to be closed", lambda: game.words()["comfort"]["panel"] == "")
    game.settle()
    game.hand.move(game.tile(3, 1))
    game.change(lambda: game.hand.key("r"))
    assert game.machines() == []


def test_time_stands_while_the_settings_are_open_only_for_who_wants_that(game: Player) -> None:
    def paused() -> bool:
        event = game.probe.last("time") or {}
        return bool(event.get("paused")) and event.get("phase") == "running"

    def runs() -> bool:
        event = game.probe.last("time") or {}
        return event.get("phase") == "running" and not event["paused"]

    game.hand.key("space")
    game.wait("the start", runs)
    game.hand.key("F10")
    page(game, "game")
    assert runs()
    game.click("settings:pause_here:more")
    game.wait("time to stand", paused)
    game.hand.key("F10")
    game.wait("time to go on", runs)
    game.hand.key("F10")
    game.wait("time to stand", paused)
    game.click("settings:pause_here:more")
    game.wait("time to go on", runs)
    game.hand.key("Escape")


def test_what_the_game_is_made_of_and_where_its_log_lies(game: Player, folder: Path) -> None:
    game.hand.key("F10")
    page(game, "about")
    wait_says(game, f"Token Factory {VERSION}")
    wait_says(game, str(user_folder(folder) / "token_factory.log"))
    game.click("settings:copy_about")
    wait_says(game, "Copied.")
    game.hand.key("Escape")


def test_nothing_overlaps_at_half_again_the_size(game: Player) -> None:
    game.hand.key("F10")
    page(game, "looks")
    game.click("settings:ui_scale:more")
    for percent in (110, 120, 130, 140, 150):
        wait_says(game, f"{percent} %")
        if percent < 150:
            game.hand.key("Right")
    game.settle()
    x, y, width, height = game.probe.targets()["panel:settings"]
    assert x >= 0
    assert y >= 0
    assert x + width <= 1281
    assert y + height <= 721
    game.hand.key("Escape")
    game.settle()
    rects = game.probe.targets()
    panels = {name: rect for name, rect in rects.items() if name.startswith("panel:") or name == "time:start"}
    assert "panel:settings" not in panels
    for (one, there), (other, here) in combinations(panels.items(), 2):
        assert not overlaps(there, here), (one, other)
    for name, (x, y, width, height) in panels.items():
        assert min(x, y) >= 0, name
        assert x + width <= 1281, name
        assert y + height <= 721, name


def test_all_is_in_the_file(game: Player, folder: Path) -> None:
    values = kept(folder)
    assert (values["palette"], values["ui_scale"]) == ("protan", 150)
    assert values["keys"] == {
        "rotate": ["X", "", "Pad 2"],
        "delete": ["R", "Ctrl+Y", "Pad 3"],
        "redo": ["Ctrl+Shift+Z", "", "Pad 111"],
    }


@pytest.mark.long
def test_all_is_there_the_next_time(tmp_path: Path) -> None:
    keys = {"rotate": ["X", "", "Pad 2"], "delete": ["R", "", "Pad 3"]}
    values = {"version": 1, "palette": "protan", "ui_scale": 150, "keys": keys}
    (user_folder(tmp_path) / "settings.json").write_text(json.dumps(values), "utf-8")
    with playing(tmp_path, 1) as game:
        game.hand.move((300, 250))
        game.hand.key("F10")
        wait_says(game, "Without red")
        assert says(game, "150 %")
        game.hand.key("Escape")
        game.settle()
        game.hand.key("2")
        at = game.tile(3, 1)
        game.hand.move(at)
        game.hand.key("x")
        game.change(lambda: game.hand.click(at))
        assert game.machines() == [["prefill_core", 3, 1, 1]]
