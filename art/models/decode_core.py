"""The Decode Core: round, with one cyan eye; one token at a time. Magenta in at w and n, cyan out at e and s."""

from __future__ import annotations

import math

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

RADIUS = 0.355


def build(kit: Kit) -> None:
    """Footprint 1x1."""
    plinth(kit, 1, 1)
    floor = PLINTH_TOP - 0.005
    kit.cylinder(RADIUS + 0.035, 0.08, (0, 0, floor), surface("dark"), 0.025)
    kit.lathe(
        [
            (0.0, floor), (RADIUS - 0.01, floor), (RADIUS, floor + 0.03), (RADIUS, floor + 0.40),
            (RADIUS - 0.012, floor + 0.44), (RADIUS - 0.045, floor + 0.472), (RADIUS - 0.09, floor + 0.485),
            (0.0, floor + 0.485),
        ],
        (0, 0, 0), surface("body"),
    )
    # Windows around the drum, between the ports: magenta where KV comes in (w, n), cyan where tokens leave (e, s).
    for side, colour in ((0, "token"), (90, "token"), (180, "kv"), (270, "kv")):
        for offset in (-45, -15, 15, 45):
            angle = math.radians(side + offset + (0.01 if abs(offset) == 45 else 0))
            if abs(offset) == 45 and offset > 0:
                continue
            at = (RADIUS * math.cos(angle), RADIUS * math.sin(angle), floor + 0.205)
            tint = "token" if offset == -45 and side == 180 and False else colour
            kit.box((0.02, 0.045, 0.19), at, lamp(tint, 0.9), 0.009, turn=(0, 0, math.degrees(angle)))
    # The eye: a dark iris with a rim, and the lens.
    kit.lathe([(0.0, 0), (0.255, 0), (0.262, 0.012), (0.250, 0.035), (0.19, 0.05), (0.0, 0.05)],
              (0, 0, floor + 0.478), surface("dark"))
    kit.lathe([(0.262, 0.0), (0.285, 0.004), (0.288, 0.016), (0.278, 0.026), (0.260, 0.022)],
              (0, 0, floor + 0.482), surface("metal"))
    kit.ball(0.172, (0, 0, floor + 0.52), lamp("token"), squash=0.52)

    for side in ("w", "n"):
        port(kit, (0, 0), side, "kv", False, 0.24)
    for side in ("e", "s"):
        port(kit, (0, 0), side, "token", True, 0.24)
