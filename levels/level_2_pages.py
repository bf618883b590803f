"""Level 2: pages. Two cards with 3,072 MiB each, and answers as long as prompts.

A server that reserves the longest length for every sequence holds two of them, and the third is "CUDA out of memory".
A sequence lives at about 1,820 tokens on average: paging, which reserves nothing, holds three in the same memory.
"""

from engine.level import (
    CONTIGUOUS,
    AllOf,
    AnyOf,
    Ban,
    Crashed,
    Dock,
    Elapsed,
    Goal,
    Lengths,
    Level,
    Linked,
    NotCrashed,
    NotLinked,
    PadSpec,
    Placed,
    Question,
    Running,
    Setting,
    Stars,
    Step,
    Told,
    Traffic,
    Unchanged,
    Won,
)
from engine.units import seconds

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
CORES = [{"kind": "prefill_core", "x": 3, "y": 1}, {"kind": "decode_core", "x": 6, "y": 4}]
ALLOCATED = Placed("page_allocator", beside="decode_core", at=(8, 6))

LEVEL = Level(
    number=2,
    id="pages",
    width=12,
    height=8,
    model="llama-3.2-3b-q4-k-m",
    link="1gbe",
    pads=[PadSpec("gtx-1050", 3, 0, 4, 4), PadSpec("gtx-1050", 6, 4, 4, 4)],
    docks=[Dock("prompt_dock", 0, 1), Dock("token_dock", 10, 5)],
    traffic=Traffic(seconds(18), seconds(2), Lengths(900, 1500), Lengths(900, 1500)),
    allowed={"prefill_core": 2, "decode_core": 2, "page_allocator": 2},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(2048, 2048, 2048)},
        "decode_core": {"max_num_seqs": Setting(3, 1, 8), "max_model_len": Setting(3072, 2048, 3072)},
        "page_allocator": {"block_size": Setting(16, 16, 16)},
    },
    goals=[
        Goal("tps", 60, at_least=True),
        Goal("pause_p95", 1.0),
        Goal("out_of_memory", 0),
        Goal("refused", 0),
    ],
    warmup_s=120,
    end_s=600,
    memory_utilization=1.0,  # no desktop on these cards: all but the driver's own share
    kv_memory=CONTIGUOUS,
    max_model_len=3072,
    admission_reserve=0.05,
    reference={
        "version": 1,
        "machines": [*CORES, {"kind": "page_allocator", "x": 8, "y": 6}],
        "belts": BELTS,
    },
    naive={"version": 1, "machines": CORES, "belts": BELTS},
    naive_fails="out_of_memory",
    bans=[Ban("page_allocator", kinds=["page_allocator"])],
    tutorial=[
        Step(
            "line",
            AllOf(
                [
                    Placed("prefill_core", at=(3, 1)),
                    Linked("prompt_dock", "prefill_core"),
                    Placed("decode_core", apart="prefill_core", at=(6, 4)),
                    NotLinked("prefill_core", "decode_core", together=True),
                    Linked("prefill_core", "decode_core", apart=True),
                    Linked("decode_core", "token_dock"),
                ]
            ),
        ),
        Step("start", AnyOf([Running(), ALLOCATED]), ["reserved_mib", "kv_memory_mib"]),
        Step("crash", AnyOf([Crashed(), ALLOCATED, Elapsed(300)]), ["reserved_fit"]),
        Step("report", Told("selected:decode_core")),
        Step("pages", ALLOCATED, ["block_tokens", "block_waste"]),
        Step("again", AllOf([NotCrashed(), Unchanged()])),
        Step("run", Running(), ["paged_fit"]),
        Step("map", Told("panel:memory")),
        Step("warm_up", Elapsed(120)),
        Step("won", Won()),
    ],
    questions=[Question("fit", answers=3, right=1), Question("full", answers=3, right=1)],
    hints=3,
    stars=Stars(latency=Goal("ttft_p95", 23), cost=Goal("usd_per_mtok", 0.382)),
)
