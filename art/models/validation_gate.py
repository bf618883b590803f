"""The Validation Gate: an arch on four posts. Guesses come in under red light at w and n, tokens leave under green."""

from __future__ import annotations

from art.kit import SIDES, Kit, arrow_head, lamp, surface
from art.models.parts import PLINTH_TOP, plinth

POST = 0.335
HIGH = 0.62
ENTRIES = ("w", "n")


def build(kit: Kit) -> None:
    """Footprint 1x1; inputs w and n, outputs e and s."""
    plinth(kit, 1, 1)
    floor = PLINTH_TOP - 0.005
    # The way through: a dark bed, and arrows from the entries to the exits.
    kit.box((0.98, 0.40, 0.03), (0, 0, floor - 0.005), surface("bed"), 0.008)
    for sign in (-1, 1):
        kit.box((0.40, 0.28, 0.03), (0, sign * 0.35, floor - 0.005), surface("bed"), 0.008)
    for side, (dx, dy) in SIDES.items():
        heading = (-dx, -dy) if side in ENTRIES else (dx, dy)
        kit.prism(
            arrow_head((dx * 0.30, dy * 0.30), heading, 0.15), (floor + 0.02, floor + 0.036), lamp("token"), 0.004
        )
    for x in (-1, 1):
        for y in (-1, 1):
            at = (x * POST, y * POST, floor)
            kit.pillow((0.17, 0.17, 0.06), at, surface("dark"), 0.04, 0.015)
            kit.pillow((0.14, 0.14, HIGH + 0.02), at, surface("body"), 0.035, 0.02)
            # The posts' inner lights: what passes is read here.
            kit.box((0.016, 0.05, 0.28), (x * (POST - 0.070), y * POST, floor + 0.10), lamp("token", 0.85), 0.006)
            kit.box((0.05, 0.016, 0.28), (x * POST, y * (POST - 0.070), floor + 0.10), lamp("token", 0.85), 0.006)
    # The lintels, with a signal over each way in and out.
    for side, (dx, dy) in SIDES.items():
        colour = "reject" if side in ENTRIES else "prompt"
        parts = (
            ((0.13, 0.60, 0.18), POST, HIGH - 0.165, surface("body"), 0.025),
            ((0.018, 0.46, 0.085), POST + 0.065, HIGH - 0.118, lamp(colour, 0.9), 0.008),
            ((0.085, 0.50, 0.02), POST, HIGH + 0.008, surface("dark"), 0.008),
            ((0.050, 0.44, 0.02), POST, HIGH + 0.018, lamp(colour), 0.008),
        )
        for (thick, wide, high), reach, height, material, bevel in parts:
            size = (thick, wide, high) if dx else (wide, thick, high)
            kit.box(size, (dx * reach, dy * reach, floor + height), material, bevel)
