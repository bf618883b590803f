"""Two to one: prompts are long and answers short, so that reading takes more of a GPU than writing.

An L4 reads a prompt of 2,048 tokens of Llama 3.1 8B in 0.5 s, and one comes every 0.4 s: one card cannot keep up,
however short the queue is at first. Of the answers, one card writes them all, since a decode step takes about as long
for eight sequences as for one.
"""

from engine.level import (
    AllOf,
    Ban,
    Dock,
    Goal,
    Lengths,
    Level,
    Linked,
    PadSpec,
    Placed,
    Question,
    Running,
    Setting,
    Step,
    Told,
    Traffic,
    Won,
)
from engine.units import seconds

TO_UPPER = {
    "tiles": [[2, 4], [2, 3], [2, 2], [3, 2]],
    "from": {"x": 0, "y": 4, "port": "e0"},
    "to": {"x": 4, "y": 2, "port": "w"},
}
TO_TOKENS = {
    "tiles": [[11, 4], [12, 4], [13, 4]],
    "from": {"x": 10, "y": 4, "port": "e"},
    "to": {"x": 14, "y": 4, "port": "w0"},
}
UPPER, LOWER, WRITER = (
    {"kind": "prefill_core", "x": 4, "y": 2},
    {"kind": "prefill_core", "x": 4, "y": 7},
    {"kind": "decode_core", "x": 10, "y": 4},
)

LEVEL = Level(
    number=1,
    id="two_to_one",
    width=16,
    height=10,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("l4", 3, 0, 4, 4), PadSpec("l4", 3, 6, 4, 4), PadSpec("l4", 9, 3, 4, 4)],
    docks=[Dock("prompt_dock", 0, 4), Dock("token_dock", 14, 4)],
    traffic=Traffic(seconds(0.4), seconds(0.05), Lengths(1792, 2304), Lengths(24, 40)),
    allowed={"prefill_core": 3, "decode_core": 3},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(2304, 2304, 2304)},
        "decode_core": {"max_num_seqs": Setting(8, 1, 12)},
    },
    goals=[Goal("tps", 70, at_least=True), Goal("ttft_p95", 2.0), Goal("pause_p95", 0.3)],
    warmup_s=20,
    end_s=180,
    reference={
        "version": 1,
        "machines": [UPPER, LOWER, WRITER],
        "belts": [
            TO_UPPER,
            {
                "tiles": [[2, 5], [2, 6], [2, 7], [3, 7]],
                "from": {"x": 0, "y": 4, "port": "e1"},
                "to": {"x": 4, "y": 7, "port": "w"},
            },
            {
                "tiles": [[6, 2], [7, 2], [8, 2], [9, 2], [10, 2], [10, 3]],
                "from": {"x": 4, "y": 2, "port": "e"},
                "to": {"x": 10, "y": 4, "port": "n"},
            },
            {
                "tiles": [[6, 7], [7, 7], [8, 7], [8, 6], [8, 5], [8, 4], [9, 4]],
                "from": {"x": 4, "y": 7, "port": "e"},
                "to": {"x": 10, "y": 4, "port": "w"},
            },
            TO_TOKENS,
        ],
    },
    naive={
        "version": 1,
        "machines": [UPPER, {"kind": "decode_core", "x": 5, "y": 7}, WRITER],
        "belts": [
            TO_UPPER,
            {
                "tiles": [[6, 2], [7, 2], [8, 2], [8, 3], [8, 4], [9, 4]],
                "from": {"x": 4, "y": 2, "port": "e"},
                "to": {"x": 10, "y": 4, "port": "w"},
            },
            {
                "tiles": [[5, 3], [5, 4], [5, 5], [5, 6]],
                "from": {"x": 4, "y": 2, "port": "s"},
                "to": {"x": 5, "y": 7, "port": "n"},
            },
            {
                "tiles": [[6, 7], [7, 7], [8, 7], [9, 7], [10, 7], [11, 7], [12, 7], [13, 7], [13, 6], [13, 5]],
                "from": {"x": 5, "y": 7, "port": "e"},
                "to": {"x": 14, "y": 4, "port": "w1"},
            },
            TO_TOKENS,
        ],
    },
    naive_fails="ttft_p95",
    bans=[Ban("together", apart=["prefill_core", "decode_core"])],
    tutorial=[
        Step(
            "read",
            AllOf(
                [
                    Placed("prefill_core", pad=0, at=(4, 2)),
                    Placed("prefill_core", pad=1, at=(4, 7)),
                    Linked("prompt_dock", "prefill_core"),
                ]
            ),
        ),
        Step(
            "write",
            AllOf(
                [
                    Placed("decode_core", pad=2, at=(10, 4)),
                    Linked("prefill_core", "decode_core", apart=True),
                    Linked("decode_core", "token_dock"),
                ]
            ),
        ),
        Step("start", Running()),
        Step("graphs", Told("panel:graphs")),
        Step("won", Won()),
    ],
    questions=[Question("ratio", answers=3, right=1), Question("longer", answers=3, right=0)],
    hints=3,
)
