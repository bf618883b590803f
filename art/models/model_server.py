"""The Model Server: a whole engine in one cabinet. Prefill's green ribs, decode's cyan eye, their KV between them."""

from __future__ import annotations

import math

from art.kit import SIDES, Kit, lamp, surface
from art.models.parts import PLINTH_TOP, plinth, port

HIGH = 0.56
RIBS = 5
DRUM = (0.40, 0.0)
RADIUS = 0.385


def build(kit: Kit) -> None:
    """Footprint 2x2; prompts come in at w and n, tokens leave at e and s."""
    plinth(kit, 2, 2)
    floor = PLINTH_TOP - 0.005
    kit.pillow((1.66, 1.66, HIGH), (0, 0, floor), surface("body"), 0.11, 0.04)
    kit.pillow((1.50, 1.50, 0.03), (0, 0, floor + HIGH - 0.015), surface("dark"), 0.09, 0.012)
    _rack_fronts(kit, floor)
    _ribs(kit, floor + HIGH)
    _eye(kit, floor + HIGH)
    # Between the two halves and beside the drum: the memory, rows of KV blocks.
    for sign in (-1, 1):
        kit.pillow((0.80, 0.23, 0.07), (0.33, sign * 0.585, floor + HIGH), surface("body_low"), 0.04, 0.015)
        for i in range(4):
            at = (0.33 + (i - 1.5) * 0.19, sign * 0.585, floor + HIGH + 0.06)
            kit.pillow((0.145, 0.145, 0.085), at, lamp("kv", 0.65), 0.03, 0.014)

    port(kit, (-0.5, -0.5), "w", "prompt", False, 0.28)
    port(kit, (-0.5, 0.5), "w", "prompt", False, 0.28)
    port(kit, (-0.5, -0.5), "n", "prompt", False, 0.28)
    port(kit, (0.5, -0.5), "e", "token", True, 0.28)
    port(kit, (0.5, 0.5), "e", "token", True, 0.28)
    port(kit, (0.5, 0.5), "s", "token", True, 0.28)


def _panel(kit: Kit, side: str, along: float, z: float, size: tuple[float, float, float], material: object) -> None:
    """A plate on a flank: `along` is its middle, `size` its width, its height and how far it stands out."""
    dx, dy = SIDES[side]
    wide, high, proud = size
    reach = 0.822 + proud / 2
    box = (0.024, wide, high) if dx else (wide, 0.024, high)
    at = (dx * reach, along, z) if dx else (along, dy * reach, z)
    kit.box(box, at, material, 0.008)


def _rack_fronts(kit: Kit, floor: float) -> None:
    """Slots of servers on all four flanks: green where prompts come in, cyan where tokens leave."""
    for side, colour in (("e", "token"), ("s", "token"), ("w", "prompt"), ("n", "prompt")):
        for along, wide, low, rows in ((0.0, 0.46, 0.06, 5), (-0.5, 0.42, 0.26, 3), (0.5, 0.42, 0.26, 3)):
            _panel(kit, side, along, floor + low, (wide, HIGH - 0.07 - low, 0.0), surface("black"))
            for row in range(rows):
                length = (wide - 0.10) * (1.0, 0.72, 1.0, 0.86, 0.6)[row]
                z = floor + low + 0.022 + row * 0.082
                _panel(kit, side, along, z, (length, 0.036, 0.016), lamp(colour, 0.85))


def _ribs(kit: Kit, top: float) -> None:
    """A bank of fins, each with a bar of light: many prompts at once."""
    kit.box((0.56, 1.24, 0.16), (-0.42, 0, top), surface("black"), 0.01)
    for i in range(RIBS):
        y = (i - (RIBS - 1) / 2) * 0.272
        kit.box((0.64, 0.178, 0.32), (-0.42, y, top - 0.01), surface("body"), 0.035)
        kit.box((0.56, 0.142, 0.03), (-0.42, y, top + 0.298), surface("dark"), 0.012)
        kit.box((0.52, 0.112, 0.034), (-0.42, y, top + 0.318), lamp("prompt"), 0.014)
        for sign in (-1, 1):
            kit.box((0.02, 0.06, 0.15), (-0.42 + sign * 0.32, y, top + 0.08), lamp("prompt", 0.85), 0.009)


def _eye(kit: Kit, top: float) -> None:
    """The drum with the eye: one token of each at a time."""
    x, y = DRUM
    high = 0.40
    kit.cylinder(RADIUS + 0.03, 0.05, (x, y, top), surface("dark"), 0.02)
    kit.lathe(
        [
            (0.0, 0.0),
            (RADIUS, 0.0),
            (RADIUS, high - 0.075),
            (RADIUS - 0.010, high - 0.040),
            (RADIUS - 0.032, high - 0.014),
            (RADIUS - 0.065, high),
            (0.0, high),
        ],
        (x, y, top),
        surface("body"),
    )
    for i in range(16):
        angle = 2 * math.pi * (i + 0.5) / 16
        at = (x + RADIUS * math.cos(angle), y + RADIUS * math.sin(angle), top + 0.095)
        colour = "kv" if math.cos(angle) < -0.1 else "token"
        kit.box((0.02, 0.052, 0.17), at, lamp(colour, 0.9), 0.009, turn=(0, 0, math.degrees(angle)))
    kit.lathe(
        [(0.278, -0.01), (0.300, 0.004), (0.303, 0.022), (0.290, 0.036), (0.268, 0.030), (0.268, 0.0)],
        (x, y, top + high),
        surface("metal"),
    )
    kit.lathe(
        [(0.0, 0), (0.276, 0), (0.272, 0.022), (0.248, 0.048), (0.212, 0.062), (0.0, 0.064)],
        (x, y, top + high),
        surface("dark"),
    )
    kit.ball(0.200, (x, y, top + high + 0.042), lamp("token", 1.1, lens=True), squash=0.74)
