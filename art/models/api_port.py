"""The API Port: an uplink to somebody else's models. A tower through a ring of cloud, a dish, and a slot for coins."""

from __future__ import annotations

import math
import random

from art.kit import Kit, Vec, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

TOWER = (-0.12, -0.02)
DECK = 0.30
CLOUD = 0.80


def build(kit: Kit) -> None:
    """Footprint 2x2; prompts come in at w0, tokens leave at e0."""
    plinth(kit, 2, 2)
    floor = PLINTH_TOP - 0.005
    kit.pillow((1.60, 1.60, DECK), (0, 0, floor), surface("body"), 0.16, 0.045)
    kit.box((1.62, 1.40, 0.04), (0, 0, floor + 0.035), surface("dark"), 0.012)
    kit.box((1.40, 1.62, 0.04), (0, 0, floor + 0.035), surface("dark"), 0.012)
    kit.pillow((1.36, 1.36, 0.04), (0, 0, floor + DECK - 0.015), surface("dark"), 0.14, 0.015)
    for a in (-0.52, -0.26, 0.0, 0.26, 0.52):
        kit.box((0.055, 0.02, 0.11), (a, 0.802, floor + 0.12), lamp("prompt" if a < 0 else "token", 0.9), 0.009)
        kit.box((0.055, 0.02, 0.11), (a, -0.802, floor + 0.12), lamp("prompt" if a < 0 else "token", 0.9), 0.009)
        if a > -0.2:
            kit.box((0.02, 0.055, 0.11), (0.802, a, floor + 0.12), lamp("token", 0.9), 0.009)
            kit.box((0.02, 0.055, 0.11), (-0.802, a, floor + 0.12), lamp("prompt", 0.9), 0.009)
    _tower(kit, floor + DECK)
    _coin(kit, floor + DECK)
    port(kit, (-0.5, -0.5), "w", "prompt", False, 0.30)
    port(kit, (0.5, -0.5), "e", "token", True, 0.30)


def _leg(kit: Kit, foot: Vec, head: Vec, radius: float) -> None:
    """A tube from one point to another."""
    dx, dy, dz = (b - a for a, b in zip(foot, head, strict=True))
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    pitch, yaw = math.degrees(math.acos(dz / length)), math.degrees(math.atan2(-dx, dy))
    kit.cylinder(radius, length, foot, surface("metal"), 0.004, turn=(pitch, 0, yaw))


def _tower(kit: Kit, deck: float) -> None:
    """Prompts climb on its western side, tokens come down on its eastern one; above the cloud looks the dish."""
    x, y = TOWER
    kit.pillow((0.86, 0.86, 0.07), (x, y, deck), surface("body"), 0.12, 0.025)
    kit.cylinder(0.150, 1.00, (x, y, deck + 0.05), surface("body"), 0.02, top=0.075)
    for i in range(4):
        angle = math.pi / 4 + math.pi / 2 * i
        c, s = math.cos(angle), math.sin(angle)
        foot = (x + 0.46 * c, y + 0.46 * s, deck + 0.06)
        kit.cylinder(0.070, 0.035, (foot[0], foot[1], foot[2]), surface("dark"), 0.01)
        _leg(kit, foot, (x + 0.09 * c, y + 0.09 * s, deck + 0.62), 0.026)
    for step in range(4):
        z = 0.13 + step * 0.105
        radius = 0.150 - (z / 1.00) * 0.075 + 0.004
        for i in range(8):
            angle = 2 * math.pi * (i + 0.5) / 8
            at = (x + radius * math.cos(angle), y + radius * math.sin(angle), deck + z)
            colour = "prompt" if math.cos(angle) < 0 else "token"
            kit.box((0.02, 0.055, 0.055), at, lamp(colour, 0.9), 0.008, turn=(0, 0, math.degrees(angle)))
    # On the deck: the way of the prompts to the tower and that of the tokens from it.
    for sign, colour in ((-1, "prompt"), (1, "token")):
        path = [(sign * 0.60, -0.50), (x + sign * 0.30, -0.50), (x + sign * 0.20, -0.40)]
        kit.sweep(path, (-0.028, 0.028), (deck + 0.02, deck + 0.040), lamp(colour, 0.85), 0.005)
    # The ring of cloud around it.
    draw = random.Random(4)
    count = 15
    for i in range(count):
        angle = 2 * math.pi * i / count
        far, radius = 0.47 + draw.uniform(-0.02, 0.02), draw.choice((0.105, 0.125, 0.145))
        at = (x + far * math.cos(angle), y + far * math.sin(angle), deck + CLOUD + draw.uniform(-0.02, 0.02))
        kit.ball(radius, at, surface("cloud"), squash=0.78)
    ring = [(0.455, 0.0), (0.49, 0.0), (0.49, 0.03), (0.455, 0.03), (0.455, 0.0)]
    kit.lathe(ring, (x, y, deck + CLOUD - 0.125), lamp("token", 0.8))
    # The dish.
    tilt = (30.0, 0.0, 20.0)
    centre = (x, y, deck + 1.26)
    kit.cylinder(0.055, 0.07, (x, y, deck + 1.03), surface("dark"), 0.015)
    bowl = [(0.0, -0.13), (0.13, -0.11), (0.26, -0.05), (0.36, 0.04), (0.39, 0.09)]
    bowl += [(0.375, 0.10), (0.34, 0.058), (0.25, -0.02), (0.13, -0.072), (0.0, -0.085)]
    kit.lathe(bowl, centre, surface("body"), turn=tilt)
    rim = [(0.370, 0.097), (0.386, 0.107), (0.396, 0.099), (0.388, 0.088)]
    kit.lathe(rim, centre, lamp("token", 0.9), turn=tilt)
    pitch, yaw = math.radians(tilt[0]), math.radians(tilt[2])
    axis = (-math.sin(pitch) * math.sin(yaw), math.sin(pitch) * math.cos(yaw), math.cos(pitch))
    feed = [c + a * 0.22 for c, a in zip(centre, axis, strict=True)]
    foot = [c - a * 0.08 for c, a in zip(centre, axis, strict=True)]
    kit.ball(0.078, (feed[0], feed[1], feed[2]), lamp("prompt"))
    kit.cylinder(0.018, 0.29, (foot[0], foot[1], foot[2]), surface("metal"), 0.003, turn=tilt)


def _coin(kit: Kit, deck: float) -> None:
    """The meter: a console with a slot, and a coin on its way in."""
    x, y = 0.50, 0.50
    kit.pillow((0.50, 0.34, 0.20), (x, y, deck), surface("body"), 0.05, 0.03)
    kit.pillow((0.42, 0.12, 0.02), (x, y, deck + 0.195), surface("black"), 0.03, 0.006)
    kit.cylinder(0.175, 0.05, (x, y + 0.025, deck + 0.285), surface("gold"), 0.012, turn=(90, 0, 0))
