"""Finding the minimum of a function of a few numbers (Nelder and Mead, The Computer Journal 1965).

Replays are not smooth in their constants, so that methods by gradient would stick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SHRUNK = 1e-4


def minimum(
    function: Callable[[tuple[float, ...]], float], start: Sequence[float], evaluations: int
) -> tuple[tuple[float, ...], float]:
    """Where the function is least near `start` (no entry 0), and its value there, within so many evaluations.

    The first simplex is 10 % wide; the search ends when it has shrunk to a ten-thousandth.
    """
    left = evaluations

    def value(point: tuple[float, ...]) -> float:
        nonlocal left
        left -= 1
        return function(point)

    origin = tuple(start)
    corners = [origin] + [
        tuple(number * 1.1 if axis == index else number for axis, number in enumerate(origin))
        for index in range(len(origin))
    ]
    simplex = sorted((value(corner), corner) for corner in corners)
    while left > 0 and _width(simplex) > _SHRUNK:
        others = [corner for _, corner in simplex[:-1]]
        centre = tuple(_mean(column) for column in zip(*others, strict=True))
        worst, corner = simplex[-1]

        def along(share: float, centre: tuple[float, ...] = centre, corner: tuple[float, ...] = corner) -> Corner:
            point = tuple(middle + share * (bad - middle) for middle, bad in zip(centre, corner, strict=True))
            return value(point), point

        tried = along(-1.0)
        if tried[0] < simplex[0][0]:
            tried = min(tried, along(-2.0))
        elif tried[0] >= simplex[-2][0]:
            tried = min(tried, along(0.5 if tried[0] >= worst else -0.5))
        if tried[0] < worst:
            simplex[-1] = tried
        else:
            best = simplex[0][1]
            halved = [tuple((a + b) / 2 for a, b in zip(best, point, strict=True)) for _, point in simplex[1:]]
            simplex[1:] = [(value(point), point) for point in halved]
        simplex.sort()
    return simplex[0][1], simplex[0][0]


Corner = tuple[float, tuple[float, ...]]


def _mean(numbers: Sequence[float]) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total / len(numbers)


def _width(simplex: Sequence[Corner]) -> float:
    """The largest extent of the simplex along an axis, in shares of the best corner."""
    best = simplex[0][1]
    return max(
        abs(number - reference) / (abs(reference) or 1.0)
        for _, corner in simplex[1:]
        for number, reference in zip(corner, best, strict=True)
    )
