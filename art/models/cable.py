"""What feeds a GPU from the racks: a channel in the floor with three cables. Straight, one tile, from n to s."""

from __future__ import annotations

from art.kit import Kit, surface

REACH = 0.504


def build(kit: Kit, end: bool) -> None:
    """The piece on the tile around the origin; `end`: with the box in which the cables go into the GPU's pad."""
    path = [(0.0, -REACH), (0.0, REACH)]
    kit.sweep(path, (-0.135, 0.135), (-0.004, 0.006), surface("groove"), 0.001)
    for sign in (-1, 1):
        kit.sweep(path, (sign * 0.135 - 0.014, sign * 0.135 + 0.014), (0.0, 0.016), surface("rail"), 0.004)
    for across in (-0.072, 0.0, 0.072):
        kit.sweep(path, (across - 0.024, across + 0.024), (0.004, 0.036), surface("mark"), 0.014)
    kit.box((0.30, 0.055, 0.034), (0, -0.02, 0.012), surface("rail"), 0.008)
    if end:
        kit.pillow((0.42, 0.24, 0.085), (0, 0.37, 0.0), surface("dark"), 0.03, 0.014)
        kit.pillow((0.30, 0.12, 0.02), (0, 0.37, 0.080), surface("rail"), 0.02, 0.006)
