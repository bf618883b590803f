"""Questions about money: what the run has cost so far, and from which load on a card beats an API."""

from __future__ import annotations

from attrs import frozen

from engine.protocol.asks.question import Nothing, Question
from engine.supply.told import bill_data, break_even_data


@frozen
class _Task:
    task: int | None = None
    """The one that is compared; all, unless told."""


QUESTIONS: dict[str, Question] = {
    "bill": (Nothing, lambda simulation, _: bill_data(simulation)),
    "break_even": (_Task, lambda simulation, asked: {"tasks": break_even_data(simulation.level, asked.task)}),
}
