"""Questions about the tutorial, its hints and the codex."""

from __future__ import annotations

from attrs import field, frozen

from engine.codex.codex import codex, codex_page
from engine.learning.tutorial import hint, tutorial
from engine.protocol.asks.question import Nothing, Question


@frozen
class _Tutorial:
    facts: list[str] = field(factory=list)


@frozen
class _Hint:
    step: int


@frozen
class _CodexPage:
    id: str


QUESTIONS: dict[str, Question] = {
    "tutorial": (_Tutorial, lambda simulation, asked: tutorial(simulation, asked.facts)),
    "hint": (_Hint, lambda simulation, asked: hint(simulation, asked.step)),
    "codex": (Nothing, lambda simulation, _: codex(simulation)),
    "codex_page": (_CodexPage, lambda simulation, asked: codex_page(simulation, asked.id)),
}
