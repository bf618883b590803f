"""Tiles, sides and turns. x runs down-right on the screen, y down-left; turning by 1 is a quarter turn clockwise."""

from __future__ import annotations

from collections.abc import Iterator

Tile = tuple[int, int]

SIDES: dict[str, Tile] = {"e": (1, 0), "s": (0, 1), "w": (-1, 0), "n": (0, -1)}
_ORDER = "eswn"
_MOST_ROWS = 2**12


def turned_side(side: str, rotation: int) -> str:
    """The side that `side` becomes after `rotation` quarter turns."""
    return _ORDER[(_ORDER.index(side) + rotation) % 4]


def turned_size(size: Tile, rotation: int) -> Tile:
    """Width and height of a footprint after `rotation` quarter turns."""
    return (size[1], size[0]) if rotation % 2 else size


def turned_tile(tile: Tile, size: Tile, rotation: int) -> Tile:
    """Where the footprint's own `tile` lies after `rotation` quarter turns of a footprint of `size`."""
    (x, y), (width, height) = tile, size
    for _ in range(rotation % 4):
        x, y = height - 1 - y, x
        width, height = height, width
    return x, y


def step(tile: Tile, side: str) -> Tile:
    """The neighbour of `tile` on `side`."""
    dx, dy = SIDES[side]
    return tile[0] + dx, tile[1] + dy


def order_of(tile: Tile) -> int:
    """A number for a tile of the floor; tiles are ordered by x, then by y."""
    return tile[0] * _MOST_ROWS + tile[1]


def adjacent(a: Tile, b: Tile) -> bool:
    """Whether two tiles share an edge."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def rectangle(x: int, y: int, width: int, height: int) -> Iterator[Tile]:
    """All tiles of a rectangle, row by row."""
    for row in range(y, y + height):
        for column in range(x, x + width):
            yield column, row
