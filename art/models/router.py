"""The Router: a turntable with a way in and three ways out, and a signpost that points along each."""

from __future__ import annotations

import math

from art.kit import SIDES, UPRIGHT, Kit, arrow_head, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

RADIUS = 0.36
TOP = 0.30
WAYS_OUT = ("e", "s", "n")


def build(kit: Kit) -> None:
    """Footprint 1x1; input w, outputs e, s and n."""
    plinth(kit, 1, 1)
    floor = PLINTH_TOP - 0.005
    kit.cylinder(RADIUS + 0.02, 0.06, (0, 0, floor), surface("dark"), 0.02)
    kit.cylinder(RADIUS, TOP, (0, 0, floor), surface("body"), 0.03)
    kit.cylinder(RADIUS - 0.045, 0.02, (0, 0, floor + TOP - 0.008), surface("dark"), 0.008)
    # The ways on the disc: from the west to the middle, and from there to each way out.
    high = (floor + TOP + 0.008, floor + TOP + 0.024)
    for side, (dx, dy) in SIDES.items():
        size = (0.20, 0.052) if dx else (0.052, 0.20)
        kit.box((*size, 0.016), (dx * 0.135, dy * 0.135, high[0]), lamp("prompt", 0.8), 0.006)
        if side in WAYS_OUT:
            kit.prism(arrow_head((dx * 0.245, dy * 0.245), (dx, dy), 0.125), high, lamp("prompt"), 0.004)
    for i in range(16):
        angle = 2 * math.pi * (i + 0.5) / 16
        at = (RADIUS * math.cos(angle), RADIUS * math.sin(angle), floor + 0.235)
        kit.box((0.02, 0.07, 0.032), at, lamp("prompt", 0.8), 0.008, turn=(0, 0, math.degrees(angle)))
    # The signpost.
    kit.cylinder(0.072, 0.06, (0, 0, floor + TOP), surface("body"), 0.018)
    kit.cylinder(0.030, 0.66, (0, 0, floor + TOP + 0.04), surface("metal"), 0.006)
    kit.ball(0.045, (0, 0, floor + TOP + 0.72), lamp("prompt"))
    for side, z in (("e", 0.88), ("s", 0.72), ("n", 0.56)):
        _board(kit, side, floor + z)
    for side in SIDES:
        port(kit, (0, 0), side, "prompt", side in WAYS_OUT, 0.20)


def _board(kit: Kit, side: str, z: float) -> None:
    """An arrow-shaped board that points to a side; both its faces shine."""
    dx, dy = SIDES[side]
    along = "x" if dx else "y"
    # Outlines stand upright: (a, -height), and a runs along the axis.
    way = dx + dy
    for half, tail, tip, thick, material in (
        (0.072, -0.10, 0.36, 0.020, surface("body")),
        (0.050, -0.075, 0.325, 0.028, lamp("prompt", 0.9)),
    ):
        neck = tip - half * 1.15
        outline = [(tail, -half), (neck, -half), (tip, 0.0), (neck, half), (tail, half)]
        turned = [(way * a, b) for a, b in outline]
        kit.prism(turned, (-thick, thick), material, 0.006, (0, 0, z), UPRIGHT[along])
