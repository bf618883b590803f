"""What each machine kind looks like to the grid: footprint, ports, where it may stand. Behaviour is in `machines/`."""

from __future__ import annotations

from attrs import frozen

from engine.floor.geometry import Tile, step, turned_side, turned_size, turned_tile

PROMPT, KV, TOKEN, DRAFT = "prompt", "kv", "token", "draft"
PACKET_KINDS = (PROMPT, KV, TOKEN, DRAFT)


@frozen
class Port:
    """A place on a machine's edge where a belt starts or ends, at rotation 0. An input may take several packet
    kinds.
    """

    tile: Tile
    side: str
    packets: tuple[str, ...]


@frozen
class Kind:
    """A machine kind's shape."""

    name: str
    size: Tile
    inputs: dict[str, Port]
    outputs: dict[str, Port]
    on_pad: bool
    """Whether it runs on a GPU and so must stand on one pad."""


def _port(x: int, y: int, side: str, *packets: str) -> Port:
    return Port((x, y), side, packets)


_ALL = (
    Kind("prompt_dock", (2, 2), {}, {"e0": _port(1, 0, "e", PROMPT), "e1": _port(1, 1, "e", PROMPT)}, on_pad=False),
    Kind(
        "prefill_core",
        (2, 1),
        {"w": _port(0, 0, "w", PROMPT), "n": _port(0, 0, "n", PROMPT)},
        {"e": _port(1, 0, "e", KV), "s": _port(1, 0, "s", KV)},
        on_pad=True,
    ),
    Kind(
        "decode_core",
        (1, 1),
        {"w": _port(0, 0, "w", KV, DRAFT), "n": _port(0, 0, "n", KV, DRAFT)},
        {"e": _port(0, 0, "e", TOKEN), "s": _port(0, 0, "s", TOKEN)},
        on_pad=True,
    ),
    Kind("page_allocator", (2, 1), {}, {}, on_pad=True),
    Kind("draft_model", (1, 1), {}, {"e": _port(0, 0, "e", DRAFT), "s": _port(0, 0, "s", DRAFT)}, on_pad=True),
    Kind(
        "validation_gate",
        (1, 1),
        {"w": _port(0, 0, "w", TOKEN), "n": _port(0, 0, "n", TOKEN)},
        {"e": _port(0, 0, "e", TOKEN), "s": _port(0, 0, "s", TOKEN)},
        on_pad=False,
    ),
    Kind(
        "model_server",
        (2, 2),
        {"w0": _port(0, 0, "w", PROMPT), "w1": _port(0, 1, "w", PROMPT), "n0": _port(0, 0, "n", PROMPT)},
        {"e0": _port(1, 0, "e", TOKEN), "e1": _port(1, 1, "e", TOKEN), "s0": _port(1, 1, "s", TOKEN)},
        on_pad=True,
    ),
    Kind("batcher", (1, 1), {}, {}, on_pad=True),
    Kind("chunker", (1, 1), {}, {}, on_pad=True),
    Kind("prefix_cache", (2, 1), {}, {}, on_pad=True),
    Kind("gateway", (2, 1), {"w": _port(0, 0, "w", PROMPT)}, {"e": _port(1, 0, "e", PROMPT)}, on_pad=False),
    Kind(
        "router",
        (1, 1),
        {"w": _port(0, 0, "w", PROMPT)},
        {"e": _port(0, 0, "e", PROMPT), "s": _port(0, 0, "s", PROMPT), "n": _port(0, 0, "n", PROMPT)},
        on_pad=False,
    ),
    Kind("api_port", (2, 2), {"w0": _port(0, 0, "w", PROMPT)}, {"e0": _port(1, 0, "e", TOKEN)}, on_pad=False),
    Kind("token_dock", (2, 2), {"w0": _port(0, 0, "w", TOKEN), "w1": _port(0, 1, "w", TOKEN)}, {}, on_pad=False),
)
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ALL}


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
