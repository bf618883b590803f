"""The building tools in the real window: what mouse and keys do, and undone again to an equal layout."""

import base64
import json
import time
import zlib
from collections.abc import Iterator

import pytest

from engine.floor.blueprint import PREFIX, moved, to_text
from engine.floor.layout import Layout, PlacedMachine, layout_from_data, layout_hash
from tests.scenes.player import Player, playing, user_folder
from tools.paths import ROOT

pytestmark = pytest.mark.godot

LEVEL = 3  # whose card has its upper corner at (3, 1); docks at (0, 1) and (10, 5)
PAIR = layout_from_data(
    {
        "version": 1,
        "machines": [
            {"kind": "prefill_core", "x": 0, "y": 0},
            {"kind": "decode_core", "x": 3, "y": 2, "settings": {"max_num_seqs": 3}},
        ],
        "belts": [
            {
                "tiles": [[2, 0], [2, 1], [2, 2]],
                "from": {"x": 0, "y": 0, "port": "e"},
                "to": {"x": 3, "y": 2, "port": "w"},
            }
        ],
    }
)
# As the level sets them, and as the pair does.
SETTINGS = {"prefill_core": {"max_num_batched_tokens": 2048}, "decode_core": {"max_num_seqs": 3}}


def packed(plain: bytes) -> str:
    return PREFIX + base64.b64encode(zlib.compress(plain, 9)).decode()


HOSTILE = {
    "a bomb": (packed(b" " * 50_000_000), "far too large"),
    "nesting": (packed(b"[" * 100_000), "cannot be read"),
    "no blueprint": ("print('hello')", PREFIX),
    "no text": ("", "no machine"),
    "cut off": (to_text(PAIR)[:40], "damaged"),
    "a kind of its own": (packed(b'{"version":1,"machines":[{"kind":"laser","x":0,"y":0}]}'), "laser"),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    folder = tmp_path_factory.mktemp("building")
    kept = [{"name": "Pair", "text": to_text(PAIR)}]
    kept += [{"name": name, "text": text} for name, (text, _) in HOSTILE.items()]
    library = {"version": 1, "blueprints": kept}
    (user_folder(folder) / "blueprints.json").write_text(json.dumps(library), "utf-8")
    with playing(folder, LEVEL) as player:
        player.layouts.append(layout_hash(Layout()))
        yield player


def keep(game: Player, name: str) -> None:
    """Keep a picture of what is shown, once it has been drawn."""
    time.sleep(0.2)
    game.display.picture(ROOT / "build" / "screens" / f"building_{name}.png")


# The tests follow each other on one floor, as a player's actions do.


def test_the_library_shows_what_is_kept_and_why_some_cannot_be_used(game: Player) -> None:
    game.hand.move(game.tile(5, 6))
    game.hand.key("b")
    game.wait("the library", lambda: len([row for row in game.words()["library"] if row[1]]) == 1 + len(HOSTILE))
    rows = dict(game.words()["library"])
    assert rows["Pair"] == "2 machines, 1 belt"
    for name, said in rows.items():
        assert name == "Pair" or HOSTILE[name][1] in said, name


def test_a_blueprint_of_the_library_is_pasted_with_its_settings(game: Player) -> None:
    game.settle()
    game.click("blueprint:0:use")
    game.hand.move(game.tile(9, 6))
    game.wait_said("note", "on one GPU")
    keep(game, "paste_refused")
    game.change(lambda: game.hand.click(game.tile(4, 2)))
    assert game.machines() == [["decode_core", 6, 3, 0], ["prefill_core", 3, 1, 0]]
    game.hand.key("b")
    game.settle()


def test_a_box_selects_and_delete_removes(game: Player) -> None:
    game.hand.drag([game.tile(2, 0), game.tile(7, 4)])
    game.wait_selected(2, 1)
    keep(game, "selection")
    game.change(lambda: game.hand.key("Delete"))
    assert game.machines() == []
    game.change(lambda: game.hand.key("ctrl+z"))
    game.wait_said("told", "Undone: + 2 machines, + 1 belt")
    assert game.layouts[-1] == game.layouts[-3]
    assert len(game.machines()) == 2
    del game.layouts[-2:]


def test_copy_and_paste_keep_the_settings(game: Player) -> None:
    game.hand.click(game.tile(6, 3))
    game.wait_selected(1, 0)
    game.hand.key("ctrl+c")
    game.hand.key("ctrl+v")
    game.change(lambda: game.hand.click(game.tile(8, 1)))
    assert ["decode_core", 8, 1, 0] in game.machines()


def test_the_pipette_takes_kind_rotation_and_settings(game: Player) -> None:
    game.hand.move(game.tile(8, 1))
    game.change(lambda: game.hand.key("r"))
    game.hand.key("c")
    game.change(lambda: game.hand.click(game.tile(5, 5)))
    built = [("prefill_core", 3, 1, 0), ("decode_core", 6, 3, 0), ("decode_core", 8, 1, 1), ("decode_core", 5, 5, 1)]
    placed = [PlacedMachine(*machine, SETTINGS[machine[0]]) for machine in built]
    assert game.layouts[-1] == layout_hash(Layout(placed, moved(PAIR, 3, 1).belts))
    game.hand.key("Escape")


def test_what_is_cut_comes_back_elsewhere(game: Player) -> None:
    game.change(lambda: game.hand.key("ctrl+x"))
    assert ["decode_core", 5, 5, 1] not in game.machines()
    game.hand.key("ctrl+v")
    game.change(lambda: game.hand.click(game.tile(8, 5)))
    assert ["decode_core", 8, 5, 1] in game.machines()


def test_a_machine_that_is_dragged_takes_its_belt_along(game: Player) -> None:
    floor = game.change(lambda: game.hand.drag([game.tile(6, 3), game.tile(7, 3)]))
    assert ["decode_core", 7, 3, 0] in game.machines()
    assert floor["belts"] == 1
    game.wait_said("told", "laid anew: 1")


def test_a_selection_is_dragged_together(game: Player) -> None:
    game.hand.click(game.tile(3, 1))
    game.hand.click(game.tile(7, 3), keys=["shift"])
    game.wait_selected(2, 1)
    floor = game.change(lambda: game.hand.drag([game.tile(3, 1), game.tile(3, 2)]))
    assert {("prefill_core", 3, 2, 0), ("decode_core", 7, 4, 0)} <= set(map(tuple, game.machines()))
    assert floor["belts"] == 1


def test_a_machine_is_replaced_in_its_place(game: Player) -> None:
    game.click("tool:validation_gate")
    game.hand.move(game.tile(8, 1))
    game.wait_said("note", "replace the Decode Core")
    keep(game, "replace")
    game.change(lambda: game.hand.click(game.tile(8, 1)))
    assert ["validation_gate", 8, 1, 1] in game.machines()


def test_a_belt_goes_over_way_points_that_are_taken_back(game: Player) -> None:
    game.hand.click(game.tile(5, 2), button=2)  # the pipette again: it takes the belt tool
    for tile in [(1, 1), (2, 0), (4, 0)]:
        game.hand.click(game.tile(*tile))
    game.wait_said("note", "Way points: 2")
    keep(game, "way_points")
    game.hand.key("BackSpace")
    game.wait_said("note", "Way points: 1")
    floor = game.change(lambda: game.hand.click(game.tile(3, 2)))
    assert floor["belts"] == 2


def test_a_belt_that_is_pressed_is_laid_anew(game: Player) -> None:
    game.hand.click(game.tile(2, 0))
    floor = game.change(lambda: game.hand.click(game.tile(3, 2)))
    assert floor["belts"] == 2
    assert game.layouts[-1] != game.layouts[-2]


def test_keys_alone_clear_a_box(game: Player) -> None:
    game.hand.move(game.tile(8, 6))
    game.hand.key("0")
    game.hand.key_down("Return")
    for key in ("Right", "Up", "Up"):
        game.hand.key(key)
    game.wait_said("note", "1 machine")
    keep(game, "remove_box")
    game.change(lambda: game.hand.key_up("Return"))
    assert ["decode_core", 8, 5, 1] not in game.machines()
    game.hand.key("Escape")


def test_everything_can_be_selected_and_removed(game: Player) -> None:
    game.hand.key("ctrl+a")
    game.wait_selected(3, 2)
    game.change(lambda: game.hand.key("BackSpace"))
    assert game.layouts[-1] == game.layouts[0]


def test_undo_and_redo_pass_through_equal_layouts(game: Player) -> None:
    layouts = list(game.layouts)
    assert len(layouts) > 12
    for expected in layouts[-2::-1]:
        assert game.change(lambda: game.hand.key("ctrl+z"))["layout_hash"] == expected
    assert game.floor()["undo"] == 0
    game.hand.key("ctrl+z")
    game.wait_said("told", "Nothing to undo")
    for index, expected in enumerate(layouts[1:]):
        key = "ctrl+y" if index % 2 else "ctrl+shift+z"
        assert game.change(lambda key=key: game.hand.key(key))["layout_hash"] == expected
    assert game.floor()["redo"] == 0


def test_a_selection_is_kept_by_name_and_its_text_comes_back(game: Player) -> None:
    for _ in range(2):
        game.change(lambda: game.click("edit:undo"))
    game.hand.click(game.tile(7, 4))
    game.click("selection:save")
    game.hand.key("ctrl+a")
    game.hand.type("Mine [1]")
    game.hand.key("Return")
    game.wait("it to be kept", lambda: game.words()["library"][0] == ["Mine [1]", "1 machine"])
    game.click("blueprint:0:rename")
    game.hand.key("ctrl+a")
    game.hand.type("Best")
    game.hand.key("Return")
    game.wait("its new name", lambda: game.words()["library"][0][0] == "Best")
    game.click("blueprint:0:copy")
    game.wait_said("told", "clipboard")
    game.click("blueprints:from_text")
    game.wait("its text to be kept", lambda: game.words()["library"][0][1] == "1 machine" != game.words()["library"][1])
    game.settle()
    game.click("blueprint:0:remove")
    game.wait_said("library", "Removed: Blueprint")
    keep(game, "library")
    game.click("blueprints:undo")
    game.wait("it to be back", lambda: len(game.words()["library"]) == 3 + len(HOSTILE))
