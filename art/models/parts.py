"""Parts that several machines share: the plinth and the port that a belt meets."""

from __future__ import annotations

from art.kit import SIDES, Kit, Vec, arrow_head, lamp, surface

PLINTH_TOP = 0.10


def plinth(kit: Kit, width: float, depth: float) -> None:
    """The dark, two-stepped foot that each machine stands on."""
    kit.pillow((width - 0.06, depth - 0.06, 0.055), (0, 0, 0), surface("plinth"), 0.07, 0.018)
    kit.pillow((width - 0.16, depth - 0.16, 0.06), (0, 0, 0.04), surface("dark"), 0.08, 0.02)


def port(kit: Kit, tile: tuple[float, float], side: str, colour: str, outward: bool, depth: float) -> None:
    """A port in the middle of a tile's side: a light sleeve with a dark mouth, a lit rim and a flow arrow on top.

    `tile` is the tile's centre, `depth` how far the sleeve reaches inwards from the tile's edge.
    """
    dx, dy = SIDES[side]
    along = dx != 0

    def place(size: Vec, middle: float, z: float, material: object, bevel: float) -> None:
        length, width, height = size
        size = (length, width, height) if along else (width, length, height)
        kit.box(size, (tile[0] + dx * middle, tile[1] + dy * middle, z), material, bevel)

    place((depth, 0.46, 0.20), 0.5 - depth / 2, 0.06, surface("body_low"), 0.035)
    # The lit rim around the mouth: two posts and a lintel, standing a little proud of the sleeve.
    for sign in (-1, 1):
        size = (0.022, 0.028, 0.115) if along else (0.028, 0.022, 0.115)
        across = sign * 0.165
        at = (tile[0] + dx * 0.5 + (0 if along else across), tile[1] + dy * 0.5 + (across if along else 0), 0.085)
        kit.box(size, at, lamp(colour), 0.008)
    place((0.022, 0.358, 0.028), 0.5, 0.195, lamp(colour), 0.008)
    place((0.012, 0.30, 0.11), 0.5, 0.085, surface("black"), 0.004)
    place((depth * 0.74, 0.33, 0.012), 0.5 - depth * 0.48, 0.255, surface("dark"), 0.005)
    heading = (dx, dy) if outward else (-dx, -dy)
    middle = (tile[0] + dx * (0.5 - depth * 0.42), tile[1] + dy * (0.5 - depth * 0.42))
    kit.prism(arrow_head(middle, heading, min(0.17, depth * 0.66)), (0.262, 0.278), lamp(colour, 0.9), 0.008)
