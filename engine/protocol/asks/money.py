"""The question about money: what the run has cost so far."""

from __future__ import annotations

from engine.protocol.asks.question import Nothing, Question
from engine.supply.told import bill_data

QUESTIONS: dict[str, Question] = {"bill": (Nothing, lambda simulation, _: bill_data(simulation))}
