"""What a question is: the schema of its fields, and who answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from engine.simulation import Simulation

Question = tuple[type[Any], Callable[[Simulation, Any], dict[str, Any]]]


@frozen
class Nothing:
    """No fields."""
