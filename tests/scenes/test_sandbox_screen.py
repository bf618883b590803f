"""The sandbox as its player uses it: a floor is chosen, built on, kept as a level and opened again, in one game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from player import Player, playing, user_folder

from tools.autoplay import build

pytestmark = [pytest.mark.godot, pytest.mark.follows]

SETTINGS = '{"version": 1, "reduced_motion": true}'
BELT = {"tiles": [[x, 7] for x in range(2, 6)], "from": {"x": 0, "y": 6, "port": "e1"}}
BUILT = {
    "machines": [{"kind": "prefill_core", "x": 6, "y": 7}],
    "belts": [{**BELT, "to": {"x": 6, "y": 7, "port": "w"}}],
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    folder = tmp_path_factory.mktemp("sandbox")
    (user_folder(folder) / "settings.json").write_text(SETTINGS)
    with playing(folder, None) as game:
        game.click("title:sandbox")
        game.probe.wait_screen("sandbox")
        yield game


def says(game: Player) -> dict[str, Any]:
    """The page that is open, the values of its lines, and what is told below."""
    told = game.words()
    return {"page": told.get("page"), "told": told.get("told"), **{k: v[1] for k, v in told.get("lines", {}).items()}}


def test_a_floor_is_chosen_with_keys_alone(game: Player) -> None:
    game.wait("two cards", lambda: says(game).get("cards") == "2")
    for key in ("Down", "Down", "Down", "Down", "Right"):
        game.hand.key(key)
    game.wait("a third one", lambda: (says(game)["cards"], says(game).get("card_2")) == ("3", "L4"))
    for key in ("Down", "Left"):
        game.hand.key(key)
    game.wait("another card", lambda: says(game)["card_0"] == "T4")
    game.wait("a warning", lambda: "does not fit" in says(game)["told"])
    game.hand.key("Right")
    game.wait("none", lambda: says(game)["told"] == "")


@pytest.mark.long
def test_a_trace_that_is_dropped_comes_instead_of_the_traffic(game: Player, tmp_path: Path) -> None:
    path = tmp_path / "monday.csv"
    path.write_text("arrival,prompt_tokens\n1,2\n")
    game.probe.order(drop=str(path))
    game.wait("why not", lambda: "lacks the columns" in says(game)["told"])
    path.write_text("arrival,prompt_tokens,output_tokens\n0.5,100,20\n1.5,300,40\n")
    game.probe.order(drop=str(path))
    game.wait("the trace", lambda: (says(game).get("page"), says(game).get("trace")) == ("traffic", "monday"))


def test_what_was_built_is_kept_as_a_level_and_stands_there_again(game: Player) -> None:
    game.click("sandbox:build")
    game.probe.wait_screen("level")
    build(game, BUILT)
    built = game.floor()
    game.hand.key("Escape")
    game.hand.key("ctrl+s")
    game.click("keep:keep")
    game.wait_said("told", "Kept as a level: Floor 1")
    game.click("time:title")
    game.probe.wait_screen("title")
    game.click("title:sandbox")
    game.click("sandbox:page_own")
    game.click("sandbox:own/floor_1:open")
    game.probe.wait_screen("level")
    game.wait("what was built", lambda: game.floor()["layout_hash"] == built["layout_hash"])
    game.picture("own_level")


@pytest.mark.long
def test_it_runs_without_a_goal_and_is_deleted_after_two_presses(game: Player) -> None:
    game.click("time:start")
    game.wait("the clock", lambda: game.now_ps() > 0)
    game.click("time:title")
    game.click("title:sandbox")
    game.probe.wait_screen("sandbox")
    game.wait("its first page", lambda: says(game).get("page") == "floor")
    game.click("sandbox:page_own")
    game.click("sandbox:own/floor_1:delete")
    game.wait("a question", lambda: game.words()["lines"]["own/floor_1"][1] != "")
    game.click("sandbox:own/floor_1:delete")
    game.wait("it to be gone", lambda: game.words()["lines"] == {})


@pytest.mark.long
def test_a_pad_alone_chooses_a_page_and_builds(tmp_path: Path) -> None:
    with playing(tmp_path, None) as game:  # which ends without a script's error
        game.click("title:sandbox")
        game.probe.wait_screen("sandbox")
        for button in ("Up", "Right", "A"):
            game.pad.press(button)
        game.wait("the page about serving", lambda: says(game)["page"] == "serving")
        for _ in range(14):
            game.pad.press("Down")
        game.pad.press("A")
        game.probe.wait_screen("level")
