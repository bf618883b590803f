"""The Prefix Cache: a bookcase. Each book is the KV of a beginning that many prompts share."""

from __future__ import annotations

import random

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth

HIGH = 0.66
BOARD = 0.375
WIDE = 0.74  # half the inner length


def build(kit: Kit) -> None:
    """Footprint 2x1, without ports; both long sides are open."""
    plinth(kit, 2, 1)
    floor = PLINTH_TOP - 0.005
    kit.pillow((1.74, 0.66, 0.09), (0, 0, floor), surface("body"), 0.06, 0.025)
    kit.box((1.50, 0.06, HIGH - 0.10), (0, 0, floor + 0.06), surface("dark"), 0.01)
    kit.box((1.54, 0.56, 0.045), (0, 0, floor + BOARD), surface("body"), 0.012)
    for sign in (-1, 1):
        kit.pillow((0.10, 0.62, HIGH), (sign * 0.795, 0, floor), surface("body"), 0.04, 0.025)
        kit.box((0.05, 0.44, 0.02), (sign * 0.795, 0, floor + HIGH - 0.004), surface("dark"), 0.008)
        for z in (0.14, 0.25, 0.46, 0.57):
            kit.box((0.02, 0.36, 0.035), (sign * 0.848, 0, floor + z - 0.03), lamp("kv", 0.85), 0.008)
    for shelf, (base, tall) in enumerate(((floor + 0.085, 0.27), (floor + BOARD + 0.04, 0.27))):
        for sign in (-1, 1):
            _books(kit, sign, base, tall, random.Random(10 * shelf + sign + 3))


def _books(kit: Kit, sign: int, base: float, tall: float, draw: random.Random) -> None:
    """A row of books with their backs to the viewer's side; a grey one is not in use."""
    x = -WIDE + 0.015
    while x < WIDE - 0.10:
        wide = draw.choice((0.085, 0.105, 0.13))
        high = tall * draw.choice((0.72, 0.84, 0.95))
        at = (x + wide / 2, sign * 0.155, base)
        if draw.random() < 0.84:
            kit.box((wide, 0.19, high), at, surface("body"), 0.012)
            back = (at[0], sign * 0.250, base + 0.012)
            kit.box((wide - 0.012, 0.03, high - 0.02), back, lamp("kv", draw.choice((0.8, 0.8, 0.55))), 0.012)
            for band in (0.22, 0.74):
                place = (at[0], sign * 0.258, base + high * band)
                kit.box((wide - 0.010, 0.02, 0.020), place, surface("dark"), 0.004)
        x += wide + 0.014
