"""Somebody at the bridge who saves and loads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import msgpack
from factories import LEVEL_1

from engine.level.load import load
from engine.level.spec import Level
from engine.protocol.session import Session
from engine.simulation import Simulation

DAY = "2026-12-01 00:20"
HALF_HOUR = attrs.evolve(LEVEL_1, end_s=1805)
"""The first level, for longer."""
WHOLE = ("state", "timeline", "history", "tabs", "layout")
"""Questions that together tell of the whole game."""


class Saver:
    """A player with a folder of their own, or of somebody else's."""

    def __init__(self, folder: Path | None, levels: Callable[[str], Level] = load) -> None:
        self.session = Session(levels)
        self.folder = folder
        if folder is not None:
            assert self.give(do="player_folder", folder=str(folder))["ok"]

    def give(self, **message: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.command(msgpack.packb({"v": 1, **message}))))

    def ask(self, question: str, **fields: Any) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.ask(msgpack.packb({"v": 1, "ask": question, **fields}))))

    def look(self, delta_s: float = 0.0) -> dict[str, Any]:
        return dict(msgpack.unpackb(self.session.step(delta_s)))

    @property
    def game(self) -> Simulation:
        assert self.session.simulation is not None
        return self.session.simulation

    def play(self, level: str = "1", to_s: float = 0.0) -> None:
        """Open a level and its reference layout; let it run, if for any time."""
        assert self.give(do="open", level=level)["ok"]
        assert self.give(do="layout", layout=self.game.level.reference)["ok"]
        if to_s:
            assert self.give(do="start")["ok"]
            while self.game.now < round(to_s * 10**12):
                self.look(min(5.0, to_s - self.game.now / 10**12))

    def save(self, slot: int | str = 1) -> None:
        told = self.give(do="save", slot=slot, date=DAY)
        assert told["ok"], told

    def arrive(self) -> list[str]:
        """Wait until what is loaded is there, a slice at a time; the codes that are said of the file."""
        for _ in range(200_000):
            shot = dict(msgpack.unpackb(self.session.step(0.0, lambda: True)))
            if "rewinding" not in shot:
                codes = [event["code"] for event in shot.get("events", [])]
                return [code for code in codes if not code.startswith("run.")]
            assert set(shot) == {"v", "rewinding"}
            assert 0 <= shot["rewinding"]["share"] <= 1
        raise AssertionError("it never arrives")

    def load(self, slot: int | str = 1) -> list[str]:
        told = self.give(do="load", slot=slot)
        assert told["ok"], told
        return self.arrive()

    def whole(self) -> list[dict[str, Any]]:
        """All that can be asked of the game."""
        return [self.ask(question) for question in WHOLE]


def half_hour(which: str) -> Level:
    """Levels, the first of which goes on for half an hour."""
    return HALF_HOUR if which in ("1", HALF_HOUR.id) else load(which)
