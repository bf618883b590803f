"""The Token Dock: delivers tokens. An open bin heaped with cyan balls, and a dish that sends them off."""

from __future__ import annotations

import math
import random

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

MIDDLE = 0.09


def _rounded(width: float, depth: float, corner: float) -> list[tuple[float, float]]:
    """A closed rounded rectangle around the bin's middle, clockwise on the screen, from the middle of a side."""
    path = [(MIDDLE, -depth / 2)]
    for sx, sy, begin in ((1, -1, -90), (1, 1, 0), (-1, 1, 90), (-1, -1, 180)):
        centre = (MIDDLE + sx * (width / 2 - corner), sy * (depth / 2 - corner))
        for step in range(9):
            angle = math.radians(begin + step * 90 / 8)
            path.append((centre[0] + corner * math.cos(angle), centre[1] + corner * math.sin(angle)))
    return [*path, path[0]]


def build(kit: Kit) -> None:
    """Footprint 2x2, rotation 0 only; inputs w0 and w1 on the west side."""
    plinth(kit, 2, 2)
    floor = PLINTH_TOP - 0.005
    # The bin: a wall around a dark floor, with a seam and a row of windows.
    kit.sweep(_rounded(1.28, 1.38, 0.16), (-0.09, 0.09), (floor, floor + 0.50), surface("body"), 0.045)
    kit.pillow((1.30, 1.40, 0.28), (MIDDLE, 0, floor), surface("black"), 0.10, 0.006)
    kit.sweep(_rounded(1.28, 1.38, 0.16), (-0.097, 0.0), (floor + 0.05, floor + 0.095), surface("dark"), 0.006)
    kit.sweep(_rounded(1.28, 1.38, 0.16), (-0.020, 0.020), (floor + 0.49, floor + 0.507), surface("dark"), 0.006)
    for y in (-0.48, -0.24, 0.0, 0.24, 0.48):
        kit.box((0.02, 0.055, 0.20), (MIDDLE + 0.730, y, floor + 0.175), lamp("token", 0.9), 0.009)
    for x in (-0.45, -0.225, 0.0, 0.225, 0.45):
        kit.box((0.055, 0.02, 0.20), (MIDDLE + x, 0.780, floor + 0.175), lamp("token", 0.9), 0.009)
    # The heap: settled rows with a little disorder (a fixed seed: the picture never changes by itself).
    draw = random.Random(11)
    for layer, (count, reach, z) in enumerate(((5, 0.44, 0.34), (4, 0.31, 0.47), (2, 0.12, 0.60))):
        for i in range(count):
            for j in range(count):
                if layer and draw.random() < 0.20:
                    continue
                x = MIDDLE + reach * (2 * i / (count - 1) - 1) + draw.uniform(-0.02, 0.02)
                y = reach * 1.08 * (2 * j / (count - 1) - 1) + draw.uniform(-0.02, 0.02)
                gain = draw.choice((0.9, 0.65, 0.45))
                kit.ball(0.118, (x, y, floor + z + draw.uniform(-0.02, 0.02)), lamp("token", gain, lens=True))
    # The dish, on a mast in the far corner, looking up and to the front.
    at = (0.66, -0.62)
    kit.cylinder(0.135, 0.07, (*at, floor + 0.485), surface("body"), 0.025)
    kit.cylinder(0.048, 0.42, (*at, floor + 0.53), surface("metal"), 0.01, top=0.036)
    tilt = (40.0, 0.0, 20.0)
    centre = (at[0], at[1], floor + 1.00)
    bowl = [
        (0.0, -0.10),
        (0.10, -0.085),
        (0.20, -0.04),
        (0.275, 0.03),
        (0.30, 0.07),
        (0.288, 0.078),
        (0.262, 0.045),
        (0.19, -0.015),
        (0.10, -0.055),
        (0.0, -0.065),
    ]
    kit.lathe(bowl, centre, surface("body"), turn=tilt)
    kit.lathe([(0.284, 0.075), (0.296, 0.082), (0.304, 0.076), (0.298, 0.068)], centre, lamp("token", 0.9), turn=tilt)
    pitch, yaw = math.radians(tilt[0]), math.radians(tilt[2])
    # The dish's axis in grid axes, after the tilt about x and the turn about z.
    axis = (-math.sin(pitch) * math.sin(yaw), math.sin(pitch) * math.cos(yaw), math.cos(pitch))
    feed = [c + a * 0.17 for c, a in zip(centre, axis, strict=True)]
    foot = [c - a * 0.06 for c, a in zip(centre, axis, strict=True)]
    kit.ball(0.066, (feed[0], feed[1], feed[2]), lamp("token"))
    kit.cylinder(0.016, 0.22, (foot[0], foot[1], foot[2]), surface("metal"), 0.003, turn=tilt)

    for y in (-0.5, 0.5):
        port(kit, (-0.5, y), "w", "token", False, 0.30)
