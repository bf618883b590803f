"""Morning rush: requests from a CSV file, in waves. What is enough on average is not enough in a wave.

`morning_rush.csv` is made up: 125 requests in four minutes, one every 2.8 s or so, and one every 0.6 s in three waves
of ten seconds. No service was measured for it. Write your own with the columns arrival, prompt_tokens and
output_tokens.

An answer of 200 tokens takes 14 s to write, so that seven are under way on average, and about twenty in a wave. Eight
slots deliver all the tokens in the end, but the requests of a wave wait, and it is them that the 95th percentile of
TTFT tells of.
"""

from pathlib import Path

from engine.level import (
    AllOf,
    Dock,
    Goal,
    Level,
    Linked,
    PadSpec,
    Running,
    Setting,
    SettingAtLeast,
    Step,
    Won,
    trace_from_csv,
)

BELTS = [
    {"tiles": [[2, 1]], "from": {"x": 0, "y": 1, "port": "e0"}, "to": {"x": 3, "y": 1, "port": "w"}},
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
]


def layout(slots):
    """Prefill on one card, decode on the other, with so many slots."""
    cores = [
        {"kind": "prefill_core", "x": 3, "y": 1},
        {"kind": "decode_core", "x": 6, "y": 4, "settings": {"max_num_seqs": slots}},
    ]
    return {"version": 1, "machines": cores, "belts": BELTS}


LEVEL = Level(
    number=1,
    id="morning_rush",
    width=12,
    height=8,
    model="llama-3.1-8b",
    link="5gbase-t",
    pads=[PadSpec("l4", 3, 0, 4, 4), PadSpec("l4", 6, 4, 4, 4)],
    docks=[Dock("prompt_dock", 0, 1), Dock("token_dock", 10, 5)],
    traffic=trace_from_csv(Path(__file__).with_name("morning_rush.csv")),
    allowed={"prefill_core": 2, "decode_core": 2},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(2048, 2048, 2048)},
        "decode_core": {"max_num_seqs": Setting(8, 1, 48)},
    },
    goals=[Goal("tps", 95, at_least=True), Goal("ttft_p95", 2.0), Goal("pause_p95", 0.3)],
    warmup_s=20,
    end_s=240,
    reference=layout(32),
    naive=layout(8),
    naive_fails="ttft_p95",
    tutorial=[
        Step("line", AllOf([Linked("prefill_core", "decode_core"), Linked("decode_core", "token_dock")])),
        Step("slots", SettingAtLeast("decode_core", "max_num_seqs", 20)),
        Step("run", Running()),
        Step("won", Won()),
    ],
    hints=2,
)
