"""Guesses of a draft model: what they cost, what they bring, and what the run measured."""

from __future__ import annotations

from collections.abc import Callable

from engine import catalog
from engine.codex.figures.factory import context, pad, setting, step_ms
from engine.codex.figures.figure import Figure, Of, Value
from engine.metrics import report
from engine.physics.speculation import best_draft_tokens, expected_tokens, reported_acceptance, speed_up
from engine.simulation import Simulation
from engine.units import PS_PER_MS


def _acceptance(simulation: Simulation) -> float | None:
    return simulation.level.acceptance * 100 if simulation.level.draft_models else None


def _guesses(simulation: Simulation) -> int | None:
    if not simulation.level.draft_models:
        return None
    return setting(simulation, "draft_model", "num_speculative_tokens")


def _pass_ms(simulation: Simulation) -> float | None:
    """A step of the draft model on its card; None where the level has none."""
    drafts = simulation.level.draft_models
    if not drafts:
        return None
    model = catalog.model(drafts[setting(simulation, "draft_model", "model")])
    draft = simulation.floor.draft_deployment(pad(simulation, "draft_model").gpu, model)
    return draft.decode(1).steps_ps(1, context(simulation), 1) / PS_PER_MS


def _draft_cost(simulation: Simulation) -> float | None:
    """The draft model's step as a share of the model's."""
    taken = _pass_ms(simulation)
    return None if taken is None else taken / step_ms(simulation, 1)


def _of_guesses(compute: Callable[[float, int], float]) -> Of:
    def value(simulation: Simulation) -> Value:
        guesses = _guesses(simulation)
        return None if guesses is None else compute(simulation.level.acceptance, guesses)

    return value


def _speed_up(simulation: Simulation) -> float | None:
    guesses, cost = _guesses(simulation), _draft_cost(simulation)
    if guesses is None or cost is None:
        return None
    return speed_up(simulation.level.acceptance, guesses, cost)


def _best_guesses(simulation: Simulation) -> int | None:
    cost = _draft_cost(simulation)
    return None if cost is None else best_draft_tokens(simulation.level.acceptance, cost)


def _measured_acceptance(simulation: Simulation) -> float | None:
    found: float | None = report.speculation(simulation)["acceptance"]
    return None if found is None else found * 100


def _measured_per_step(simulation: Simulation) -> float | None:
    found: float | None = report.speculation(simulation)["tokens_per_step"]
    return found


FIGURES = {
    "acceptance": Figure("percent", _acceptance),
    "guesses": Figure("count", _guesses),
    "draft_pass_ms": Figure("ms", _pass_ms),
    "draft_cost": Figure("ratio", _draft_cost),
    "tokens_per_step": Figure("tokens", _of_guesses(expected_tokens)),
    "reported_acceptance": Figure(
        "percent", _of_guesses(lambda acceptance, guesses: reported_acceptance(acceptance, guesses) * 100)
    ),
    "speed_up": Figure("ratio", _speed_up),
    "best_guesses": Figure("count", _best_guesses),
    "measured_acceptance": Figure("percent", _measured_acceptance),
    "measured_per_step": Figure("tokens", _measured_per_step),
}
