"""Questions about the tutorial, its hints and the codex."""

from __future__ import annotations

from attrs import field, frozen

from engine.learning.tutorial import hint, tutorial
from engine.protocol.asks.question import Question


@frozen
class _Tutorial:
    facts: list[str] = field(factory=list)


@frozen
class _Hint:
    step: int


QUESTIONS: dict[str, Question] = {
    "tutorial": (_Tutorial, lambda simulation, asked: tutorial(simulation, asked.facts)),
    "hint": (_Hint, lambda simulation, asked: hint(simulation, asked.step)),
}
