"""Trying a layout: what it achieved, and by how much it missed."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine.floor.layout import Layout, layout_to_data
from engine.level.goals import Judgement
from engine.level.hooks import HookCaller
from engine.level.spec import Ban, Level
from engine.protocol.play import play
from engine.simulation import Simulation


@frozen
class Trial:
    """One run of a layout on one seed."""

    passed: bool
    missed: tuple[str, ...]
    """Metrics of the goals that were missed."""
    values: dict[str, float | None]
    """By metric."""
    states: tuple[str, ...]
    """What the machines were doing at the end."""
    work: dict[int, dict[str, int]]
    """By pad, then machine kind: the time that it was busy, ps."""
    miss: float
    """By how much the goals were missed, together: 0 for none, at most 1 for each."""


def attempt(level: Level, seed: int, layout: Layout, caller: HookCaller | None = None) -> Trial:
    """Run a layout and judge it; `caller` calls the level's hooks."""
    simulation = play(level, seed, layout, caller=caller)
    judgements = simulation.judge()
    miss = 0.0
    for judgement in judgements:
        miss += _miss(judgement)
    return Trial(
        simulation.passed,
        tuple(judgement.goal.name for judgement in judgements if not judgement.met),
        {judgement.goal.name: judgement.value for judgement in judgements},
        tuple(sorted({machine.status() for machine in simulation.floor.machines.values()})),
        _work(simulation),
        miss,
    )


def uses(trial: Trial, ban: Ban | None) -> bool:
    """Whether the cards did what `ban` takes away: whatever stands there for show, what they did counts."""
    if ban is None or not ban.apart:
        return False
    only: set[str] = set()
    for busy in trial.work.values():
        together = sum(busy.get(kind, 0) for kind in ban.apart)
        only |= {kind for kind in ban.apart if together and busy.get(kind, 0) >= ban.share * together}
    return only.issuperset(ban.apart)


def _work(simulation: Simulation) -> dict[int, dict[str, int]]:
    work: dict[int, dict[str, int]] = {}
    for machine in simulation.floor.machines.values():
        if machine.pad is not None:
            busy = work.setdefault(machine.pad.id, {})
            kind = machine.stand.kind.name
            busy[kind] = busy.get(kind, 0) + machine.busy_ps(0, simulation.now)
    return work


def _miss(judgement: Judgement) -> float:
    """The distance to the bar as a share of the two together: between 0 and 1, and never flat."""
    if judgement.met:
        return 0.0
    if judgement.value is None:
        return 1.0
    distance = abs(judgement.value - judgement.goal.target)
    return distance / (distance + (abs(judgement.goal.target) or 1.0))


def shown(layout: Layout, trial: Trial) -> dict[str, Any]:
    """A layout and what it achieved, as data: it can be run again with `run --layout`."""
    return {"miss": trial.miss, "values": trial.values, "missed": list(trial.missed), "layout": layout_to_data(layout)}
