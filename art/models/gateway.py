"""The Gateway: a gatehouse over two lanes. A barrier lets one prompt go on and holds the other until its turn."""

from __future__ import annotations

import math

from art.kit import Kit, arrow_head, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

LANES = (-0.225, 0.225)
ROOF = 0.64
BARRIER = 0.46
HOUSE = -0.06


def build(kit: Kit) -> None:
    """Footprint 2x1; prompts come in at w and leave at e."""
    plinth(kit, 2, 1)
    floor = PLINTH_TOP - 0.005
    kit.box((1.70, 0.84, 0.03), (0, 0, floor - 0.005), surface("bed"), 0.01)
    # Kerbs: along both sides, and an island between the lanes.
    for y, wide, length in ((-0.425, 0.07, 1.62), (0.425, 0.07, 1.62), (0.0, 0.10, 1.06)):
        kit.box((length, wide, 0.075), (0, y, floor), surface("body_low"), 0.02)
    for lane in LANES:
        for x in (-0.62, 0.62):
            kit.prism(arrow_head((x, lane), (1, 0), 0.13), (floor + 0.024, floor + 0.036), lamp("prompt", 0.8), 0.004)
    _house(kit, floor)
    _barrier(kit, floor, -1, open_=True)
    _barrier(kit, floor, 1, open_=False)
    # Prompts: one goes through, two wait behind the barrier.
    for x, lane in ((0.62, -1), (0.28, 1), (-0.56, 1)):
        side = 0.165
        kit.box((side, side, side), (x, lane * LANES[1], floor + 0.03), lamp("prompt", 0.75), 0.02)
    port(kit, (-0.5, 0), "w", "prompt", False, 0.22)
    port(kit, (0.5, 0), "e", "prompt", True, 0.22)


def _house(kit: Kit, floor: float) -> None:
    """The booth on the island, two outer pillars, and the roof with a signal for each lane."""
    kit.pillow((0.36, 0.15, ROOF), (HOUSE, 0, floor), surface("body"), 0.03, 0.02)
    for sign in (-1, 1):
        kit.pillow((0.22, 0.10, ROOF), (HOUSE, sign * 0.42, floor), surface("body"), 0.03, 0.02)
        kit.box((0.22, 0.012, 0.13), (HOUSE, sign * 0.076, floor + 0.30), lamp("prompt", 0.8), 0.006)
        kit.box((0.05, 0.02, 0.24), (HOUSE - 0.05, sign * 0.470, floor + 0.18), lamp("prompt", 0.85), 0.008)
        kit.box((0.05, 0.02, 0.24), (HOUSE + 0.05, sign * 0.470, floor + 0.18), lamp("prompt", 0.85), 0.008)
    kit.pillow((0.50, 0.92, 0.15), (HOUSE, 0, floor + ROOF - 0.03), surface("body"), 0.06, 0.035)
    kit.pillow((0.38, 0.78, 0.03), (HOUSE, 0, floor + ROOF + 0.108), surface("dark"), 0.04, 0.012)
    for lane, colour in zip(LANES, ("prompt", "reject"), strict=True):
        kit.box((0.28, 0.11, 0.03), (HOUSE, lane, floor + ROOF + 0.125), lamp(colour, 0.9), 0.014)
        for sign in (-1, 1):
            kit.box((0.02, 0.25, 0.075), (HOUSE + sign * 0.250, lane, floor + ROOF + 0.010), lamp(colour), 0.010)


def _barrier(kit: Kit, floor: float, lane: int, open_: bool) -> None:
    """A post at the outer kerb and a striped boom: across the lane, or up."""
    foot = (BARRIER, lane * 0.425, floor)
    kit.pillow((0.13, 0.12, 0.27), foot, surface("body"), 0.03, 0.02)
    kit.pillow((0.09, 0.08, 0.02), (foot[0], foot[1], floor + 0.265), surface("dark"), 0.02, 0.006)
    rise = math.radians(66 if open_ else 0)
    pieces, piece = 5, 0.090
    for i in range(pieces):
        reach = (i + 0.6) * piece
        at = (BARRIER, foot[1] - lane * reach * math.cos(rise), floor + 0.235 + reach * math.sin(rise))
        material = lamp("reject", 0.9) if i % 2 == 0 else surface("body")
        kit.box((0.062, piece, 0.066), at, material, 0.006, turn=(math.degrees(rise) * lane, 0, 0))
