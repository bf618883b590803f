"""The Batcher: a revolving tray. Whoever is done leaves, and the next request takes the seat at once."""

from __future__ import annotations

import math

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth

SEATS = 6
RADIUS = 0.415


def build(kit: Kit) -> None:
    """Footprint 1x1, without ports; those who wait for a seat stand on the ramp at the west."""
    plinth(kit, 1, 1)
    floor = PLINTH_TOP - 0.005
    kit.cylinder(RADIUS + 0.02, 0.05, (0, 0, floor), surface("dark"), 0.02)
    # The tray: a low round wall around a dark floor.
    kit.lathe(
        [
            (0.0, 0.0),
            (RADIUS - 0.03, 0.0),
            (RADIUS, 0.03),
            (RADIUS, 0.215),
            (RADIUS - 0.012, 0.240),
            (RADIUS - 0.035, 0.248),
            (RADIUS - 0.058, 0.240),
            (RADIUS - 0.066, 0.220),
            (RADIUS - 0.066, 0.13),
            (0.0, 0.13),
        ],
        (0, 0, floor),
        surface("body"),
    )
    kit.cylinder(RADIUS - 0.068, 0.012, (0, 0, floor + 0.125), surface("black"), 0.002)
    for i in range(18):
        angle = 2 * math.pi * (i + 0.5) / 18
        at = (RADIUS * math.cos(angle), RADIUS * math.sin(angle), floor + 0.075)
        kit.box((0.02, 0.058, 0.085), at, lamp("token", 0.9), 0.009, turn=(0, 0, math.degrees(angle)))
    # The turnstile: a hub with a paddle between each two seats, and a handle to turn it by.
    kit.cylinder(0.095, 0.22, (0, 0, floor + 0.12), surface("body"), 0.02, top=0.08)
    kit.cylinder(0.030, 0.24, (0, 0, floor + 0.33), surface("metal"), 0.006)
    kit.cylinder(0.060, 0.03, (0, 0, floor + 0.555), surface("dark"), 0.012)
    for i in range(3):
        angle = 2 * math.pi * (i + 0.25) / 3
        at = (0.135 * math.cos(angle), 0.135 * math.sin(angle), floor + 0.545)
        kit.box((0.27, 0.036, 0.036), at, surface("body"), 0.012, turn=(0, 0, math.degrees(angle)))
        tip = (0.275 * math.cos(angle), 0.275 * math.sin(angle), floor + 0.562)
        kit.ball(0.042, tip, lamp("token"))
    for i in range(SEATS):
        angle = 2 * math.pi * i / SEATS
        at = (0.215 * math.cos(angle), 0.215 * math.sin(angle), floor + 0.13)
        kit.box((0.25, 0.030, 0.155), at, surface("body"), 0.012, turn=(0, 0, math.degrees(angle)))
        if i != SEATS // 2 - 1:
            seat = angle + math.pi / SEATS
            at = (0.245 * math.cos(seat), 0.245 * math.sin(seat), floor + 0.225)
            kit.ball(0.098, at, lamp("token", (0.9, 0.75, 0.6)[i % 3], lens=True))
    # The ramp: two prompts wait for the seat that is free.
    kit.box((0.30, 0.24, 0.05), (-0.325, 0, floor + 0.245), surface("body_low"), 0.015, turn=(0, 16, 0))
    for x, z in ((-0.40, 0.322), (-0.245, 0.278)):
        kit.box((0.125, 0.125, 0.115), (x, 0, floor + z), lamp("prompt", 0.85), 0.018, turn=(0, 16, 0))
    kit.box((0.10, 0.20, 0.22), (-0.415, 0, floor + 0.02), surface("body"), 0.02)
