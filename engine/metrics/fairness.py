"""How evenly several tenants are served."""

from __future__ import annotations

from collections.abc import Sequence


def jain(values: Sequence[float]) -> float | None:
    """Jain's index of values that are not negative: 1 when all are equal, 1/n when one has everything.

    (x1 + ... + xn)^2 / (n (x1^2 + ... + xn^2)); None where nobody has anything. Source: Jain, Chiu, Hawe, "A
    quantitative measure of fairness and discrimination for resource allocation", DEC-TR-301, 1984.
    """
    total = squares = 0.0
    for value in values:
        total += value
        squares += value * value
    return total * total / (len(values) * squares) if squares else None
