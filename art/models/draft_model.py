"""The Draft Model: small and amber, a core in miniature with a six-sided cap. Its guesses leave at e and s."""

from __future__ import annotations

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

HALF = 0.26


def build(kit: Kit) -> None:
    """Footprint 1x1; outputs e and s."""
    plinth(kit, 1, 1)
    floor = PLINTH_TOP - 0.005
    kit.pillow((2 * HALF + 0.05, 2 * HALF + 0.05, 0.06), (0, 0, floor), surface("dark"), 0.08, 0.02)
    kit.pillow((2 * HALF, 2 * HALF, 0.32), (0, 0, floor), surface("body"), 0.07, 0.035)
    for i in (-1.5, -0.5, 0.5, 1.5):
        for sign in (-1, 1):
            kit.box((0.05, 0.02, 0.155), (i * 0.105, sign * HALF, floor + 0.10), lamp("amber", 0.9), 0.009)
            kit.box((0.02, 0.05, 0.155), (sign * HALF, i * 0.105, floor + 0.10), lamp("amber", 0.9), 0.009)
    # The cap: a dark collar, and half of it filled with light, as a guess is half a token.
    kit.cylinder(0.205, 0.035, (0, 0, floor + 0.31), surface("dark"), 0.012, sides=6)
    kit.cylinder(0.170, 0.10, (0, 0, floor + 0.335), lamp("amber"), 0.022, sides=6)
    kit.cylinder(0.085, 0.02, (0, 0, floor + 0.432), surface("dark"), 0.006, sides=6)
    port(kit, (0, 0), "e", "amber", True, 0.24)
    port(kit, (0, 0), "s", "amber", True, 0.24)
