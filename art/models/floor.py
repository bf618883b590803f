"""The floor: bevelled tiles on a slab."""

from __future__ import annotations

from art.kit import Kit, surface

GAP = 0.024
THICK = 0.34


def tile(kit: Kit, variant: int, at: tuple[float, float] = (0, 0)) -> None:
    """A tile whose top lies at height 0. Variants: 0 plain, 1 with an inlaid square, 2 with a vent."""
    x, y = at
    kit.pillow((1 - GAP, 1 - GAP, 0.05), (x, y, -0.05), surface("floor"), 0.022, 0.010)
    if variant == 1:
        kit.pillow((0.60, 0.60, 0.004), (x, y, -0.0012), surface("floor_inlay"), 0.05, 0.002)
    if variant == 2:
        for i in range(4):
            kit.pillow((0.34, 0.026, 0.004), (x, y - 0.09 + i * 0.06, -0.0015), surface("groove"), 0.012, 0.001)


def slab(kit: Kit, width: float, depth: float, centre: tuple[float, float] = (0, 0)) -> None:
    """The body under the tiles, with a ledge below the rim."""
    x, y = centre
    kit.box((width, depth, 0.05), (x, y, -0.065), surface("groove"), 0.004)
    kit.box((width - 0.03, depth - 0.03, THICK - 0.06), (x, y, -THICK), surface("slab"), 0.012)
