"""The longest gap between two tokens, of any sequence in a batch, without looking at each sequence at each step.

All sequences that decode together have the same gaps from when they joined: it is enough to know, for each moment, the
longest gap since. Gaps that a later and longer one hides are forgotten.
"""

from __future__ import annotations

from bisect import bisect_left

from attrs import define, field


@define(slots=True)
class Pauses:
    """Gaps by step number, each longer than all that come after it."""

    steps: list[int] = field(factory=list)
    gaps_ps: list[int] = field(factory=list)

    def add(self, step: int, gap_ps: int) -> None:
        """The gap before the tokens of a step."""
        while self.gaps_ps and self.gaps_ps[-1] <= gap_ps:
            self.gaps_ps.pop()
            self.steps.pop()
        self.steps.append(step)
        self.gaps_ps.append(gap_ps)

    def longest_since(self, step: int) -> int:
        """The longest gap at any step from `step` on; 0 if there was none."""
        index = bisect_left(self.steps, step)
        return self.gaps_ps[index] if index < len(self.steps) else 0

    def forget_before(self, step: int) -> None:
        """Nobody will ask for earlier steps any more."""
        index = bisect_left(self.steps, step)
        del self.steps[:index], self.gaps_ps[:index]
