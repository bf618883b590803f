"""The Chunker: a guillotine over a long prompt. The bar comes in whole at the west and lies in slices at the east."""

from __future__ import annotations

from art.kit import UPRIGHT, Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth

FRAME = -0.04
HIGH = 0.76
BAR = (0.215, 0.120)  # across, high


def build(kit: Kit) -> None:
    """Footprint 1x1, without ports."""
    plinth(kit, 1, 1)
    floor = PLINTH_TOP - 0.005
    # The table: two rails and a dark bed.
    kit.pillow((0.88, 0.44, 0.12), (0, 0, floor), surface("body"), 0.05, 0.025)
    kit.box((0.86, 0.27, 0.02), (0, 0, floor + 0.108), surface("black"), 0.006)
    for x in (-0.33, -0.20, 0.14, 0.27):
        for sign in (-1, 1):
            kit.box((0.055, 0.02, 0.045), (x, sign * 0.218, floor + 0.045), lamp("prompt", 0.85), 0.008)
    # The bar, and the slices cut from it, each a little farther on.
    top = floor + 0.125
    kit.box((0.370, *BAR), (-0.253, 0, top), lamp("prompt", 0.5), 0.022)
    for x in (0.065, 0.225, 0.385):
        kit.box((0.062, *BAR), (x, 0, top), lamp("prompt", 0.5), 0.014)
    # The frame: two posts with grooves, a lintel, and the blade between them.
    for sign in (-1, 1):
        kit.pillow((0.20, 0.15, 0.10), (FRAME, sign * 0.325, floor), surface("dark"), 0.03, 0.018)
        kit.box((0.12, 0.11, HIGH - 0.02), (FRAME, sign * 0.325, floor + 0.02), surface("body"), 0.028)
        kit.box((0.045, 0.02, 0.42), (FRAME, sign * 0.272, floor + 0.24), surface("black"), 0.006)
    kit.box((0.17, 0.80, 0.13), (FRAME, 0, floor + HIGH - 0.06), surface("body"), 0.035)
    kit.box((0.09, 0.66, 0.02), (FRAME, 0, floor + HIGH + 0.062), surface("dark"), 0.008)
    kit.box((0.055, 0.58, 0.022), (FRAME, 0, floor + HIGH + 0.072), lamp("prompt", 0.9), 0.008)
    blade = [(-0.255, -0.40), (0.255, -0.29), (0.255, -0.62), (-0.255, -0.62)]
    edge = [(-0.250, -0.385), (0.250, -0.277), (0.250, -0.312), (-0.250, -0.420)]
    upright = UPRIGHT["y"]
    kit.prism(blade, (-0.014, 0.014), surface("body"), 0.003, (FRAME, 0, floor), upright)
    kit.prism(edge, (-0.018, 0.018), lamp("prompt"), 0.003, (FRAME, 0, floor), upright)
    kit.box((0.07, 0.36, 0.08), (FRAME, 0, floor + 0.59), surface("dark"), 0.02)
