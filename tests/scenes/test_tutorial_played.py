"""The tutorial of each level, followed to its end in the real window by somebody who knows nothing but the targets that
its steps carry; the codex, opened from a machine; and predictions, asked for before the level and after it.
"""

import csv
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from player import Player, playing, user_folder

from engine.level.load import load
from tools.autoplay import HASTE

pytestmark = pytest.mark.godot

MOST_TOUCHES = 60
MOST_LETTERS = 140
RUN_S = 240.0
PRESS_S = 0.6


class Learner:
    """Does what the tutorial leads to, and nothing else."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.steps: list[str] = []
        self.texts: dict[str, str] = {}
        self.pages: list[list[str]] = []

    def told(self) -> dict[str, Any]:
        self.player.probe.refresh()
        return self.player.probe.last("tutorial") or {"step": -1}

    def follow(self) -> None:
        """Until there is nothing more to do, or the level has ended."""
        for _ in range(MOST_TOUCHES):
            told = self.told()
            if told["step"] == 0:
                return
            if told["id"] not in self.steps:
                self.steps.append(told["id"])
            self.texts[told["id"]] = told["text"]
            if told["target"]:
                self.touch(told)
            if told["target"].startswith("setting:"):
                time.sleep(PRESS_S)  # perhaps it has to be pressed again
            else:
                self.wait_other(told)
        raise AssertionError(f"the tutorial does not end: {self.steps}, {self.told()}")

    def wait_other(self, before: dict[str, Any]) -> None:
        seen = before["step"], before["target"]

        def other() -> dict[str, Any] | None:
            told = self.told()
            return told if (told["step"], told["target"]) != seen else None

        self.player.probe.wait(f"what comes after {seen}", other, RUN_S)

    def touch(self, told: dict[str, Any]) -> None:
        player, target = self.player, told["target"]
        places = [player.tile(x, y) for x, y in told["tiles"]]
        match target.partition(":")[0]:
            case "tile":
                for _ in range(int(target.split(",")[2])):
                    player.hand.key("r")
                player.hand.click(places[0])
            case "belt":
                ends = [[int(number) for number in end.split(",")] for end in target.partition(":")[2].split(">")]
                player.hand.drag([player.tile(*end) for end in ends])
            case "move":
                player.hand.drag(places)
            case "machine" | "remove":
                player.hand.click(places[0])
            case _:
                if target.startswith(("details:", "setting:")):
                    player.settle()  # the panel has just been filled
                player.click(target)
                if target == "details:codex":
                    self.pages.append(player.probe.panel("codex"))


@pytest.fixture
def learner(level: int, tmp_path: Path) -> Iterator[Learner]:
    with playing(tmp_path, level, options=HASTE) as player:
        player.probe.target("question:0")
        yield Learner(player)


@pytest.mark.parametrize("level", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)])
def test_the_tutorial_is_followed_by_its_targets_and_wins_the_level(
    learner: Learner, level: int, tmp_path: Path
) -> None:
    player = learner.player
    asked = load(str(level)).questions
    for place, _ in enumerate(asked):
        player.wait("the next question", lambda place=place: f"{place + 1} of {len(asked)}" in learner.told()["said"])
        player.click("question:0")
    learner.follow()
    result = player.probe.wait("the result", lambda: player.probe.last("result"), RUN_S)
    assert result["passed"], result
    needed = [step.id for step in load(str(level)).tutorial]
    assert [id for id in needed if id in learner.steps] == learner.steps, "in their order"
    for text in learner.texts.values():
        assert len(text) <= MOST_LETTERS
        assert not re.search("[{}]", text), text
    for page in learner.pages:
        assert "Decode Core" in page
        assert any(re.fullmatch(r"\d+\.\d ms", text) for text in page), page
    for place, question in enumerate(asked):
        player.wait("to be asked again", lambda place=place: f"{place + 1} of {len(asked)}" in learner.told()["said"])
        player.click(f"question:{question.right}")
    player.wait("what was learned", lambda: "What you learned" in learner.told()["said"])
    changes = learner.told()["said"][2:]
    assert len(changes) == len(asked)
    assert all(change.startswith("Learned: ") for change in changes), changes
    player.click("result:share")
    player.click("share:answers")
    player.wait("the path", lambda: any("answers.csv" in str(text) for text in player.words()["result"]))
    rows = list(csv.DictReader((user_folder(tmp_path) / "answers.csv").read_text("utf-8-sig").splitlines()))
    assert [row["correct"] for row in rows if row["when"] == "before"] == ["no"] * len(asked)
    assert [row["correct"] for row in rows if row["when"] == "after"] == ["yes"] * len(asked)
