"""What a layout would achieve: whole runs from time 0 with the level's own seed, a slice at a time, so that a game
goes on meanwhile. What was found is kept by `layout_hash`.

No hook of the level is called: what hooks have done to cards and traffic so far happens again at its time, and what
they will do, nobody knows.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import attrs
from attrs import field, frozen

from engine.diagnosis.evidence import Evidence
from engine.diagnosis.losses import Losses, Spent, losses, spent
from engine.errors import EngineError
from engine.floor.geometry import Tile
from engine.floor.layout import Layout, canonical_hash, layout_hash, layout_to_data
from engine.floor.machines.decode_core import DecodeCore
from engine.level.data import KIND
from engine.level.goals import judge, measured
from engine.level.hook import BreakPad, ChangeTraffic, RepairPad
from engine.level.spec import Level
from engine.protocol.commands import give
from engine.simulation import RUNNING, Simulation
from engine.units import PS_PER_S

ALWAYS = ("tps", "ttft_p95")
"""Metrics that are told of every run, beside those of the level's goals."""
_KEPT = 256
_SLICE_PS = PS_PER_S
"""Simulated time between two looks at the clock: some .2 ms of real time."""

Overdue = Callable[[], bool]
Happened = Sequence[tuple[int, dict[str, Any]]]
"""Commands of hooks, with their times."""
_REMEMBERED = [kind.__name__ for kind in (BreakPad, RepairPad, ChangeTraffic)]


@frozen
class Outcome:
    """What a whole run of a layout achieved."""

    values: dict[str, float | None]
    """By metric."""
    unmet: tuple[str, ...]
    """Metrics of goals that were missed, in the order of the goals."""
    evidence: Evidence
    """Of the time in which the goals are judged."""
    out_of_memory_ps: int = -1
    """When a core first ran out of memory; -1: never."""
    crashed: Tile | None = None
    """That core."""
    losses: tuple[Losses, ...] = ()
    """What became of each tenant's requests ..."""
    spent: Spent = field(factory=Spent)
    """... and of the money."""
    refusal: EngineError | None = None
    """Why the layout cannot be built; nothing else is said then."""


class Run:
    """One run under way."""

    def __init__(self, level: Level, seed: int, layout: Layout, happened: Happened = ()) -> None:
        self.level, self.seed, self.layout = level, seed, layout
        self._happened = list(happened)
        self.outcome: Outcome | None = None
        self._simulation: Simulation | None = None
        self._evidence = Evidence(most=None)

    @property
    def share(self) -> float:
        """How much of it is over, 0 to 1."""
        if self.outcome is not None:
            return 1.0
        return self._simulation.now / self._simulation.end_ps if self._simulation is not None else 0.0

    def work(self, overdue: Overdue) -> bool:
        """Go on until it is over or `overdue` says stop, at least by one slice; whether it is over."""
        if self._simulation is None:
            self._begin()
        simulation = self._simulation
        while simulation is not None and self.outcome is None:
            while self._happened and self._happened[0][0] <= simulation.now:
                give(simulation, self._happened.pop(0)[1])
            simulation.advance(simulation.now + _SLICE_PS)
            if simulation.now >= self.level.warmup_s * PS_PER_S:
                self._evidence.look(simulation)
            if simulation.phase != RUNNING:
                self._end(simulation)
            elif overdue():
                break
        return self.outcome is not None

    def _begin(self) -> None:
        simulation = Simulation(self.level, self.seed)
        try:
            give(simulation, {"v": 1, "do": "layout", "layout": layout_to_data(self.layout)})
        except EngineError as error:
            self.outcome = Outcome({}, (), self._evidence, refusal=error)
            return
        simulation.start()
        self._simulation = simulation

    def _end(self, simulation: Simulation) -> None:
        score, judgements = simulation.score(), simulation.judge()
        values = {metric: measured(metric, score) for metric in ALWAYS}
        values |= {judgement.goal.name: judgement.value for judgement in judge(self.level.goals, score)}
        first: tuple[int, Tile] | None = None
        for core in simulation.floor.machines.values():
            if isinstance(core, DecodeCore) and core.report:
                first = min(first or (simulation.end_ps, (0, 0)), (core.report["t_ps"], (core.stand.x, core.stand.y)))
        self.outcome = Outcome(
            values,
            tuple(judgement.goal.name for judgement in judgements if not judgement.met),
            self._evidence,
            first[0] if first else -1,
            first[1] if first else None,
            tuple(losses(simulation, self.level.warmup_s * PS_PER_S)),
            spent(simulation) if self.level.tenants else Spent(),
        )
        self._simulation = None


class WhatIf:
    """Runs of one level with one seed; the outcomes asked for last are kept."""

    def __init__(
        self,
        level: Level,
        seed: int,
        happened: Happened = (),
        outcomes: OrderedDict[tuple[str, str], Outcome] | None = None,
    ) -> None:
        self.level, self.seed, self._happened = level, seed, happened
        self._world = canonical_hash([level.allowed, json.dumps(happened, sort_keys=True)]) if level.hooks else ""
        self._outcomes = OrderedDict[tuple[str, str], Outcome]() if outcomes is None else outcomes

    def after(self, simulation: Simulation) -> WhatIf:
        """Runs in the world that the hooks of a game have made by now; itself when that is the same."""
        if not self.level.hooks:
            return self
        level = attrs.evolve(simulation.level, allowed=simulation.site.most())
        other = WhatIf(level, self.seed, _happened(simulation), self._outcomes)
        return self if other._world == self._world else other

    def known(self, layout: Layout) -> Outcome | None:
        """What a layout achieves, if that has been found out."""
        key = self._world, layout_hash(layout)
        if key in self._outcomes:
            self._outcomes.move_to_end(key)
        return self._outcomes.get(key)

    def run(self, layout: Layout) -> Run:
        """A run of a layout, over already where its outcome is known."""
        run = Run(self.level, self.seed, layout, self._happened)
        run.outcome = self.known(layout)
        return run

    def keep(self, run: Run) -> None:
        """Remember what a run that is over has found."""
        if run.outcome is not None:
            self._outcomes[self._world, layout_hash(run.layout)] = run.outcome
            while len(self._outcomes) > _KEPT:
                self._outcomes.popitem(last=False)


def _happened(simulation: Simulation) -> Happened:
    """What hooks have done to cards and traffic, without what they remember or say."""
    found = []
    for at, message in simulation.commands:
        effects = [effect for effect in message.get("effects", ()) if effect[KIND] in _REMEMBERED]
        if effects:
            found.append((at, {**message, "effects": effects, "memory": {}}))
    return found
