"""Level 1: prefill and decode. Two L4 cards; a long prompt must not stop the answers of others, and a hand-off takes
its way.

One card can't do both jobs well: a prompt of 4,096 tokens takes about a second to prefill, and every answer on that
card stands still meanwhile. One card for each job keeps answers flowing, if the KV cache (512 MiB a prompt) has a
short way to go.
"""

from engine.level import (
    AllOf,
    Ban,
    Dock,
    Elapsed,
    Goal,
    Lengths,
    Level,
    Linked,
    NotLinked,
    PadSpec,
    Placed,
    Question,
    Running,
    Setting,
    SettingAtLeast,
    Stars,
    Step,
    Told,
    Traffic,
    Unchanged,
    Won,
)
from engine.units import seconds

LEVEL = Level(
    number=1,
    id="prefill_and_decode",
    width=12,
    height=8,
    model="llama-3.1-8b",
    link="5gbase-t",
    pads=[PadSpec("l4", 3, 0, 4, 4), PadSpec("l4", 6, 4, 4, 4)],
    docks=[Dock("prompt_dock", 0, 1), Dock("token_dock", 10, 5)],
    traffic=Traffic(seconds(1.8), seconds(0.15), Lengths(4096, 4096), Lengths(64, 64)),
    allowed={"prefill_core": 2, "decode_core": 2},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(4096, 4096, 4096)},
        "decode_core": {"max_num_seqs": Setting(4, 1, 8)},
    },
    goals=[
        Goal("tps", 30, at_least=True),
        Goal("ttft_p95", 2.5),
        Goal("pause_p95", 0.5),
    ],
    warmup_s=20,
    end_s=240,
    reference={
        "version": 1,
        "machines": [
            {"kind": "prefill_core", "x": 3, "y": 1},
            {"kind": "decode_core", "x": 6, "y": 4},
        ],
        "belts": [
            {
                "tiles": [[2, 1]],
                "from": {"x": 0, "y": 1, "port": "e0"},
                "to": {"x": 3, "y": 1, "port": "w"},
            },
            {
                "tiles": [[5, 1], [5, 2], [5, 3], [5, 4]],
                "from": {"x": 3, "y": 1, "port": "e"},
                "to": {"x": 6, "y": 4, "port": "w"},
            },
            {
                "tiles": [[7, 4], [8, 4], [9, 4], [9, 5]],
                "from": {"x": 6, "y": 4, "port": "e"},
                "to": {"x": 10, "y": 5, "port": "w0"},
            },
        ],
    },
    naive={
        "version": 1,
        "machines": [
            {"kind": "prefill_core", "x": 3, "y": 1},
            {"kind": "decode_core", "x": 6, "y": 1, "settings": {"max_num_seqs": 8}},
        ],
        "belts": [
            {
                "tiles": [[2, 1]],
                "from": {"x": 0, "y": 1, "port": "e0"},
                "to": {"x": 3, "y": 1, "port": "w"},
            },
            {
                "tiles": [[5, 1]],
                "from": {"x": 3, "y": 1, "port": "e"},
                "to": {"x": 6, "y": 1, "port": "w"},
            },
            {
                "tiles": [[7, 1], [8, 1], [8, 2], [8, 3], [9, 3], [9, 4], [9, 5]],
                "from": {"x": 6, "y": 1, "port": "e"},
                "to": {"x": 10, "y": 5, "port": "w0"},
            },
        ],
    },
    naive_fails="pause_p95",
    bans=[
        Ban("card_for_each_job", apart=["prefill_core", "decode_core"]),
        Ban("short_way", way=16),
    ],
    tutorial=[
        Step("prefill", Placed("prefill_core", at=(3, 1)), ["prompt_tokens"]),
        Step("prompts", Linked("prompt_dock", "prefill_core")),
        Step("decode", Placed("decode_core", apart="prefill_core", at=(6, 4)), ["prefill_s"]),
        Step(
            "handoff",
            AllOf(
                [
                    NotLinked("prefill_core", "decode_core", together=True),
                    Linked("prefill_core", "decode_core", apart=True),
                ]
            ),
            ["kv_prompt_mib", "tile_ms"],
        ),
        Step("tokens", Linked("decode_core", "token_dock")),
        Step("batch", SettingAtLeast("decode_core", "max_num_seqs", 8), ["weights_gb"]),
        Step("start", Running()),
        Step("codex", Told("codex:decode_core"), ["step_ms", "weights_gb"]),
        Step("graphs", Told("panel:graphs")),
        Step("warm_up", Elapsed(20)),
        Step("again", Unchanged()),
        Step("won", Won()),
    ],
    questions=[Question("stall", answers=3, right=2), Question("batch", answers=3, right=1)],
    hints=3,
    stars=Stars(latency=Goal("ttft_p95", 2.15), cost=Goal("usd_per_mtok", 12.5)),
)
