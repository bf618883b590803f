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

from engine.level.load import campaign, load
from tools.autoplay import HASTE

pytestmark = [pytest.mark.godot, pytest.mark.follows]

MOST_TOUCHES = 60
MOST_LETTERS = 140
RUN_S = 240.0
ON_FLOOR = re.compile("(tile|belt|move|machine|remove):")
PRESS_S = 0.3


class Learner:
    """Does what the tutorial leads to, and nothing else."""

    def __init__(self, player: Player, folder: Path) -> None:
        self.player = player
        self.folder = folder
        self.last = ""
        self.steps: list[str] = []
        self.texts: dict[str, str] = {}
        self.pages: list[list[str]] = []

    def told(self) -> dict[str, Any]:
        self.player.probe.refresh()
        return self.player.probe.last("tutorial") or {"step": -1, "target": "", "said": []}

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
        if ON_FLOOR.match(target):
            player.settle()  # the view may be gliding there
        places = [player.tile(x, y) for x, y in told["tiles"]]
        if ON_FLOOR.match(target) and not places:
            return  # the floor has just changed
        if not target.startswith("time:"):
            assert (player.probe.last("time") or {}).get("speed", 1) == 1, "nobody has to build in a hurry"
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
                if target.startswith(("details:", "setting:")) and target != self.last:
                    player.settle()  # the panel has just been filled
                self.last = target
                player.click(target)
                if target == "details:codex":
                    self.pages.append(player.probe.panel("codex"))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Learner]:
    """Level 1, on a computer where a file is broken."""
    folder = tmp_path_factory.mktemp("learning")
    (user_folder(folder) / "attempts.json").write_text("{broken", "utf-8")
    with playing(folder, 1, options=HASTE) as player:
        yield Learner(player, folder)


def wait_said(learner: Learner, *parts: str) -> list[str]:
    """Wait until the corner says all of this; what it says."""
    player = learner.player
    player.wait(f"{parts} in the corner; {learner.told()}", lambda: set(parts) <= set(learner.told()["said"]))
    return list(learner.told()["said"])


# The tests of level 1 follow each other in one game, as a player's actions do.


def test_what_could_not_be_read_is_said(first: Learner) -> None:
    first.player.wait_said("notes", "attempts.json could not be read. It is kept as attempts.broken-1.json")
    first.player.settle()
    first.player.click("notes:seen")
    first.player.wait("the floor alone", lambda: first.player.words()["notes"] == "")


def test_keys_alone_answer_the_questions_before_the_first_start(first: Learner) -> None:
    wait_said(first, "Your guess", "1 of 2")
    hand = first.player.hand
    hand.move((640, 300))
    for key in ("shift+F6", "Down", "Return"):
        hand.key(key)
    wait_said(first, "2 of 2")
    hand.key("Return")
    wait_said(first, "1 of 12")


def test_hints_come_one_after_another(first: Learner) -> None:
    first.player.click("lesson:hint")
    wait_said(first, "Hint 1 of 3", "Which of the two kinds of work makes the other wait?")
    first.player.click("lesson:hint")
    wait_said(first, "Hint 2 of 3")
    first.player.settle()
    first.player.click("lesson:other")
    wait_said(first, "1 of 12")


def test_the_tutorial_is_put_aside_and_brought_back(first: Learner) -> None:
    player = first.player
    player.settle()
    player.click("lesson:other")
    player.wait("no target", lambda: first.told()["target"] == "")
    player.settle()
    player.click("lesson:other")
    player.wait("the target again", lambda: first.told()["target"] == "tool:prefill_core")


def test_a_figure_of_the_bar_has_a_page_in_the_codex_and_the_list_has_all(first: Learner) -> None:
    player = first.player
    player.click("goal.ttft_p95")
    player.probe.panel("codex", "from a request’s arrival until its first token is delivered")
    player.click("codex:all")
    player.probe.panel("codex", "Token Dock")
    player.settle()
    player.click("codex:link")
    player.probe.panel("codex", "512 MiB")
    player.hand.key("e")


@pytest.mark.long
def test_the_tutorial_of_level_1_is_followed_by_its_targets_and_wins(first: Learner) -> None:
    follow_and_win(first, 1)
    (page,) = first.pages
    assert "Decode Core" in page
    assert any(re.fullmatch(r"\d+\.\d ms", text) for text in page), page


@pytest.mark.long
@pytest.mark.parametrize("level", [level.number for level in campaign()][1:])
def test_the_tutorials_of_the_other_levels_win_them(level: int, tmp_path: Path) -> None:
    with playing(tmp_path, level, options=HASTE) as player:
        learner = Learner(player, tmp_path)
        asked = load(str(level)).questions
        for place, question in enumerate(asked):
            wait_said(learner, f"{place + 1} of {len(asked)}")
            player.click(f"question:{(question.right + 1) % question.answers}")  # wrong, to learn something
        follow_and_win(learner, level)


def follow_and_win(learner: Learner, level: int) -> None:
    """Follow the tutorial to its end, and answer the questions again."""
    player = learner.player
    learner.follow()
    result = player.probe.wait("the result", lambda: player.probe.last("result"), RUN_S)
    assert result["passed"], result
    needed = [step.id for step in load(str(level)).tutorial]
    assert [id for id in needed if id in learner.steps] == learner.steps, "in their order"
    for text in learner.texts.values():
        assert len(text) <= MOST_LETTERS
        assert not re.search("[{}]", text), text
    asked = load(str(level)).questions
    for place, question in enumerate(asked):
        wait_said(learner, "And now?", f"{place + 1} of {len(asked)}")
        player.click(f"question:{question.right}")
    changes = wait_said(learner, "What you learned")[2:]
    assert len(changes) == len(asked)
    assert all(change.startswith("Learned: ") for change in changes), changes
    player.click("result:share")
    player.click("share:answers")
    player.wait("the path", lambda: any("answers.csv" in str(text) for text in player.words()["result"]))
    rows = list(csv.DictReader((user_folder(learner.folder) / "answers.csv").read_text("utf-8-sig").splitlines()))
    assert [row["correct"] for row in rows if row["when"] == "before"] == ["no"] * len(asked)
    assert [row["correct"] for row in rows if row["when"] == "after"] == ["yes"] * len(asked)
