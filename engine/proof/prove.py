"""The four proofs of a level, and their report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.errors import EngineError
from engine.floor.layout import Layout, layout_from_data
from engine.level.hooks import CallerOf, HookCaller, local_hooks
from engine.level.spec import Ban, Level
from engine.proof.search import Search
from engine.proof.side_by_side import searches
from engine.proof.trial import attempt, shown
from engine.protocol.play import SPEEDS, play

FULL_BUDGET = 6000
"""Runs that a search may take."""
SEEDS = 20
MOST_SEEDS = 1000
MOST_BUDGET = 1_000_000
_ENOUGH = 0.9
"""Share of searches, with nothing banned, that have to find a layout that passes."""


def prove(
    level: Level, seeds: int = SEEDS, budget: int = FULL_BUDGET, callers: CallerOf = local_hooks
) -> dict[str, Any]:
    """All proofs of a level on `seeds` seeds, as plain data; EngineError when the level does not declare what they
    need. `callers` says who calls its hooks, here and in other processes.
    """
    if not 1 <= seeds <= MOST_SEEDS:
        raise EngineError("proof.seeds", most=MOST_SEEDS)
    if not 1 <= budget <= MOST_BUDGET:
        raise EngineError("proof.budget", most=MOST_BUDGET)
    for name in ("reference", "naive", "naive_fails", "bans"):
        if not getattr(level, name):
            raise EngineError("proof.undeclared", level=level.id, name=name)
    reference = layout_from_data(level.reference)
    caller = callers(level)
    try:
        proofs = {
            "reference": prove_reference(level, reference, seeds, caller),
            "naive": prove_naive(level, seeds, caller),
            "speeds": prove_speeds(level, reference, caller),
            "banned": prove_banned(level, budget, callers),
            "unbanned": prove_unbanned(level, seeds, budget, callers),
        }
    finally:
        if caller is not None:
            caller.close()
    return {
        "level": level.id,
        "proven": all(proof["proven"] for proof in proofs.values()),
        "seeds": seeds,
        "budget": budget,
        **proofs,
    }


def prove_reference(level: Level, reference: Layout, seeds: int, caller: HookCaller | None = None) -> dict[str, Any]:
    """(a) The reference layout passes on every seed."""
    trials = [attempt(level, seed, reference, caller) for seed in range(1, seeds + 1)]
    passed = [trial.passed for trial in trials].count(True)
    worst = {}
    for goal in level.goals:
        got = [value for trial in trials if (value := trial.values[goal.name]) is not None]
        worst[goal.name] = (min(got) if goal.at_least else max(got)) if got else None
    return {"proven": passed == seeds, "passed": passed, "of": seeds, "worst": worst}


def prove_banned(level: Level, budget: int, callers: CallerOf = local_hooks) -> dict[str, Any]:
    """(b) Nothing passes without what the level teaches. Each ban is searched by itself."""
    results = searches(level, budget, [(ban, 1) for ban in level.bans], callers)
    bans = [_banned(ban, result) for ban, result in zip(level.bans, results, strict=True)]
    return {
        "proven": all(ban["proven"] for ban in bans),
        "tried": _total(ban["tried"] for ban in bans),
        "best": min((ban["best"] for ban in bans if ban["best"]), key=lambda best: best["miss"], default=None),
        "bans": bans,
    }


def _banned(ban: Ban, result: Search) -> dict[str, Any]:
    best = result.found or result.best
    return {
        "ban": ban.id,
        "proven": result.found is None and result.tried > 0,
        "method": "enumeration" if result.enumerated else "search",
        "tried": result.tried,
        "unbuildable": result.unbuildable,
        "excluded": result.excluded,
        "passed_once": result.passed_once,
        "best": shown(*best) if best else None,
    }


def prove_unbanned(level: Level, seeds: int, budget: int, callers: CallerOf = local_hooks) -> dict[str, Any]:
    """The same search finds a layout that passes when nothing is banned, so its failures mean something."""
    results = searches(level, budget, [(None, seed) for seed in range(1, seeds + 1)], callers)
    found = [result.found is not None for result in results].count(True)
    return {
        "proven": found >= _ENOUGH * seeds,
        "found": found,
        "of": seeds,
        "tried": [result.tried for result in results],
        "example": next((shown(*result.found) for result in results if result.found), None),
    }


def prove_naive(level: Level, seeds: int, caller: HookCaller | None = None) -> dict[str, Any]:
    """(c) What a newcomer builds fails, on every seed, for the reason that the level teaches."""
    layout, failed, first = layout_from_data(level.naive), 0, None
    for seed in range(1, seeds + 1):
        trial = attempt(level, seed, layout, caller)
        first = first or trial
        failed += level.naive_fails in trial.missed or (not trial.passed and level.naive_fails in trial.states)
    return {
        "proven": failed == seeds,
        "reason": level.naive_fails,
        "failed": failed,
        "of": seeds,
        "values": first.values if first else {},
        "missed": list(first.missed) if first else [],
    }


def prove_speeds(level: Level, reference: Layout, caller: HookCaller | None = None) -> dict[str, Any]:
    """(d) What happens is the same, to the bit, at every speed."""
    hashes = {speed: play(level, 1, reference, speed, caller=caller).state_hash() for speed in SPEEDS}
    return {"proven": len(set(hashes.values())) == 1, "hashes": hashes}


def _total(counts: Iterable[int]) -> int:
    total = 0
    for count in counts:
        total += count
    return total
