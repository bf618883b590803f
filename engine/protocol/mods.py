"""Mods across the bridge: which there are, how they stand, their texts, and what the player wants of them. No part of a
game's record.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from engine.errors import EngineError
from engine.level.hooks import HookCaller
from engine.level.spec import Level
from engine.mods.library import Entry, Library, told_in
from engine.mods.problem import shown
from engine.protocol.commands import read_fields
from engine.saves.header import SavedMod
from engine.simulation import Simulation


@frozen
class _Nothing:
    pass


@frozen
class _Mod:
    id: str


@frozen
class _Texts:
    language: str


COMMANDS: dict[str, type[Any]] = {
    "mods_reload": _Nothing,
    "mods_off": _Nothing,
    "mod_enable": _Mod,
    "mod_disable": _Mod,
    "mod_allow": _Mod,
}
QUESTIONS: dict[str, type[Any]] = {"mods": _Nothing, "texts": _Texts}
MOST_PROBLEMS = 100
"""Of a mod that are told."""


class Mods:
    """Holds the library of mods, once the host has named the player's folder."""

    def __init__(self) -> None:
        self.library: Library | None = None

    def folder(self, folder: Path) -> list[tuple[str, dict[str, Any]]]:
        """The player's folder is known: begin to load what is in it. What the player should know about his choices."""
        self.close()
        self.library = Library(folder)
        return self.library.notes

    def work(self, overdue: Callable[[], bool]) -> None:
        """Go on with loading, a piece at least."""
        if self.library is not None:
            self.library.work(overdue)

    def close(self) -> None:
        """The game ends in peace."""
        if self.library is not None:
            self.library.close()

    def level(self, key: str) -> Level | None:
        """A mod's level by `<mod>/<level>`; None for what is no such key."""
        parts = key.split("/")
        if len(parts) != 2 or not all(parts) or key.endswith(".py"):
            return None
        if self.library is None:
            raise EngineError("player.none")
        return self.library.level(key)

    def callers(self, level: Level) -> HookCaller | None:
        """Who calls the hooks of a mod's level, in a worker."""
        callers = self.library.callers(level) if self.library is not None and level.hooks else None
        return callers(level) if callers is not None else None

    def called(self, level: Level) -> bool:
        """Whether somebody would call the hooks of a level, if it has any."""
        known = self.library is not None and self.library.callers(level) is not None
        return not level.hooks or known or all(hook.do is not None for hook in level.hooks)

    def saved(self, key: str) -> list[SavedMod]:
        """The mods that a level comes from, as a save names them."""
        return [] if self.library is None else [SavedMod(*each) for each in self.library.saved(key)]

    def opened(self, level: str) -> None:
        """A level is open now: what it does to the game is its mod's doing."""
        if self.library is not None:
            self.library.opened(level)

    def command(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Give a command of `COMMANDS`."""
        wanted = read_fields(fields, COMMANDS[name])
        if self.library is None:
            raise EngineError("player.none")
        match name:
            case "mods_reload":
                self.library.reload()
            case "mods_off":
                self.library.off()
            case "mod_enable":
                self.library.enable(wanted.id)
            case "mod_disable":
                self.library.disable(wanted.id)
            case "mod_allow":
                self.library.allow(wanted.id)
        return {}

    def ask(
        self,
        name: str,
        fields: dict[str, Any],
        simulation: Simulation | None,
        others: Callable[[str], dict[str, str]] = lambda language: {},
    ) -> dict[str, Any]:
        """Answer a question of `QUESTIONS`. `others`: texts of levels that are no mod's, in a language."""
        wanted = read_fields(fields, QUESTIONS[name])
        library = self.library
        if name == "texts":
            texts = {} if library is None else library.texts(wanted.language)
            own = {} if simulation is None else told_in(simulation.level, wanted.language)
            return {"texts": {**others(wanted.language), **texts, **own}}
        if library is None:
            return {"folder": "", "loading": False, "mods": []}
        told = [_told(entry) for entry in library.entries()]
        return {"folder": str(library.folder), "loading": library.loading, "mods": told}

    def levels(self) -> list[dict[str, Any]]:
        """The levels that can be played, as the question `progress` lists them: {number, id, mod}."""
        levels = [] if self.library is None else self.library.levels()
        return [{"number": level.level.number, "id": level.level.id, "mod": mod.id} for mod, level in levels]


def _told(entry: Entry) -> dict[str, Any]:
    mod, package = entry.package.mod, entry.package
    told: dict[str, Any] = {"id": shown(entry.id), "state": entry.state, "code": entry.code, "params": entry.params}
    told["problems"] = [problem.to_data() for problem in package.problems[:MOST_PROBLEMS]]
    told |= {"version": "", "title": {}, "about": {}, "authors": [], "licence": "", "needs": {}, "picture": ""}
    told["levels"] = [
        {"key": level.level.id, "title": f"level.{level.level.id}.title", "picture": level.picture}
        for level in package.levels
    ]
    if mod is not None and not any(problem.file == "mod.json" for problem in package.problems):
        told |= {
            name: value for name, value in attrs.asdict(mod).items() if name in told and name not in ("id", "levels")
        }
        told["picture"] = package.picture
    return told
