"""Mods in the real game: the browser, their levels on the title, and what their hooks do on the floor."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scenes.mods_for_tests import LIVELY, RUDE, put_mods
from tests.scenes.player import Player, playing, user_folder

pytestmark = [pytest.mark.godot, pytest.mark.follows]

LOADED_S = 90.0  # each script in a process of its own, on a busy machine
KEY = "lively/lively"
CARD = f"title:level_{KEY}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The player's folder of mods."""
    home = tmp_path_factory.mktemp("mods")
    put_mods(user_folder(home) / "mods")
    return home


@pytest.fixture(scope="module")
def game(folder: Path) -> Iterator[Player]:
    with playing(folder, None) as player:
        player.probe.target("title:mods", LOADED_S)
        yield player


def browser(game: Player) -> dict[str, Any]:
    """What the browser says; nothing while it is closed."""
    found: dict[str, Any] = game.words().get("mods") or {}
    return found


def row(game: Player, title: str) -> str:
    """What the list says of a mod."""
    return next((text for text in browser(game).get("rows", []) if text.startswith(title)), "")


def details(game: Player) -> str:
    return "\n".join(browser(game).get("details", []))


def wait_row(game: Player, title: str, state: str) -> None:
    game.probe.wait(f"{title} to be {state}", lambda: {} if row(game, title).endswith(f": {state}") else None, LOADED_S)


def wait_details(game: Player, part: str) -> None:
    game.wait(f"{part!r} in the details, which say {details(game)}", lambda: part in details(game))


def mod_levels(game: Player) -> list[str]:
    """Levels of mods that the title offers."""
    return [level["id"] for level in game.words().get("levels", []) if "mod" in level]


def choose(game: Player, id: str, title: str) -> None:
    game.click(f"mod:{id}")
    game.wait(f"{id} to be chosen", lambda: browser(game).get("chosen") == id)
    wait_details(game, title)


# The tests follow each other in one game.


def test_the_browser_opens_by_its_key_and_tells_how_each_mod_stands(game: Player) -> None:
    game.hand.move((640, 20))
    game.hand.key("F7")
    game.wait("the browser", lambda: bool(browser(game)))
    wait_row(game, "Lively", "Enabled")
    wait_row(game, "Lonely", "Needs another mod")
    wait_row(game, "[b]Rude", "Failed to load")
    wait_row(game, "All problems", "Problems: 1")


@pytest.mark.long
def test_arrows_go_through_the_list_and_escape_closes_it(game: Player) -> None:
    for key, id in (("Down", "rude"), ("Down", "lonely"), ("Up", "rude"), ("Up", "lively"), ("Up", "*problems")):
        game.hand.key(key)
        game.wait(f"{id} by {key}", lambda id=id: browser(game)["chosen"] == id)  # type: ignore[misc]
    game.hand.key("Escape")
    game.wait("the browser to be closed", lambda: not browser(game))
    game.click("title:mods")
    game.wait("the browser", lambda: bool(browser(game)))


def test_a_mod_tells_who_made_it_and_hostile_text_is_text(game: Player) -> None:
    choose(game, "lively", "Version 1.2.3")
    assert "By A, B" in details(game)
    assert "Licence: MIT" in details(game)
    choose(game, "rude", RUDE)
    panel = game.probe.targets()["panel:mods"]
    assert panel[0] >= 0
    assert panel[0] + panel[2] <= 1280  # a word of 300 letters makes nothing wider


def test_all_problems_stand_in_one_list_with_file_and_line(game: Player) -> None:
    choose(game, "*problems", "rude/levels/one.py:2")
    assert "ZeroDivisionError" in details(game)
    game.click("mods:copy")
    game.wait("the list to be copied", lambda: browser(game)["told"] == "Copied, lines: 1")


def test_the_folder_is_told(game: Player, folder: Path) -> None:
    game.click("mods:open_folder")
    game.wait("the folder", lambda: str(user_folder(folder) / "mods") in browser(game)["told"])


def test_a_mod_is_mended_and_read_anew_without_a_restart(game: Player, folder: Path) -> None:
    script = user_folder(folder) / "mods" / "rude" / "levels" / "one.py"
    script.write_text(LIVELY.replace("lively", "rude"), "utf-8")
    game.click("mods:reload")
    wait_row(game, "[b]Rude", "Enabled")
    game.wait("its level on the title", lambda: "rude/rude" in mod_levels(game))


def test_a_mod_is_disabled_and_enabled(game: Player) -> None:
    choose(game, "rude", RUDE)
    game.click("mods:disable")
    wait_row(game, "[b]Rude", "Disabled")
    game.wait("its level to be gone", lambda: mod_levels(game) == [KEY])
    game.click("mods:enable")
    wait_row(game, "[b]Rude", "Enabled")
    game.wait("its level to be back", lambda: "rude/rude" in mod_levels(game))


def test_the_game_does_without_mods_until_they_are_read_anew(game: Player) -> None:
    game.click("mods:off")
    wait_row(game, "lively", "Disabled")  # nothing of it is read, not even its title
    assert mod_levels(game) == []
    game.click("mods:reload")
    wait_row(game, "Lively", "Enabled")
    game.click("mods:close")
    game.wait("the browser to be closed", lambda: not browser(game))


def test_a_level_is_opened_with_the_mouse_and_says_what_it_says_as_plain_text(game: Player) -> None:
    game.hand.scroll(game.probe.target("title:level_2"), -3)
    game.settle()
    game.click(CARD)
    game.probe.wait_screen("level")
    game.hand.key("3")
    at = game.tile(4, 2)
    game.change(lambda: game.hand.click(at))
    game.hand.key("Escape")
    game.hand.key("o")
    game.click("time:start")
    game.wait("the message", lambda: "[color=red]Watch out![/color] Waiting: 0 {nobody}" in game.words()["notices"])
    game.picture("mods_message")


def test_a_gpu_breaks_and_works_again_and_all_is_told(game: Player) -> None:
    game.click("time:8")
    game.wait("the GPU to fail", lambda: "GPU A has failed." in game.words()["notices"])
    game.wait("its core to stand", lambda: any("GPU broken" in text for text in game.words()["overlay"]))
    game.picture("mods_broken")
    game.wait("the GPU to work again", lambda: "pad.repaired" in game.words()["time"]["marks"])
    assert not any("GPU broken" in text for text in game.words()["overlay"])
    game.hand.key("y")
    said = game.probe.panel("messages", "works again")
    assert any("Watch out" in text for text in said)
    assert any("Decode Core" in text for text in said)  # two more may be built ...
    game.hand.key("3")
    at = game.tile(5, 3)
    game.change(lambda: game.hand.click(at))  # ... and one is
    assert [machine[0] for machine in game.machines()] == ["decode_core", "decode_core"]


@pytest.mark.long
def test_the_run_ends_with_a_result_as_others_do(game: Player) -> None:
    game.wait("the result", lambda: "Not yet" in game.words()["result"])
    assert stopped(game) == []  # it would lie over the result
    game.click("win:aside")
    game.wait("what happened in the end", lambda: len(stopped(game)) == 1)
    assert "ZeroDivisionError" in stopped(game)[0]


def stopped(game: Player) -> list[str]:
    """What is said of a hook that failed."""
    return [text for text in game.words()["notices"] if "was stopped in its hook wrong" in text]


@pytest.mark.long
def test_a_line_of_the_messages_leads_back_to_its_moment(game: Player) -> None:
    game.hand.key("Escape")
    game.click("time:1")
    last = len([name for name in game.probe.targets() if name.startswith("message:")]) - 1
    game.click(f"message:{last}")
    game.wait("the start", lambda: game.now_ps() < 6 * 10**12)


@pytest.mark.long
def test_a_level_is_opened_with_keys_alone(game: Player) -> None:
    game.click("time:title")
    game.probe.wait_screen("title")
    game.probe.target("title:play")
    game.hand.move((560, 690))  # beside the buttons
    press(game, "Up", "title:level_1")
    press(game, "Down", CARD)
    game.hand.key("Return")
    game.probe.wait_screen("level")
    game.wait("a game of its own", lambda: game.now_ps() == 0)


def press(game: Player, key: str, wanted: str) -> None:
    """Press a key until something has the focus; each time wait until the focus has moved."""
    for _ in range(10):
        before = game.probe.targets().get("focus")
        if before is not None and before == game.probe.targets().get(wanted):
            return
        game.hand.key(key)
        game.wait(f"{wanted} by {key}", lambda before=before: game.probe.targets().get("focus") != before)  # type: ignore[misc]
        game.settle()
    raise AssertionError(f"{key} does not lead to {wanted}")
