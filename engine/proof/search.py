"""Looking for a layout that passes: all plans of a level where they are few, else by chance, changing the best.

A budget is a number of runs. The same level, ban, seed and budget give the same result.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from attrs import define, field

from engine.errors import EngineError
from engine.floor.layout import Layout
from engine.level.hooks import HookCaller
from engine.level.spec import Ban, Level
from engine.proof.build import Builder
from engine.proof.draw import Drawer
from engine.proof.plan import Plan
from engine.proof.trial import Trial, attempt, uses

FIRST_SEED = 1
SEEDS = (1, 2, 3, 4, 5)
"""A layout that passes on the first of these is run on all; it counts as passing when it does on most."""
_FRESH = 0.25
"""Share of plans that are drawn whole; the others change one of the best."""
_KEPT = 6
_STALE = 50
"""After so many draws without anything new, the search is at its end."""


@define
class Search:
    """What a search has found."""

    budget: int
    enumerated: bool = False
    """Whether every plan was tried."""
    tried: int = 0
    """Layouts that were run."""
    unbuildable: int = 0
    """Plans that no layout was found for."""
    runs: int = 0
    excluded: int = 0
    """Layouts that were run and did what is banned, whatever they look like; they count for nothing else."""
    passed_once: int = 0
    """Layouts that passed on the first seed, but not on most."""
    found: tuple[Layout, Trial] | None = None
    """A layout that passes."""
    best: tuple[Layout, Trial] | None = None
    """The one that missed least."""
    top: list[tuple[float, int, Plan]] = field(factory=list)


def search(
    level: Level,
    ban: Ban | None,
    seed: int,
    budget: int,
    builder: Builder,
    everything: list[Plan] | None,
    caller: HookCaller | None = None,
) -> Search:
    """Look for a layout that passes, and stop at the first one. `everything`: all plans, where they fit the budget
    (`engine.proof.enumerate`); `caller` calls the level's hooks.
    """
    result, random = Search(budget), Random(seed)
    if everything is not None:
        shuffled = random.sample(everything, len(everything))
        _try_all(level, ban, builder, iter(shuffled), result, caller)
        result.enumerated = result.found is None and result.runs < budget
    if result.found is None:
        drawer = Drawer(level, ban, random)
        _try_all(level, ban, builder, _by_chance(level, drawer, result, everything or []), result, caller)
    return result


def _by_chance(level: Level, drawer: Drawer, result: Search, known: list[Plan]) -> Iterator[Plan]:
    """Plans that were not tried yet."""
    docks = len(level.docks)
    seen, stale = set(known), 0
    while stale < _STALE:
        if not result.top or drawer.random.random() < _FRESH:
            plan = drawer.fresh()
        else:
            rank = min(drawer.random.randrange(len(result.top)) for _ in range(2))  # the better, the likelier
            plan = drawer.changed(result.top[rank][2])
        key = plan.key(docks) if plan else None
        if key is None or key in seen:
            stale += 1
            continue
        stale = 0
        seen.add(key)
        yield key


def _try_all(
    level: Level,
    ban: Ban | None,
    builder: Builder,
    plans: Iterator[Plan],
    result: Search,
    caller: HookCaller | None,
) -> None:
    while result.found is None and result.runs < result.budget:
        plan = next(plans, None)
        if plan is None:
            return
        layout = builder.build(plan)
        if layout is None:
            result.unbuildable += 1
        else:
            _try(level, ban, plan, layout, result, caller)


def _try(level: Level, ban: Ban | None, plan: Plan, layout: Layout, result: Search, caller: HookCaller | None) -> None:
    try:
        trial = attempt(level, FIRST_SEED, layout, caller)
    except EngineError:  # with these settings, the machines do not fit their cards
        result.unbuildable += 1
        return
    result.runs += 1
    if uses(trial, ban):
        result.excluded += 1
        return
    result.tried += 1
    if trial.passed:
        others = [attempt(level, seed, layout, caller) for seed in SEEDS if seed != FIRST_SEED]
        result.runs += len(others)
        passed = 1 + [other.passed and not uses(other, ban) for other in others].count(True)
        if 2 * passed > len(SEEDS):
            result.found = layout, trial
        else:
            result.passed_once += 1
    if result.best is None or trial.miss < result.best[1].miss:
        result.best = layout, trial
    result.top.append((trial.miss, result.tried, plan))
    result.top.sort(key=lambda entry: entry[:2])
    del result.top[_KEPT:]
