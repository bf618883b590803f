"""Several searches at a time, a process for each core of the machine; the results are those of one after another."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import attrs

from engine.level.hooks import CallerOf, HookCaller, local_hooks
from engine.level.load import load_script
from engine.level.spec import Ban, Level
from engine.proof.build import Builder
from engine.proof.enumerate import all_plans
from engine.proof.plan import Plan
from engine.proof.search import Search, search

_builders: list[Builder] = []
"""This process's own, so that searches of one level share what was built."""
_callers: list[HookCaller | None] = []
_plans: list[tuple[Ban | None, list[Plan] | None]] = []


def searches(
    level: Level, budget: int, wanted: list[tuple[Ban | None, int]], callers: CallerOf = local_hooks
) -> list[Search]:
    """The results for (ban, seed), in the order in which they are wanted. `callers`: as a process can take it over."""
    workers = min(os.cpu_count() or 1, len(wanted))
    plain = attrs.evolve(level, hooks=[attrs.evolve(hook, do=None) for hook in level.hooks])
    with ProcessPoolExecutor(workers, get_context("spawn"), _open, (plain, _tries(budget), callers)) as pool:
        return list(pool.map(partial(_search, budget), wanted))


def _tries(budget: int) -> int:
    """How hard a builder tries: a plan that costs more to build than to run is no bargain in a small search."""
    return min(20 + budget // 30, 200)


def _open(level: Level, tries: int, callers: CallerOf) -> None:
    if level.hooks and level.script and callers is local_hooks:
        level = load_script(Path(level.script))  # code does not go from process to process
    _builders.append(Builder(level, tries))
    _callers.append(callers(level))


def _search(budget: int, wanted: tuple[Ban | None, int]) -> Search:
    """One search, in a process of its own."""
    ban, seed = wanted
    (builder,) = _builders
    known = [plans for other, plans in _plans if other == ban]
    if not known:
        known = [all_plans(builder.level, ban, budget)]
        _plans.append((ban, known[0]))
    return search(builder.level, ban, seed, budget, builder, known[0], _callers[0])
