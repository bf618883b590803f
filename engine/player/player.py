"""A player's attempts, stars and answers, in a folder that the host names."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

from attrs import frozen

from engine.errors import EngineError
from engine.level.spec import Level
from engine.player.json_file import JsonFile, ListFile
from engine.player.whole_file import locked, sweep, write_whole
from engine.results.attempts import Attempt
from engine.results.stars import COST, GOAL, LATENCY

VERSION = 1
MOST_ATTEMPTS, MOST_STARS, MOST_ANSWERS = 2_000, 1_000, 10_000
BEFORE, AFTER = "before", "after"
STAR_NAMES = (GOAL, LATENCY, COST)
CSV_NAME = "answers.csv"
SAVES = "saves"
"""The folder of saved games in a player's folder."""
_HEADER = ("level", "question", "when", "answer", "right", "correct", "date")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@frozen
class LevelStars:
    """The stars that were ever reached in a level."""

    level: str
    stars: list[str]


@frozen
class Answer:
    """What was chosen of a question's answers, before the level or after it."""

    level: str
    question: str
    when: str
    choice: int
    right: int
    date: str


class Player:
    """What is kept; each change is written at once."""

    def __init__(self, folder: str) -> None:
        path = Path(folder)
        try:
            if not path.is_absolute():
                raise EngineError("player.folder", folder=folder[:200], detail="no absolute path")
            path.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise EngineError("player.folder", folder=folder[:200], detail=str(error)[:200]) from error
        self.folder = path
        for each in (path, path / SAVES):
            sweep(each)
        self._attempts_file = ListFile(JsonFile(path, "attempts", VERSION), Attempt, MOST_ATTEMPTS)
        self._stars_file = ListFile(JsonFile(path, "stars", VERSION), LevelStars, MOST_STARS)
        self._answers_file = ListFile(JsonFile(path, "answers", VERSION), Answer, MOST_ANSWERS)
        self.attempts = self._attempts_file.read()
        self.stars = {one.level: one.stars for one in self._stars_file.read()}
        self.answers = self._answers_file.read()

    @property
    def notes(self) -> list[tuple[str, dict[str, Any]]]:
        """What the player should know about the files: code and parameters."""
        files = (self._attempts_file, self._stars_file, self._answers_file)
        return [note for each in files for note in each.file.notes]

    def keep(self, attempt: Attempt) -> list[str]:
        """Keep an attempt, once for the same run; the stars that it is the first to reach."""
        had = self.stars.get(attempt.level, [])

        def with_attempt(attempts: list[Attempt]) -> list[Attempt]:
            known = any(one.run == attempt.run and one.level == attempt.level for one in attempts)
            return attempts if known else [*attempts, attempt]

        def with_stars(kept: list[LevelStars]) -> list[LevelStars]:
            reached = {one.level: one.stars for one in kept}
            names = {*attempt.stars, *reached.get(attempt.level, [])}
            if names:
                reached[attempt.level] = [name for name in STAR_NAMES if name in names]
            return [LevelStars(level, stars) for level, stars in reached.items()]

        self.attempts = self._attempts_file.change(with_attempt)
        self.stars = {one.level: one.stars for one in self._stars_file.change(with_stars)}
        return [name for name in attempt.stars if name not in had]

    def answer(self, level: Level, question: str, when: str, choice: int, date: str) -> Answer:
        """Keep an answer; a later one to the same question takes its place."""
        asked = next((one for one in level.questions if one.id == question), None)
        if asked is None:
            raise EngineError("question.unknown", level=level.id, question=question[:40])
        if when not in (BEFORE, AFTER) or not 0 <= choice < asked.answers:
            raise EngineError("question.answer", most=asked.answers - 1)
        answer = Answer(level.id, question, when, choice, asked.right, checked_date(date))
        key = level.id, question, when

        def with_answer(answers: list[Answer]) -> list[Answer]:
            return [*(one for one in answers if (one.level, one.question, one.when) != key), answer]

        self.answers = self._answers_file.change(with_answer)
        return answer

    def chosen(self, level: str, question: str, when: str) -> int | None:
        """What was answered; None for nothing yet."""
        for one in self.answers:
            if (one.level, one.question, one.when) == (level, question, when):
                return one.choice
        return None

    def answers_csv(self) -> str:
        """All answers as CSV, for a teacher: answers as a, b, c, ..."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(_HEADER)
        for one in self.answers:
            row = [one.level, one.question, one.when, _letter(one.choice), _letter(one.right)]
            writer.writerow([_cell(cell) for cell in [*row, "yes" if one.choice == one.right else "no", one.date]])
        return text.getvalue()

    def export(self) -> Path:
        """Write the answers beside the other files; where."""
        path = self.folder / CSV_NAME
        with locked(self.folder, path.name):
            write_whole(path, self.answers_csv().encode())
        return path


def checked_date(date: str) -> str:
    """A date as the host says it; EngineError unless it has the form YYYY-MM-DD."""
    if not _DATE.fullmatch(date):
        raise EngineError("message.malformed", detail="a date is YYYY-MM-DD")
    return date


def _letter(choice: int) -> str:
    return chr(ord("a") + choice)


def _cell(text: str) -> str:
    """A spreadsheet takes no cell for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
