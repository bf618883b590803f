"""Percentiles of integers, by nearest rank: no interpolation, so the result is one of the values."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(ascending: Sequence[int], percent: int) -> int | None:
    """The smallest value that at least `percent` per cent of the values do not exceed; None for no values."""
    if not ascending:
        return None
    rank = -(-percent * len(ascending) // 100)
    return ascending[max(rank, 1) - 1]
