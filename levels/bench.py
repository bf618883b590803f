"""The level of the benchmarks: fifty lanes with a card each, 200 machines in all and about 10,000 packets on their
way.
"""

from engine.level import Dock, Goal, Lengths, Level, PadSpec, Setting, Traffic
from engine.units import seconds

LANES = 50
TOKEN_BELT = 25

MACHINES, BELTS, DOCKS, PADS = [], [], [], []
for lane in range(LANES):
    y, last = 2 * lane, 8 + TOKEN_BELT
    DOCKS += [Dock("prompt_dock", 0, y), Dock("token_dock", last, y)]
    PADS.append(PadSpec("l4", 3, y, 5, 2))
    MACHINES += [
        {"kind": "prefill_core", "x": 3, "y": y},
        {"kind": "decode_core", "x": 7, "y": y},
    ]
    BELTS += [
        {
            "tiles": [[2, y]],
            "from": {"x": 0, "y": y, "port": "e0"},
            "to": {"x": 3, "y": y, "port": "w"},
        },
        {
            "tiles": [[5, y], [6, y]],
            "from": {"x": 3, "y": y, "port": "e"},
            "to": {"x": 7, "y": y, "port": "w"},
        },
        {
            "tiles": [[x, y] for x in range(8, last)],
            "from": {"x": 7, "y": y, "port": "e"},
            "to": {"x": last, "y": y, "port": "w0"},
        },
    ]

LEVEL = Level(
    number=0,
    id="bench",
    width=10 + TOKEN_BELT,
    height=2 * LANES,
    model="llama-3.1-8b",
    link="5gbase-t",
    pads=PADS,
    docks=DOCKS,
    traffic=Traffic(seconds(1.8), seconds(0.15), Lengths(4096, 4096), Lengths(64, 64)),
    allowed={"prefill_core": LANES, "decode_core": LANES},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(4096, 4096, 4096)},
        "decode_core": {"max_num_seqs": Setting(8, 1, 8)},
    },
    goals=[Goal("tps", 30, at_least=True), Goal("ttft_p95", 2.5), Goal("pause_p95", 0.5)],
    warmup_s=20,
    end_s=240,
    reference={"version": 1, "machines": MACHINES, "belts": BELTS},
)
