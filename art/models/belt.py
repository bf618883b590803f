"""Belt pieces: one tile of belt from one side to another, straight or turning."""

from __future__ import annotations

import math
from itertools import pairwise

from art.kit import SIDES, Kit, chevron, lamp, surface

HALF_WIDTH = 0.23
CORNER = 0.43  # radius of a turn's middle line: packets cut the corner about as much
OVERHANG = 0.006


def piece_names() -> list[str]:
    """The twelve pieces, named by the side that the flow enters through and the side it leaves through."""
    return [f"{a}_{b}" for a in SIDES for b in SIDES if a != b]


def middle_line(enter: str, leave: str, overhang: float = OVERHANG) -> list[tuple[float, float]]:
    """The way of the flow across the tile, in grid axes, from side to side."""
    ax, ay = SIDES[enter]
    bx, by = SIDES[leave]
    reach = 0.5 + overhang
    if (ax, ay) == (-bx, -by):
        return [(ax * reach, ay * reach), (bx * reach, by * reach)]
    # A quarter circle that touches both half axes at CORNER from the centre.
    centre = ((ax + bx) * CORNER, (ay + by) * CORNER)
    points = [(ax * reach, ay * reach)]
    for step in range(17):
        angle = math.pi / 2 * step / 16
        points.append(
            (
                centre[0] - bx * CORNER * math.cos(angle) - ax * CORNER * math.sin(angle),
                centre[1] - by * CORNER * math.cos(angle) - ay * CORNER * math.sin(angle),
            )
        )
    points.append((bx * reach, by * reach))
    return points


def along(path: list[tuple[float, float]], share: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The point at a share (0..1) of the path's length, and the heading there."""
    legs = list(pairwise(path))
    lengths = [math.dist(a, b) for a, b in legs]
    left = share * sum(lengths)
    for (a, b), length in zip(legs, lengths, strict=True):
        if left <= length:
            way = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            return (a[0] + way[0] * left, a[1] + way[1] * left), way
        left -= length
    raise ValueError(f"share {share} is not on the path")


def build(kit: Kit, enter: str, leave: str) -> None:
    """The piece on the tile around the origin."""
    path = middle_line(enter, leave)
    kit.sweep(path, (-HALF_WIDTH, HALF_WIDTH), (0.0, 0.030), surface("plinth"), 0.004)
    kit.sweep(path, (-HALF_WIDTH + 0.045, HALF_WIDTH - 0.045), (0.02, 0.036), surface("bed"), 0.004)
    for sign in (-1, 1):
        outer, inner = sign * HALF_WIDTH, sign * (HALF_WIDTH - 0.05)
        kit.sweep(path, (min(outer, inner), max(outer, inner)), (0.0, 0.085), surface("rail"), 0.014)
    for share in (0.25, 0.75):
        point, heading = along(middle_line(enter, leave, 0.0), share)
        kit.prism(chevron(point, heading, 0.085, 0.05), (0.034, 0.039), lamp("label", 0.26), 0.001)
