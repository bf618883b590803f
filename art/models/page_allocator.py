"""The Page Allocator: a flat, wide tray of blocks. Magenta and blue ones hold the KV of two requests, grey are free."""

from __future__ import annotations

import random

from art.kit import Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth

COLUMNS, ROWS = 8, 3
PITCH = 0.172
BLOCK = 0.132


def build(kit: Kit) -> None:
    """Footprint 2x1, without ports; the reader's rail stands at the head, with its light towards the blocks."""
    plinth(kit, 2, 1)
    floor = PLINTH_TOP - 0.005
    kit.pillow((1.70, 0.72, 0.20), (0, 0, floor), surface("body"), 0.09, 0.035)
    kit.box((1.72, 0.60, 0.035), (0, 0, floor + 0.03), surface("dark"), 0.012)
    kit.box((1.58, 0.74, 0.035), (0, 0, floor + 0.03), surface("dark"), 0.012)
    kit.pillow((1.46, 0.58, 0.03), (0.06, 0, floor + 0.185), surface("dark"), 0.05, 0.012)
    # The blocks: two requests, scattered as pages are, and free ones lying lower between them.
    draw = random.Random(5)
    for column in range(COLUMNS):
        for row in range(ROWS):
            at = (0.06 + (column - (COLUMNS - 1) / 2) * PITCH, (row - (ROWS - 1) / 2) * PITCH, floor + 0.205)
            owner = draw.choice(("kv", "kv", "token", "token", "free", "free"))
            if owner == "free":
                kit.pillow((BLOCK, BLOCK, 0.045), at, surface("body_low"), 0.025, 0.012)
            else:
                kit.pillow((BLOCK, BLOCK, 0.105), at, lamp(owner, 0.65), 0.025, 0.016)
    # The rail at the head: a low light bar over the tray's end, with a white reader.
    kit.pillow((0.13, 0.70, 0.17), (-0.765, 0, floor + 0.17), surface("body"), 0.05, 0.03)
    kit.pillow((0.07, 0.46, 0.02), (-0.765, 0, floor + 0.335), surface("dark"), 0.025, 0.008)
    for y in (-0.14, 0.0, 0.14):
        kit.box((0.045, 0.085, 0.02), (-0.765, y, floor + 0.35), lamp("kv", 0.9), 0.008)
    # Windows on the flanks, one for each column.
    for column in range(COLUMNS):
        x = 0.06 + (column - (COLUMNS - 1) / 2) * PITCH
        for sign in (-1, 1):
            colour = "kv" if column % 3 else "token"
            kit.box((0.075, 0.02, 0.045), (x, sign * 0.362, floor + 0.105), lamp(colour, 0.75), 0.008)
    for y in (-0.2, 0.0, 0.2):
        kit.box((0.02, 0.09, 0.045), (0.852, y, floor + 0.105), lamp("kv", 0.75), 0.008)
