"""Questions of the view: read-only, so that no rule has to be known there. A file per subject."""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.level.load import campaign
from engine.protocol.asks import building, learning, machines, memory, money, requests, tenants
from engine.protocol.asks.question import Question
from engine.protocol.commands import read_fields, read_message
from engine.simulation import Simulation

_QUESTIONS: dict[str, Question] = {
    **building.QUESTIONS,
    **learning.QUESTIONS,
    **machines.QUESTIONS,
    **memory.QUESTIONS,
    **money.QUESTIONS,
    **requests.QUESTIONS,
    **tenants.QUESTIONS,
}


def answer(simulation: Simulation | None, message: Any) -> dict[str, Any]:
    """The answer to a question; EngineError with the reason when there is none."""
    name, fields = read_message(message, "ask")
    if name == "levels":
        return {"levels": [{"number": level.number, "id": level.id} for level in campaign()]}
    if simulation is None:
        raise EngineError("level.none_open")
    if name not in _QUESTIONS:
        raise EngineError("message.unknown", name=name[:40])
    schema, reply = _QUESTIONS[name]
    return reply(simulation, read_fields(fields, schema))
