"""The player's folder across the bridge: attempts, stars and answers kept on this computer, and the results that show
them. No part of a game's record.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine.errors import EngineError
from engine.level.load import campaign
from engine.player.player import AFTER, BEFORE, Player, checked_date
from engine.protocol.commands import read_fields
from engine.protocol.mods import Mods
from engine.protocol.sandbox import Sandbox
from engine.results.attempts import attempt_of
from engine.results.results import results
from engine.simulation import ENDED, Simulation


@frozen
class _PlayerFolder:
    folder: str


@frozen
class _AttemptKeep:
    date: str


@frozen
class _Answer:
    question: str
    when: str
    choice: int
    date: str


@frozen
class _Nothing:
    pass


COMMANDS: dict[str, type[Any]] = {
    "player_folder": _PlayerFolder,
    "attempt_keep": _AttemptKeep,
    "answer": _Answer,
    "answers_export": _Nothing,
}
QUESTIONS = ("results", "questions", "progress")


class Keeping:
    """Holds the player, once the host has named a folder."""

    def __init__(self, mods: Mods | None = None, sandbox: Sandbox | None = None) -> None:
        self.player: Player | None = None
        self._mods = mods or Mods()
        self._sandbox = sandbox or Sandbox(lambda: None)

    def command(
        self, name: str, fields: dict[str, Any], simulation: Simulation | None, borrowed: bool = False
    ) -> dict[str, Any]:
        """Give a command of `COMMANDS`. `borrowed`: somebody else has played this run, so it is no attempt."""
        wanted = read_fields(fields, COMMANDS[name])
        if isinstance(wanted, _PlayerFolder):
            self.player = Player(wanted.folder)
            notes = [*self.player.notes, *self._mods.folder(self.player.folder)]
            return {"notes": [{"code": code, "params": params} for code, params in notes]}
        player = self._player()
        if isinstance(wanted, _Nothing):
            return {"path": str(player.export()), "answers": len(player.answers)}
        if simulation is None:
            raise EngineError("level.none_open")
        if isinstance(wanted, _Answer):
            kept = player.answer(simulation.level, wanted.question, wanted.when, wanted.choice, wanted.date)
            return {"correct": kept.choice == kept.right if kept.when == AFTER else None}
        if simulation.phase != ENDED:
            raise EngineError("run.not_ended")
        attempt = attempt_of(simulation, checked_date(wanted.date))
        new = [] if borrowed or not simulation.level.goals else player.keep(attempt)
        return {"new": new, "stars": player.stars.get(simulation.level.id, [])}

    def ask(self, name: str, fields: dict[str, Any], simulation: Simulation | None) -> dict[str, Any]:
        """Answer a question of `QUESTIONS`."""
        read_fields(fields, _Nothing)
        if name == "progress":
            return self._progress()
        if simulation is None:
            raise EngineError("level.none_open")
        if name == "questions":
            return self._questions(simulation)
        return results(simulation, [] if self.player is None else self.player.attempts)

    def _player(self) -> Player:
        if self.player is None:
            raise EngineError("player.none")
        return self.player

    def _progress(self) -> dict[str, Any]:
        """Each level of the campaign, of the player and of mods with the stars ever reached."""
        player = self.player
        levels: list[dict[str, Any]] = [{"number": level.number, "id": level.id} for level in campaign()]
        levels += self._sandbox.levels()
        levels += self._mods.levels()
        for told in levels:
            told["stars"] = [] if player is None else player.stars.get(told["id"], [])
            told["attempts"] = 0 if player is None else sum(one.level == told["id"] for one in player.attempts)
        return {"levels": levels}

    def _questions(self, simulation: Simulation) -> dict[str, Any]:
        """The level's questions, what was answered, and, once answered after the level, what is right."""
        level, told = simulation.level, []
        for question in level.questions:
            code = f"question.{level.id}.{question.id}"
            before, after = (
                None if self.player is None else self.player.chosen(level.id, question.id, when)
                for when in (BEFORE, AFTER)
            )
            told.append(
                {
                    "id": question.id,
                    "code": code,
                    "answers": [f"{code}.{chr(ord('a') + place)}" for place in range(question.answers)],
                    "before": before,
                    "after": after,
                    "right": question.right if after is not None else None,
                }
            )
        return {"questions": told}
