"""Looking for the smallest fix of a layout: its changes are simulated, the smallest first, until one meets the goal."""

from __future__ import annotations

from collections.abc import Iterator

from engine.diagnosis.fixes import Fix, changes, improves, meets, named_metric, spoiled
from engine.diagnosis.what_if import Outcome, Overdue, Run, WhatIf
from engine.floor.layout import Layout, layout_hash
from engine.level.spec import Goal

MOST_TRIED = 120
"""Changes of a layout that are simulated at most."""


class Search:
    """The fix of one layout. `work` until it is `done`; then `fix` is the fix, or None when nothing helps."""

    def __init__(self, what_if: WhatIf, layout: Layout) -> None:
        self.what_if, self.layout = what_if, layout
        self.before: Outcome | None = None
        """What the layout itself achieves."""
        self.goal: Goal | None = None
        """What a fix is judged by."""
        self.fix: Fix | None = None
        self.after: Outcome | None = None
        """What the layout with the fix achieves."""
        self.tried = 0
        self.done = False
        self.without_crash: tuple[Fix, Outcome] | None = None
        """The smallest change after which no core runs out of memory, where one does."""
        self._run: Run | None = what_if.run(layout)
        self._changes: Iterator[Fix | None] = iter(())
        self._fix: Fix | None = None
        self._seen = {layout_hash(layout)}

    @property
    def share(self) -> float:
        """How much of the run under way is over, 0 to 1."""
        return self._run.share if self._run is not None else 0.0

    def work(self, overdue: Overdue) -> None:
        """Go on until done or overdue, at least by a little."""
        while not self.done:
            if self._run is None:
                self._next()
            elif self._run.work(overdue):
                self._over(self._run)
            if overdue():
                return

    def _next(self) -> None:
        """The next change."""
        change = next(self._changes, self)
        if change is self or self.tried >= MOST_TRIED:
            self.done = True
        elif isinstance(change, Fix) and (key := layout_hash(change.layout)) not in self._seen:
            self._seen.add(key)
            self._fix, self._run = change, self.what_if.run(change.layout)

    def _over(self, run: Run) -> None:
        self.what_if.keep(run)
        outcome, self._run = run.outcome, None
        assert outcome is not None
        if self.before is None:
            self.before = outcome
            if outcome.refusal is not None:
                self.done = True
                return
            self.goal = named_metric(self.what_if.level, outcome)
            self._changes = changes(self.what_if.level, self.layout, bool(outcome.unmet))
        elif self._fix is not None and outcome.refusal is None:
            self.tried += 1
            self._weigh(self._fix, outcome)

    def _weigh(self, fix: Fix, outcome: Outcome) -> None:
        before, goal = self.before, self.goal
        assert before is not None
        assert goal is not None
        if before.out_of_memory_ps >= 0 > outcome.out_of_memory_ps and self.without_crash is None:
            self.without_crash = fix, outcome
        value, good = outcome.values[goal.name], not spoiled(before, outcome)
        if not improves(goal, before.values[goal.name], value) or not (good or before.unmet):
            return
        if self.after is None or self._is_better(outcome, self.after):
            self.fix, self.after = fix, outcome
        if good and before.unmet and meets(goal, value):
            self.fix, self.after, self.done = fix, outcome, True

    def _is_better(self, one: Outcome, other: Outcome) -> bool:
        """One that spoils no other goal, else the one that improves more; not by a hair, since `other` is smaller."""
        assert self.before is not None
        assert self.goal is not None
        if bool(spoiled(self.before, one)) != bool(spoiled(self.before, other)):
            return bool(spoiled(self.before, other))
        return improves(self.goal, other.values[self.goal.name], one.values[self.goal.name])
