"""Calling the hooks of a mod's level in its worker, by the names that the game knows the level's texts by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import frozen

from engine.level.hooks import HookCaller
from engine.level.spec import Level
from engine.mods.runner import WorkerHooks
from engine.mods.texts import of_mod, owner


@frozen
class ModCallers:
    """Starts a worker that calls a level's hooks. Plain data, so that it can go to another process."""

    folder: Path
    script: str
    scratch: Path
    """A folder that there is."""

    def __call__(self, level: Level) -> HookCaller | None:
        """None for a level without hooks."""
        return ModHooks(level.id, WorkerHooks(self.folder, self.script, self.scratch)) if level.hooks else None


class ModHooks:
    """A `HookCaller`. A script says `message.steady.broken`; in the game, that is `message.<mod>/steady.broken`."""

    def __init__(self, level: str, worker: HookCaller) -> None:
        self._mod, _, self._level = level.rpartition("/")
        self._worker = worker

    def ask(self, calls: list[dict[str, Any]]) -> None:
        """Begin to call hooks."""
        self._worker.ask(calls)

    def answer(self) -> list[dict[str, Any]] | None:
        """None: not yet."""
        answers = self._worker.answer()
        for answer in answers or []:
            for effect in answer.get("effects", []):
                code = effect.get("text")
                if self._mod and isinstance(code, str) and owner(code) == self._level:
                    effect["text"] = of_mod(code, self._mod)
        return answers

    def close(self) -> None:
        """Nobody will ask again."""
        self._worker.close()
