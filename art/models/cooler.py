"""A cooling unit for the rim of the floor: a cabinet that breathes through a grille, with a fan on top."""

from __future__ import annotations

import math

from art.kit import Kit, lamp, surface

HEIGHT = 0.92


def build(kit: Kit) -> None:
    """Footprint 1x1; its grille is on the south face."""
    kit.pillow((0.92, 0.92, 0.06), (0, 0, 0), surface("plinth"), 0.06, 0.018)
    kit.pillow((0.82, 0.82, HEIGHT), (0, 0, 0.05), surface("rack"), 0.06, 0.03)
    for row in range(7):
        z = 0.17 + row * 0.072
        kit.box((0.60, 0.02, 0.030), (0, 0.409, z), surface("black"), 0.008)
    kit.box((0.60, 0.012, 0.022), (0, 0.412, 0.80), lamp("token", 0.55), 0.005)
    # The fan: a ring, a dark well, six blades and a hub.
    top = HEIGHT + 0.045
    kit.lathe(
        [(0.285, -0.01), (0.325, 0.0), (0.325, 0.030), (0.305, 0.042), (0.285, 0.034)], (0, 0, top), surface("metal")
    )
    kit.cylinder(0.288, 0.012, (0, 0, top), surface("black"), 0.002)
    for blade in range(6):
        angle = 2 * math.pi * blade / 6
        at = (0.165 * math.cos(angle), 0.165 * math.sin(angle), top + 0.018)
        kit.box((0.20, 0.085, 0.008), at, surface("rail"), 0.003, turn=(18, 0, math.degrees(angle)))
    kit.cylinder(0.070, 0.036, (0, 0, top + 0.004), surface("metal"), 0.010)
