"""Percentiles of integers, by nearest rank: no interpolation, so the result is one of the values."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(values: Sequence[int], percent: int) -> int | None:
    """The smallest value that at least `percent` per cent of `values` do not exceed; None for no values."""
    if not values:
        return None
    rank = -(-percent * len(values) // 100)
    return sorted(values)[max(rank, 1) - 1]
