"""Two decorative server racks: dark cabinets with strips of light."""

from __future__ import annotations

import random

from art.kit import Kit, lamp, surface


def build(kit: Kit, variant: int) -> None:
    """Footprint 1x1. Variant 0 shows its strips on the south face, variant 1 on the east face."""
    height = 1.55 + 0.12 * variant
    kit.pillow((0.90, 0.90, 0.06), (0, 0, 0), surface("plinth"), 0.06, 0.018)
    kit.pillow((0.78, 0.80, height), (0, 0, 0.05), surface("rack"), 0.035, 0.022)
    kit.pillow((0.62, 0.64, 0.035), (0, 0, height + 0.04), surface("dark"), 0.03, 0.014)
    kit.pillow((0.48, 0.14, 0.03), (0, 0.12, height + 0.07), surface("black"), 0.03, 0.01)
    kit.pillow((0.48, 0.14, 0.03), (0, -0.12, height + 0.07), surface("black"), 0.03, 0.01)
    draw = random.Random(variant)
    rows = 9 + variant
    pitch = (height - 0.22) / rows
    for row in range(rows):
        z = 0.16 + row * pitch
        colour = "prompt" if draw.random() < 0.28 else "token"
        width = draw.choice((0.44, 0.52, 0.52, 0.36))
        dots = draw.random() < 0.5
        if variant == 0:
            kit.box((0.66, 0.02, pitch * 0.80), (0, 0.396, z), surface("dark"), 0.01)
            kit.box((width, 0.016, 0.026), ((0.56 - width) / -2, 0.409, z + pitch * 0.33), lamp(colour, 0.8), 0.006)
            if dots:
                kit.box((0.03, 0.016, 0.026), (0.27, 0.409, z + pitch * 0.33), lamp("amber", 0.5), 0.006)
        else:
            kit.box((0.02, 0.68, pitch * 0.80), (0.386, 0, z), surface("dark"), 0.01)
            kit.box((0.016, width, 0.026), (0.399, (0.56 - width) / 2, z + pitch * 0.33), lamp(colour, 0.8), 0.006)
            if dots:
                kit.box((0.016, 0.03, 0.026), (0.399, -0.27, z + pitch * 0.33), lamp("amber", 0.5), 0.006)
