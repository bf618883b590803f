"""The Prefill Core: long and ribbed, many prompts at once. Green comes in at the hopper, magenta leaves at the hood."""

from __future__ import annotations

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

RIBS = 6
FIRST, PITCH = -0.50, 0.185


def build(kit: Kit) -> None:
    """Footprint 2x1; inputs w and n of the first tile, outputs e and s of the second."""
    plinth(kit, 2, 1)
    floor = PLINTH_TOP - 0.005
    kit.pillow((1.62, 0.60, 0.40), (0, 0, floor), surface("body"), 0.07, 0.035)
    kit.box((1.50, 0.625, 0.045), (0, 0, floor + 0.02), surface("dark"), 0.012)
    # The ribs: tall dark fins with a light cap, each carrying a bar of light.
    for i in range(RIBS):
        x = FIRST + i * PITCH
        kit.box((0.135, 0.66, 0.26), (x, 0, floor + 0.33), surface("body"), 0.03)
        kit.box((0.105, 0.56, 0.035), (x, 0, floor + 0.575), surface("dark"), 0.012)
        kit.box((0.080, 0.53, 0.030), (x, 0, floor + 0.60), lamp("prompt"), 0.012)
    kit.box((RIBS * PITCH, 0.50, 0.10), (FIRST + (RIBS - 1) * PITCH / 2, 0, floor + 0.36), surface("black"), 0.01)
    # Windows along both flanks, one under each rib, and one magenta pair under the hood.
    for sign in (-1, 1):
        for i in range(RIBS):
            x = FIRST + i * PITCH
            kit.box((0.052, 0.02, 0.20), (x, sign * 0.300, floor + 0.09), lamp("prompt", 0.85), 0.009)
    # The hopper at the head: a tall light block with a green bead.
    kit.pillow((0.20, 0.62, 0.52), (-0.705, 0, floor), surface("body"), 0.05, 0.03)
    kit.pillow((0.13, 0.44, 0.03), (-0.705, 0, floor + 0.51), surface("dark"), 0.03, 0.01)
    for y in (-0.13, 0.0, 0.13):
        kit.box((0.085, 0.085, 0.085), (-0.705, y, floor + 0.525), lamp("prompt"), 0.018)
    # The hood at the tail: a dark, sloping block with magenta spikes of light.
    kit.pillow((0.27, 0.66, 0.50), (0.695, 0, floor), surface("body"), 0.06, 0.035)
    kit.pillow((0.20, 0.56, 0.03), (0.695, 0, floor + 0.49), surface("dark"), 0.04, 0.01)
    for y in (-0.17, 0.0, 0.17):
        kit.cylinder(0.062, 0.15, (0.695, y, floor + 0.51), lamp("kv"), 0.006, top=0.008, sides=4, turn=(0, 0, 45))
    for y in (-0.25, 0.25):
        kit.box((0.02, 0.050, 0.20), (0.826, y, floor + 0.26), lamp("kv", 0.9), 0.009)
    for y in (-0.085, 0.085):
        kit.box((0.02, 0.050, 0.16), (0.826, y, floor + 0.30), lamp("kv", 0.9), 0.009)
    for sign in (-1, 1):
        for x in (0.635, 0.755):
            kit.box((0.050, 0.02, 0.16), (x, sign * 0.326, floor + 0.30), lamp("kv", 0.9), 0.009)

    port(kit, (-0.5, 0), "w", "prompt", False, 0.28)
    port(kit, (-0.5, 0), "n", "prompt", False, 0.26)
    port(kit, (0.5, 0), "e", "kv", True, 0.28)
    port(kit, (0.5, 0), "s", "kv", True, 0.26)
