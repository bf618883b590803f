"""The floor that lives behind the title: three lines with every machine, on four cards. Nobody plays it."""

from typing import Any

from engine.level import Dock, Goal, Lengths, Level, PadSpec, Setting, Traffic
from engine.units import seconds


def belt(source: tuple[int, int, str], target: tuple[int, int, str], *tiles: tuple[int, int]) -> dict[str, Any]:
    """A belt as a layout has it."""
    ends = [{"x": x, "y": y, "port": port} for x, y, port in (source, target)]
    return {"tiles": [list(tile) for tile in tiles], "from": ends[0], "to": ends[1]}


MACHINES = [
    {"kind": "prefill_core", "x": 4, "y": 2},
    {"kind": "draft_model", "x": 8, "y": 0, "settings": {"num_speculative_tokens": 4, "model": 0}},
    {"kind": "decode_core", "x": 8, "y": 2},
    {"kind": "validation_gate", "x": 10, "y": 2},
    {"kind": "page_allocator", "x": 5, "y": 0},
    {"kind": "prefill_core", "x": 4, "y": 5},
    {"kind": "prefill_core", "x": 4, "y": 7},
    {"kind": "decode_core", "x": 9, "y": 5},
    {"kind": "decode_core", "x": 9, "y": 7},
    {"kind": "page_allocator", "x": 10, "y": 6},
    {"kind": "prefill_core", "x": 4, "y": 9},
    {"kind": "decode_core", "x": 8, "y": 9},
    {"kind": "page_allocator", "x": 5, "y": 11},
]
BELTS = [
    belt((0, 1, "e1"), (4, 2, "w"), (2, 2), (3, 2)),
    belt((4, 2, "e"), (8, 2, "w"), (6, 2), (7, 2)),
    belt((8, 0, "s"), (8, 2, "n"), (8, 1)),
    belt((8, 2, "e"), (10, 2, "w"), (9, 2)),
    belt((10, 2, "e"), (14, 1, "w1"), (11, 2), (12, 2), (13, 2)),
    belt((0, 5, "e0"), (4, 5, "w"), (2, 5), (3, 5)),
    belt((0, 5, "e1"), (4, 7, "w"), (2, 6), (2, 7), (3, 7)),
    belt((4, 5, "e"), (9, 5, "w"), (6, 5), (7, 5), (8, 5)),
    belt((4, 7, "e"), (9, 7, "w"), (6, 7), (7, 7), (8, 7)),
    belt((9, 5, "e"), (14, 5, "w0"), (10, 5), (11, 5), (12, 5), (13, 5)),
    belt((9, 7, "e"), (14, 5, "w1"), (10, 7), (11, 7), (12, 7), (12, 6), (13, 6)),
    belt((0, 9, "e0"), (4, 9, "w"), (2, 9), (3, 9)),
    belt((4, 9, "e"), (8, 9, "w"), (6, 9), (7, 9)),
    belt((8, 9, "e"), (14, 9, "w0"), (9, 9), (10, 9), (11, 9), (12, 9), (13, 9)),
]

LEVEL = Level(
    number=0,
    id="title",
    width=17,
    height=12,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[
        PadSpec("l4", 3, 0, 8, 4),
        PadSpec("l4", 3, 4, 4, 4),
        PadSpec("l4", 8, 4, 4, 4),
        PadSpec("l4", 3, 8, 6, 4),
    ],
    docks=[Dock(kind, x, y) for kind, x in (("prompt_dock", 0), ("token_dock", 14)) for y in (1, 5, 9)],
    traffic=Traffic(seconds(3.6), seconds(1.4), Lengths(2048, 4096), Lengths(96, 192)),
    allowed={"prefill_core": 4, "decode_core": 4, "page_allocator": 3, "draft_model": 1, "validation_gate": 1},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(4096, 4096, 4096)},
        "decode_core": {"max_num_seqs": Setting(8, 1, 8)},
        "page_allocator": {"block_size": Setting(16, 16, 16)},
        "draft_model": {"num_speculative_tokens": Setting(4, 1, 10), "model": Setting(0, 0, 0)},
    },
    goals=[Goal("tps", 30, at_least=True)],
    warmup_s=20,
    end_s=3600,
    draft_models=["llama-3.2-1b-q4-k-m"],
    acceptance=0.8,
    reference={"version": 1, "machines": MACHINES, "belts": BELTS},
)
