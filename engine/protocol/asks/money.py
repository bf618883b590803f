"""Questions about money: what the run has cost so far, and from which load on a card beats an API."""

from __future__ import annotations

from engine.protocol.asks.question import Nothing, Question
from engine.supply.told import bill_data, break_even_data

QUESTIONS: dict[str, Question] = {
    "bill": (Nothing, lambda simulation, _: bill_data(simulation)),
    "break_even": (Nothing, lambda simulation, _: {"tasks": break_even_data(simulation.level)}),
}
