"""The diagnosis of one game: what holds it back now, and the smallest change that would help.

Nothing here changes the game. What is found by simulating goes on in slices, in the time that frames leave over, so it
comes sooner or later; what it says is always the same.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import attrs

from engine.diagnosis.bottleneck import Cause, broken, crashed, heaviest
from engine.diagnosis.evidence import RECENT, Evidence
from engine.diagnosis.fixes import Fix, spoiled
from engine.diagnosis.gaps import Gap, gaps
from engine.diagnosis.losses import recent
from engine.diagnosis.search import Search
from engine.diagnosis.sketch import Sketch
from engine.diagnosis.tasks import of_losses, of_tasks, refusals
from engine.diagnosis.waits import place
from engine.diagnosis.what_if import Outcome, Overdue, Run, WhatIf
from engine.floor.geometry import Tile
from engine.floor.layout import Layout, layout_hash
from engine.simulation import BUILD, Simulation
from engine.traffic.kinds import asked_tps
from engine.units import PS_PER_S

MOST_MACHINES = 60
"""Larger factories are not simulated ahead: to build one takes longer than a frame."""
_MOST_ASKED = 8
_LEAD = 1.5
"""Another cause is named when it weighs so many times as much."""
_REFRESHED_PS = 5 * PS_PER_S
"""The figures of the same cause change so often, so that they can be read; who waits is counted above machines, too."""


class Diagnosis:
    """Of one game at a time; `what_if` may be shared among games of one level and seed."""

    def __init__(self, what_if: WhatIf) -> None:
        self.what_if = what_if
        self.evidence = Evidence()
        self.search: Search | None = None
        self._asked: OrderedDict[str, Run] = OrderedDict()
        """Runs that somebody waits for, the latest last."""
        self._of: tuple[Simulation, int] | None = None
        self._layout_hash = ""
        self._gaps: list[Gap] = []
        self._ids: dict[Tile, int] = {}
        """Machine by its place."""
        self._cause: Cause | None = None
        self._simulated = False
        self._judged: tuple[Any, ...] = ()
        self._since_ps = 0
        self._told: dict[str, Any] = {}

    # -- simulating ahead ----------------------------------------------------------------------------------------------

    def think(self, simulation: Simulation, overdue: Overdue) -> None:
        """Simulate ahead, at least by a little, until `overdue` or nothing is left: the layout itself first, then what
        was asked for.
        """
        self._follow(simulation)
        if self.search is not None and self.search.before is None:
            self.search.work(overdue)
        while self._asked and not overdue():
            key, run = next(reversed(self._asked.items()))
            if run.work(overdue):
                self.what_if.keep(run)
                del self._asked[key]
        if not self._asked and self.search is not None and not self.search.done and not overdue():
            self.search.work(overdue)

    def simulates(self, simulation: Simulation) -> bool:
        """Whether the factory is small enough to be simulated ahead."""
        return len(simulation.floor.machines) <= MOST_MACHINES

    def outcome(self, layout: Layout) -> tuple[Outcome | None, float]:
        """What a layout achieves, or None with the share of its run that is over; it is simulated next."""
        known, key = self.what_if.known(layout), layout_hash(layout)
        if known is not None:
            return known, 1.0
        if self.search is not None and self.search.before is None and key == self._layout_hash:
            return None, self.search.share
        run = self._asked.pop(key, None) or self.what_if.run(layout)
        self._asked[key] = run
        while len(self._asked) > _MOST_ASKED:
            self._asked.popitem(last=False)
        return None, run.share

    def with_setting(self, simulation: Simulation, id: int, name: str, value: int) -> Layout:
        """The layout with a machine's setting changed; EngineError when it may not be."""
        where = place(simulation.site.own(id))
        sketch = Sketch(self.what_if.level, simulation.site.layout())
        same = next(machine for machine in sketch.floor.machines.values() if place(machine) == where)
        sketch.site.set(same.id, name, value)
        return sketch.layout()

    def _follow(self, simulation: Simulation) -> None:
        """Begin anew when the layout has changed."""
        of = simulation, simulation.site.revision
        if self._of is not None and self._of[0] is of[0] and self._of[1] == of[1]:
            return
        self._of, self._gaps = of, gaps(simulation.floor)
        self._ids = {place(machine): id for id, machine in simulation.floor.machines.items()}
        layout = simulation.site.layout()
        key, what_if = layout_hash(layout), self.what_if.after(simulation)
        if key != self._layout_hash or what_if is not self.what_if:
            self._layout_hash, self.what_if = key, what_if
            self._asked.clear()
            sought = bool(simulation.level.goals) and self.simulates(simulation)
            self.search = Search(self.what_if, layout) if sought else None

    # -- what holds it back --------------------------------------------------------------------------------------------

    def news(self, simulation: Simulation, anew: bool) -> dict[str, Any]:
        """The snapshot's part: {} unless it has changed, or is wanted anew."""
        self._follow(simulation)
        self._judge(simulation)
        told = self._tell()
        if told == self._told and not anew:
            return {}
        self._told = told
        return {"bottleneck": told}

    def _judge(self, simulation: Simulation) -> None:
        """Once a simulated second, and when there is something new to go by."""
        before = self.search.before if self.search is not None else None
        due = simulation.now // PS_PER_S, simulation.phase, self._layout_hash, before is None, simulation.site.revision
        if due == self._judged:
            return
        same = self._judged[2:] == due[2:]
        self._judged = due
        last = self._cause if same else None
        cause, simulated = self._find(simulation, before, last)
        known = last is not None and (cause.code, cause.where) == (last.code, last.where)
        held = known and simulated == self._simulated and "waiting" not in cause.params
        if held and simulation.now < self._since_ps + _REFRESHED_PS:
            return
        self._cause, self._simulated, self._since_ps = cause, simulated, simulation.now

    def _find(self, simulation: Simulation, before: Outcome | None, last: Cause | None) -> tuple[Cause, bool]:
        """The cause, and whether it comes from a simulated run instead of this one."""
        floor, level = simulation.floor, simulation.level
        stopped = broken(floor) or crashed(floor)
        if stopped is not None:
            return stopped, False
        if self._gaps:
            return Cause(self._gaps[0].code, self._gaps[0].params, self._gaps[0].where), False
        if before is not None and before.crashed is not None:
            params = {"kind": "decode_core", "seconds": before.out_of_memory_ps // PS_PER_S}
            return Cause("bottleneck.will_crash", params, before.crashed), True
        if not level.goals:  # what keeps tokens waiting, as far as it is worth a word
            building = simulation.phase == BUILD
            cause = None if building else heaviest(floor, self.evidence, "tps", True, last, _LEAD)
            return cause or Cause("bottleneck.none", _asked(simulation)), False
        goal = self.search.goal if self.search is not None and self.search.goal is not None else level.goals[0]
        met = before is not None and goal.name not in before.unmet
        if before is not None and goal.metric == "refused" and not met:
            return Cause("bottleneck.refused", {"count": int(before.values["refused"] or 0)}), True
        if before is not None and not met:
            early = simulation.phase == BUILD or self.evidence.seen < RECENT
            task = of_tasks(floor, goal.metric, before.evidence, before.spent)
            if task is not None:
                return task, early
            if simulation.phase == BUILD:
                task = of_losses(floor, goal.metric, before.evidence, before.losses)
                if task is not None:
                    return task, True
        if simulation.phase != BUILD:
            lost = recent(simulation) if level.tenants else []
            cause = None if met else of_losses(floor, goal.metric, self.evidence, lost)
            cause = cause or heaviest(floor, self.evidence, goal.metric, met, last, _LEAD)
            cause = cause or refusals(floor, lost)
            if cause is not None:
                return cause, False
        if before is None and self.search is not None:
            return Cause("bottleneck.looking", _asked(simulation)), False
        if before is None:
            too_large = simulation.phase == BUILD
            return Cause("what_if.too_large") if too_large else Cause("bottleneck.none", _asked(simulation)), False
        cause = heaviest(floor, before.evidence, goal.metric, met, last, _LEAD)
        cause = cause or refusals(floor, before.losses)
        if cause is not None and not met:
            return cause, True
        return cause or Cause("bottleneck.none", _asked(simulation)), simulation.phase == BUILD

    def _tell(self) -> dict[str, Any]:
        cause, search = self._cause, self.search
        assert cause is not None
        done = search is None or search.done
        return {
            "code": cause.code,
            "params": cause.params,
            "machine": -1 if cause.where is None else self._ids.get(cause.where, -1),
            "simulated": self._simulated,
            "fix": fix_data(search, search.fix, search.after) if search is not None and done else None,
            "looking": not done,
            "tried": search.tried if search is not None and done else 0,
        }


def fix_data(search: Search, fix: Fix | None, after: Outcome | None) -> dict[str, Any] | None:
    """A fix as the view gets it."""
    if fix is None or after is None or search.before is None or search.goal is None:
        return None
    goal = search.goal
    first = fix.steps[0]
    return {
        "code": first.code,
        "params": first.params,
        "steps": [attrs.asdict(step) for step in fix.steps],
        "metric": f"goal.{goal.metric}",
        "tenant": goal.tenant,
        "before": search.before.values[goal.name],
        "after": after.values[goal.name],
        "met": goal.name not in after.unmet,
        "spoils": [f"goal.{other.split()[0]}" for other in spoiled(search.before, after)],
    }


def _asked(simulation: Simulation) -> dict[str, int]:
    """Tokens per second that the requests ask for."""
    docks = [machine.stand.kind.name for machine in simulation.floor.machines.values()].count("prompt_dock")
    return {"tps": asked_tps(simulation.floor.streams, docks)}
