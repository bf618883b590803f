"""What a figure is."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from engine.simulation import Simulation

Value = float | int | None
Of = Callable[[Simulation], Value]


@frozen
class Figure:
    """A number and the name of its unit (`unit.NAME` in the translations)."""

    unit: str
    of: Of
