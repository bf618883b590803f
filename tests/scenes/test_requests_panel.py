"""Requests and memory in the real window: a packet or a line is clicked and tells where its time went, and the map of a
card's memory changes with a Page Allocator.
"""

import json
import re
from collections.abc import Iterator

import pytest

from engine.floor.blueprint import to_text
from engine.floor.layout import layout_from_data
from engine.level.load import load
from tests.scenes.player import Player, playing, user_folder

pytestmark = pytest.mark.godot

LEVEL = load("2")
assert LEVEL.naive is not None
WAY_IN, HAND_OFF, WAY_OUT = LEVEL.naive["belts"]
CORES = layout_from_data({**LEVEL.naive, "belts": [HAND_OFF]})
DECODE_CORE, ON_WAY_OUT, ALLOCATOR = (6, 4), (8, 4), (8, 6)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Level 2 without a Page Allocator, its cores pasted from the library."""
    folder = tmp_path_factory.mktemp("requests")
    library = {"version": 1, "blueprints": [{"name": "Cores", "text": to_text(CORES)}]}
    (user_folder(folder) / "blueprints.json").write_text(json.dumps(library), "utf-8")
    with playing(folder, LEVEL.number) as player:
        player.hand.move(player.tile(5, 6))
        player.hand.key("b")
        player.wait("the library", lambda: len(player.words()["library"]) == 1)
        player.settle()
        player.click("blueprint:0:use")
        player.hand.move(player.tile(4, 2))
        player.wait_said("note", "Click to paste")
        player.settle()  # the library has closed: the floor gets its place
        player.change(lambda: player.hand.click(player.tile(4, 2)))
        player.click("tool:belt")
        for belt in (WAY_IN, WAY_OUT):
            end = belt["to"]["x"], belt["to"]["y"]
            way = [player.tile(x, y) for x, y in (*belt["tiles"], end)]
            player.change(lambda way=way: player.hand.drag(way))
        player.hand.key("Escape")
        yield player


def request_of(texts: list[str]) -> int:
    """The request that a panel shows in detail."""
    (title,) = (text for text in texts if text.startswith("Request "))
    return int(title.split()[1])


def check_waterfall(texts: list[str]) -> None:
    """Its causes have shares that add up, rounding aside."""
    causes = texts[next(index for index, text in enumerate(texts) if text.startswith("Where its time went")) + 1 :]
    shares = [int(re.fullmatch(r".* (\d+) %", text).group(1)) for text in causes]  # type: ignore[union-attr]
    assert abs(sum(shares) - 100) <= len(shares)


# The tests follow each other in one game, as a player's actions do.


def test_the_panel_lists_requests_under_way(game: Player) -> None:
    game.click("time:start")
    game.click("time:8")
    game.hand.key("t")
    texts = game.probe.panel("requests", "1 decode")
    assert texts[0].startswith("REQUESTS UNDER WAY")
    assert any(text.startswith("Click a packet") for text in texts)


def test_a_line_tells_where_its_time_went(game: Player) -> None:
    game.hand.key("space")
    game.click("request:1")
    texts = game.probe.panel("requests", "Request 1")
    assert {"Prefill", "Weights", "KV reads", "Link"} <= {text.rsplit(" ", 4)[0] for text in texts}
    assert any(text.startswith("TTFT ") and text.endswith(" s") for text in texts)
    assert "Where Decode Core · B" in texts
    check_waterfall(texts)


def test_keys_go_through_the_list(game: Player) -> None:
    texts = game.probe.panel("requests")
    lines = sum("/" in text for text in texts)
    game.hand.key("n")
    game.probe.panel("requests", "Request 2" if lines > 1 else "Request 1")
    game.hand.key("p")
    game.probe.panel("requests", "Request 1")


def test_a_click_on_a_packet_opens_its_request(game: Player) -> None:
    game.hand.key("t")
    game.probe.panel("")
    game.hand.click(game.tile(*ON_WAY_OUT))  # tokens stand closely on the way to the dock
    texts = game.probe.panel("requests", "Request ")
    check_waterfall(texts)
    assert "decode" in texts or "done" in texts


def test_the_map_of_memory_shows_pieces_and_a_click_picks_their_request(game: Player) -> None:
    game.hand.key("m")
    texts = game.probe.panel("memory", "in pieces of 3,072 tokens")
    assert sum("in pieces of" in text for text in texts) == 2
    assert sum(text.startswith("Lost ") and not text.endswith(" 0 %") for text in texts) == 2
    game.probe.target("memory:1")
    x, y, wide, high = game.probe.targets()["memory:1"]
    for _ in range(2):  # the second click on what is picked opens its waterfall
        game.hand.click((x + wide * 0.02, y + high * 0.5))
    assert request_of(game.probe.panel("requests", "Request ")) >= 1


def test_with_a_page_allocator_the_map_shows_blocks(game: Player) -> None:
    game.hand.key("m")
    game.click("tool:page_allocator")
    game.hand.click(game.tile(*ALLOCATOR))
    game.hand.key("Escape")
    texts = game.probe.panel("memory", "in 483 blocks of 16 tokens")
    assert sum("in pieces of" in text for text in texts) == 1
    game.hand.key("space")
    game.probe.panel("memory", "In use")


def test_a_machine_lists_its_requests_and_a_click_picks_one(game: Player) -> None:
    game.hand.key("e")
    game.hand.click(game.tile(*DECODE_CORE))
    texts = game.probe.panel("details", "Request ")
    id = request_of(texts[:1] + [text for text in texts if text.startswith("Request ")][:1])
    game.hand.key("space")
    game.settle()
    game.click(f"chip:{id}")
    assert request_of(game.probe.panel("requests", "Where its time went")) == id
