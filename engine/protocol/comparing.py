"""From which load on a card beats an API: found a slice at a time, while the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from engine.level.spec import Level
from engine.slices import Slices
from engine.supply.told import break_even_data, break_even_slices

if TYPE_CHECKING:
    from engine.protocol.tabs import Tab


class Comparing:
    """The tasks of one level; only that which was asked for last is compared."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._task: int | None = None
        self._slices: Slices[list[dict[str, Any]]] | None = None
        self._told: list[dict[str, Any]] | None = None

    @property
    def awaited(self) -> bool:
        """Whether somebody waits for what `work` finds."""
        return self._slices is not None

    def ask(self, task: int | None) -> dict[str, Any]:
        """All tasks, this one (None: each) with its comparison; while that is `pending`, only what they are about."""
        if task != self._task or not (self._told or self._slices):
            self._task, self._told = task, None
            self._slices = break_even_slices(self._level, task)
            self.work(lambda: True)
        if self._told is None:
            return {"tasks": break_even_data(self._level, only=-1), "pending": True}
        return {"tasks": self._told, "pending": False}

    def work(self, overdue: Callable[[], bool]) -> None:
        """Go on until it is `overdue`, at least one slice."""
        while self._slices is not None:
            try:
                next(self._slices)
            except StopIteration as end:
                self._told, self._slices = end.value, None
            if overdue():
                return


@frozen
class _Task:
    task: int | None = None
    """The one that is compared; all, unless told."""


QUESTIONS: dict[str, tuple[type[Any], Callable[[Tab, Any], dict[str, Any]]]] = {
    "break_even": (_Task, lambda tab, asked: tab.comparing.ask(asked.task)),
}
"""Of a tab: it is found while its game goes on."""
