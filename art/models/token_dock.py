"""The Token Dock: delivers tokens. An open bin heaped with cyan balls, and a dish that sends them off."""

from __future__ import annotations

import math
import random

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port


def build(kit: Kit) -> None:
    """Footprint 2x2, rotation 0 only; inputs w0 and w1 on the west side."""
    plinth(kit, 2, 2)
    floor = PLINTH_TOP - 0.005
    # The bin: four walls around a dark floor.
    kit.pillow((1.46, 1.56, 0.30), (0.09, 0, floor), surface("body"), 0.14, 0.045)
    kit.box((1.50, 1.36, 0.05), (0.09, 0, floor + 0.05), surface("dark"), 0.012)
    kit.box((1.26, 1.60, 0.05), (0.09, 0, floor + 0.05), surface("dark"), 0.012)
    kit.pillow((1.20, 1.30, 0.02), (0.09, 0, floor + 0.292), surface("black"), 0.10, 0.006)
    for x, y, w, d in ((-0.545, 0, 0.19, 1.56), (0.725, 0, 0.19, 1.56), (0.09, -0.685, 1.46, 0.19), (0.09, 0.685, 1.46, 0.19)):
        kit.pillow((w, d, 0.26), (x, y, floor + 0.24), surface("body"), 0.085, 0.04)
    for y in (-0.45, -0.15, 0.15, 0.45):
        kit.box((0.02, 0.055, 0.20), (0.822, y, floor + 0.165), lamp("token", 0.9), 0.009)
    for x in (-0.36, -0.06, 0.24, 0.54):
        kit.box((0.055, 0.02, 0.20), (x, 0.782, floor + 0.165), lamp("token", 0.9), 0.009)
    # The heap: settled rows with a little disorder (a fixed seed: the picture never changes by itself).
    draw = random.Random(11)
    for layer, (count, reach, z) in enumerate(((5, 0.46, 0.34), (4, 0.34, 0.47), (2, 0.12, 0.59))):
        for i in range(count):
            for j in range(count):
                if layer and draw.random() < 0.22:
                    continue
                x = 0.09 + reach * (2 * i / (count - 1) - 1) + draw.uniform(-0.02, 0.02)
                y = reach * 1.05 * (2 * j / (count - 1) - 1) + draw.uniform(-0.02, 0.02)
                gain = draw.choice((1.0, 0.8, 0.55))
                kit.ball(0.112, (x, y + 0.04, floor + z + draw.uniform(-0.02, 0.02)), lamp("token", gain))
    # The dish, on a mast in the far corner, looking up and to the right.
    at = (0.70, -0.64)
    kit.cylinder(0.13, 0.08, (*at, floor + 0.48), surface("body"), 0.025)
    kit.cylinder(0.048, 0.38, (*at, floor + 0.54), surface("metal"), 0.01, top=0.036)
    tilt = (38.0, 0.0, 20.0)
    centre = (at[0], at[1], floor + 1.00)
    bowl = [(0.0, -0.10), (0.10, -0.085), (0.20, -0.04), (0.275, 0.03), (0.30, 0.07), (0.288, 0.078), (0.262, 0.045),
            (0.19, -0.015), (0.10, -0.055), (0.0, -0.065)]
    kit.lathe(bowl, centre, surface("body"), turn=tilt)
    kit.lathe([(0.284, 0.075), (0.296, 0.082), (0.304, 0.076), (0.298, 0.068)], centre, lamp("token", 0.9), turn=tilt)
    pitch, yaw = math.radians(tilt[0]), math.radians(tilt[2])
    # The dish's axis in grid axes, after the tilt about x and the turn about z.
    axis = (math.sin(pitch) * -math.sin(yaw), math.sin(pitch) * math.cos(yaw), math.cos(pitch))
    feed = (centre[0] + axis[0] * 0.16, centre[1] + axis[1] * 0.16, centre[2] + axis[2] * 0.16)
    kit.ball(0.062, feed, lamp("token"))
    kit.cylinder(0.016, 0.24, (centre[0] - axis[0] * 0.06, centre[1] - axis[1] * 0.06, centre[2] - axis[2] * 0.06),
                 surface("metal"), 0.003, turn=tilt)

    for y in (-0.5, 0.5):
        port(kit, (-0.5, y), "w", "token", False, 0.30)
