"""The Decode Core: round, with one cyan eye; one token at a time. Magenta in at w and n, cyan out at e and s."""

from __future__ import annotations

import math

from art.kit import SIDES, Kit, arrow_head, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

RADIUS = 0.40
TOP = 0.53
KV_SIDES = ("w", "n")


def build(kit: Kit) -> None:
    """Footprint 1x1."""
    plinth(kit, 1, 1)
    floor = PLINTH_TOP - 0.005
    kit.cylinder(RADIUS + 0.025, 0.07, (0, 0, floor), surface("dark"), 0.025)
    kit.lathe(
        [
            (0.0, floor),
            (RADIUS - 0.01, floor),
            (RADIUS, floor + 0.03),
            (RADIUS, floor + TOP - 0.075),
            (RADIUS - 0.010, floor + TOP - 0.040),
            (RADIUS - 0.032, floor + TOP - 0.014),
            (RADIUS - 0.065, floor + TOP),
            (0.0, floor + TOP),
        ],
        (0, 0, 0),
        surface("body"),
    )
    kit.lathe(
        [(RADIUS - 0.01, 0), (RADIUS + 0.006, 0.004), (RADIUS + 0.006, 0.026), (RADIUS - 0.01, 0.030)],
        (0, 0, floor + 0.415),
        surface("dark"),
    )
    # Around the drum, above each port: windows in the colour of what passes there, and an arrow on the rim.
    for side, (dx, dy) in SIDES.items():
        colour = "kv" if side in KV_SIDES else "token"
        middle = math.degrees(math.atan2(dy, dx))
        for offset in (-30, -10, 10, 30):
            angle = math.radians(middle + offset)
            at = (RADIUS * math.cos(angle), RADIUS * math.sin(angle), floor + 0.215)
            kit.box((0.02, 0.046, 0.165), at, lamp(colour, 0.9), 0.009, turn=(0, 0, math.degrees(angle)))
        inward = side in KV_SIDES
        heading = (-dx, -dy) if inward else (dx, dy)
        kit.prism(
            arrow_head((dx * 0.325, dy * 0.325), heading, 0.085),
            (floor + TOP - 0.004, floor + TOP + 0.008),
            lamp(colour, 0.9),
            0.003,
        )
    # The eye: a rim, a dark iris, a thin ring of light and the lens.
    kit.lathe(
        [(0.262, -0.01), (0.284, 0.004), (0.287, 0.020), (0.276, 0.032), (0.255, 0.028), (0.255, 0.0)],
        (0, 0, floor + TOP),
        surface("metal"),
    )
    kit.lathe(
        [(0.0, 0), (0.262, 0), (0.258, 0.020), (0.235, 0.045), (0.20, 0.058), (0.0, 0.060)],
        (0, 0, floor + TOP),
        surface("dark"),
    )
    kit.ball(0.188, (0, 0, floor + TOP + 0.040), lamp("token", 1.1, lens=True), squash=0.72)

    for side in SIDES:
        inward = side in KV_SIDES
        port(kit, (0, 0), side, "kv" if inward else "token", not inward, 0.20)
