"""What each machine kind looks like to the grid: footprint, ports, where it may stand. Behaviour is in `machines/`."""

from __future__ import annotations

from attrs import frozen

from engine.floor.geometry import Tile, step, turned_side, turned_size, turned_tile

PROMPT, KV, TOKEN = "prompt", "kv", "token"
PACKET_KINDS = (PROMPT, KV, TOKEN)


@frozen
class Port:
    """A place on a machine's edge where a belt starts or ends, at rotation 0."""

    tile: Tile
    side: str
    packet: str


@frozen
class Kind:
    """A machine kind's shape."""

    name: str
    size: Tile
    inputs: dict[str, Port]
    outputs: dict[str, Port]
    on_pad: bool
    """Whether it runs on a GPU and so must stand on one pad; else it is a dock, placed by the level."""


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "prompt_dock",
            (2, 2),
            {},
            {"e0": Port((1, 0), "e", PROMPT), "e1": Port((1, 1), "e", PROMPT)},
            on_pad=False,
        ),
        Kind(
            "prefill_core",
            (2, 1),
            {"w": Port((0, 0), "w", PROMPT), "n": Port((0, 0), "n", PROMPT)},
            {"e": Port((1, 0), "e", KV), "s": Port((1, 0), "s", KV)},
            on_pad=True,
        ),
        Kind(
            "decode_core",
            (1, 1),
            {"w": Port((0, 0), "w", KV), "n": Port((0, 0), "n", KV)},
            {"e": Port((0, 0), "e", TOKEN), "s": Port((0, 0), "s", TOKEN)},
            on_pad=True,
        ),
        Kind(
            "token_dock",
            (2, 2),
            {"w0": Port((0, 0), "w", TOKEN), "w1": Port((0, 1), "w", TOKEN)},
            {},
            on_pad=False,
        ),
    )
}


@frozen
class Stand:
    """A machine kind at a place: everything that geometry can say about it."""

    kind: Kind
    x: int
    y: int
    rotation: int

    @property
    def size(self) -> Tile:
        """Width and height as it stands."""
        return turned_size(self.kind.size, self.rotation)

    def port_tile(self, port: Port) -> Tile:
        """The floor tile in front of a port: where its belt starts or ends."""
        x, y = turned_tile(port.tile, self.kind.size, self.rotation)
        return step((self.x + x, self.y + y), turned_side(port.side, self.rotation))
