"""The tutorial of each level, followed by a player who knows nothing but the targets that its steps carry."""

from typing import Any

import msgpack
import pytest
from factories import LEVELS

from engine.cli.words import words
from engine.codex.figures import FIGURES
from engine.level.load import campaign
from engine.level.spec import Level
from engine.protocol.session import Session

TAUGHT = [level for level in campaign() if level.number <= 5]


class Player:
    """Does what a target says, by the questions and commands of the protocol."""

    def __init__(self, level: Level) -> None:
        self.session, self.level = Session(), level
        self.facts: set[str] = set()
        self.hand = ""
        self.steps: list[str] = []
        self.give(do="open", level=str(level.number), seed=1)

    def give(self, **message: Any) -> dict[str, Any]:
        answer = msgpack.unpackb(self.session.command(msgpack.packb({"v": 1, **message})))
        assert answer["ok"], (message, answer)
        return dict(answer)

    def ask(self, **message: Any) -> dict[str, Any]:
        answer = msgpack.unpackb(self.session.ask(msgpack.packb({"v": 1, **message})))
        assert answer["ok"], (message, answer)
        return dict(answer)

    def step(self) -> dict[str, Any]:
        facts = sorted(self.facts | ({f"tool:{self.hand}"} if self.hand else set()))
        return self.ask(ask="tutorial", facts=facts)

    def follow(self, most: int = 400) -> None:
        """Until the tutorial says that it is done."""
        for _ in range(most):
            step = self.step()
            if step["done"]:
                return
            if self.steps[-1:] != [step["id"]]:
                self.steps.append(step["id"])
            self.touch(step["target"])
        raise AssertionError(f"the tutorial does not end: {self.steps}, {step}")

    def touch(self, target: str) -> None:
        subject, _, what = target.partition(":")
        match subject:
            case "tool":
                self.hand = what
            case "tile":
                x, y, rot = (int(part) for part in what.split(","))
                self.give(do="place", kind=self.hand, x=x, y=y, rot=rot)
                self.hand = ""
            case "belt":
                ends = [[int(part) for part in end.split(",")] for end in what.split(">")]
                route = self.ask(ask="route", **{"from": ends[0], "to": ends[1]})
                self.give(do="connect", tiles=route["tiles"], **{"from": route["from"], "to": route["to"]})
                self.hand = ""
            case "move":
                id, place = what.split(">")
                x, y, rot = (int(part) for part in place.split(","))
                self.give(do="move", id=int(id), x=x, y=y, rot=rot)
            case "remove":
                self.give(do="remove", ids=[int(what)])
            case "machine":
                self.facts.add(f"selected:{self.ask(ask='machine', id=int(what))['kind']}")
            case "setting":
                id, name, value = what.split(",")
                self.give(do="set", id=int(id), name=name, value=int(value))
            case "panel" | "codex":
                self.facts.add(target)
            case "time":
                self.time(what)
            case _:
                raise AssertionError(target)

    def time(self, what: str) -> None:
        if what == "run":
            self.session.step(20.0)
        else:
            self.give(do=what)

    @property
    def passed(self) -> bool:
        assert self.session.simulation is not None
        return self.session.simulation.passed


@pytest.mark.parametrize("level", TAUGHT, ids=lambda level: level.id)
def test_the_tutorial_of_each_level_wins_it(level: Level) -> None:
    player = Player(level)
    player.follow()
    assert player.passed
    told = list(dict.fromkeys(player.steps))
    needed = [step.id for step in level.tutorial]
    assert [id for id in needed if id in told] == [id for id in told if id in needed], "in their order"
    assert len(set(needed) - set(told)) <= 2, "nearly all of them were needed"


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_a_factory_that_stands_needs_no_steps_to_build_it(level: Level) -> None:
    player = Player(level)
    player.give(do="layout", layout=level.reference)
    player.follow()
    assert player.passed
    built = {"prefill", "line", "draft", "gate", "pages", "crash", "handoff", "server", "batcher", "chunker", "size"}
    assert not built & set(player.steps)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_what_is_undone_comes_back_as_a_step(level: Level) -> None:
    player = Player(level)
    ids: list[str] = []
    for _ in range(60):
        step = player.step()
        if not ids or ids[-1] != step["id"]:
            ids.append(step["id"])
        if step["target"].startswith(("time", "panel", "machine")):
            break
        before = player.step()
        player.touch(step["target"])
        if step["target"].startswith(("tile", "belt")):
            after = player.step()
            player.give(do="undo")
            assert player.step()["id"] == before["id"]
            player.give(do="redo")
            assert player.step() == after
    player.follow()
    assert player.passed


def test_a_mirrored_factory_is_as_good_for_the_tutorial() -> None:
    """Prefill on the card where the tutorial would have put decode."""
    player = Player(LEVELS[0])
    player.give(do="place", kind="prefill_core", x=6, y=4, rot=0)
    assert player.step()["id"] == "prompts"
    player.follow()
    assert player.passed
    assert "decode" in player.steps


def test_a_core_on_the_wrong_card_is_led_to_the_other() -> None:
    player = Player(LEVELS[0])
    for x in (3, 5):
        player.give(do="place", kind="decode_core", x=x, y=3, rot=0)
    player.follow()
    assert player.passed


def test_a_prefill_core_too_many_is_taken_away() -> None:
    """On each card one: no card is left for the answers."""
    player = Player(LEVELS[0])
    for x, y in ((3, 1), (6, 4)):
        player.give(do="place", kind="prefill_core", x=x, y=y, rot=0)
    player.follow()
    assert player.passed


def test_machines_in_each_others_way_are_brought_to_good_places() -> None:
    player = Player(LEVELS[2])
    player.give(do="place", kind="prefill_core", x=7, y=4, rot=1)
    player.follow()
    assert player.passed


def test_the_player_is_led_back_after_a_lost_run() -> None:
    player = Player(LEVELS[0])
    player.give(do="layout", layout=LEVELS[0].naive)
    player.give(do="start")
    player.session.step(240.0)
    assert not player.passed
    player.follow()
    assert player.passed


def test_what_the_view_tells_is_limited() -> None:
    session = Player(LEVELS[0]).session
    for facts in (["x" * 81], ["x"] * 201, [7]):
        answer = msgpack.unpackb(session.ask(msgpack.packb({"v": 1, "ask": "tutorial", "facts": facts})))
        assert answer["code"] == "message.malformed"


@pytest.mark.parametrize("level", TAUGHT, ids=lambda level: level.id)
def test_every_text_of_a_level_is_there_short_and_names_only_its_figures(level: Level) -> None:
    texts = {f"tutorial.{level.id}.{step.id}": step.params for step in level.tutorial}
    texts |= {f"hint.{level.id}.{number}": [] for number in range(1, level.hints + 1)}
    for question in level.questions:
        texts[f"question.{level.id}.{question.id}"] = []
        texts |= {f"question.{level.id}.{question.id}.{'abcdef'[place]}": [] for place in range(question.answers)}
        assert 0 <= question.right < question.answers
    for code, params in texts.items():
        text = words(code, dict.fromkeys(params, "1.1 s"))
        assert not text.startswith(code), code
        assert len(text) <= 150, (code, len(text))
        assert set(params) <= set(FIGURES)


@pytest.mark.parametrize("level", TAUGHT, ids=lambda level: level.id)
def test_hints_come_in_three_steps(level: Level) -> None:
    player = Player(level)
    assert [player.ask(ask="hint", step=step)["code"] for step in (1, 2, 3)] == [
        f"hint.{level.id}.{step}" for step in (1, 2, 3)
    ]
    answer = msgpack.unpackb(player.session.ask(msgpack.packb({"v": 1, "ask": "hint", "step": 4})))
    assert (answer["code"], answer["params"]) == ("hint.none", {"most": 3})
