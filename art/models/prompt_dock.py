"""The Prompt Dock: where requests arrive. A tray of three green racks of prompts and a mast with a lamp."""

from __future__ import annotations

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port


def build(kit: Kit) -> None:
    """Footprint 2x2, rotation 0 only; outputs e0 and e1 on the east side."""
    plinth(kit, 2, 2)
    floor = PLINTH_TOP - 0.005
    kit.pillow((1.56, 1.62, 0.34), (-0.04, 0, floor), surface("body"), 0.12, 0.045)
    kit.box((1.60, 1.46, 0.05), (-0.04, 0, floor + 0.05), surface("dark"), 0.012)
    kit.box((1.42, 1.66, 0.05), (-0.04, 0, floor + 0.05), surface("dark"), 0.012)
    kit.pillow((1.30, 1.34, 0.05), (-0.02, 0.02, floor + 0.32), surface("dark"), 0.10, 0.02)
    # Three chutes, sloping down towards the outputs, each a bar of light in a light frame.
    for y in (-0.40, 0.02, 0.44):
        kit.box((1.06, 0.30, 0.12), (0.08, y, floor + 0.40), surface("body_low"), 0.03, turn=(0, 9, 0))
        # Four prompts wait in each chute.
        for i in range(4):
            x = (i - 1.5) * 0.243
            at = (0.085 + x, y, floor + 0.498 - x * 0.158)
            kit.box((0.205, 0.205, 0.07), at, lamp("prompt"), 0.028, turn=(0, 9, 0))
    for y in (-0.62, -0.31, 0.31, 0.62):
        kit.box((0.02, 0.055, 0.12), (0.742, y, floor + 0.135), lamp("prompt", 0.9), 0.009)
    for x in (-0.60, -0.36, -0.12, 0.12, 0.36, 0.56):
        kit.box((0.055, 0.02, 0.12), (x - 0.02, 0.812, floor + 0.135), lamp("prompt", 0.9), 0.009)
    # The mast.
    at = (-0.62, -0.58)
    kit.cylinder(0.13, 0.08, (*at, floor + 0.33), surface("body"), 0.025)
    kit.cylinder(0.045, 0.55, (*at, floor + 0.38), surface("metal"), 0.01, top=0.032)
    kit.cylinder(0.085, 0.035, (*at, floor + 0.90), surface("dark"), 0.01)
    kit.box((0.125, 0.125, 0.125), (*at, floor + 0.945), lamp("prompt"), 0.025)
    kit.cylinder(0.014, 0.20, (*at, floor + 1.06), surface("metal"), 0.004)

    for y in (-0.5, 0.5):
        port(kit, (0.5, y), "e", "prompt", True, 0.30)
