"""Level 4: continuous batching. One RTX 4090 serves what it served in a measured run, and has to do so as fast.

Traffic and model are those of a run of vLLM 0.19 with Llama-3.1-8B that was measured (LLMServingSim, MIT, (c) 2024
CASYS Lab KAIST): 10 requests per second, more than one card can do, lengths by their tenths; its longest prompt (3,998
tokens) and answer (1,021) are left out. It made 1,066 tokens per second. A static batch waits for its longest answer,
and its members reserve memory for their whole answers: it does not get beyond 900, whatever its size. Letting requests
join and leave between steps gives 1,000, and pages instead of reservations 1,100.
"""

from engine.level import (
    AllOf,
    AnyOf,
    Ban,
    Dock,
    Elapsed,
    Goal,
    Lengths,
    Level,
    Linked,
    PadSpec,
    Placed,
    PoissonTraffic,
    Question,
    Running,
    Setting,
    SettingAtLeast,
    Stars,
    Step,
    Unchanged,
    Won,
)

PROMPTS = Lengths(262, 2700, [363, 436, 522, 621, 733, 835, 1019, 1218, 1479])
ANSWERS = Lengths(512, 784, [531, 550, 574, 592, 633, 701, 754, 768, 770])
TO_SERVER = {
    "tiles": [[2, 1], [3, 1], [4, 1]],
    "from": {"x": 0, "y": 1, "port": "e0"},
    "to": {"x": 5, "y": 1, "port": "w0"},
}
TO_DOCK = {
    "tiles": [[7, 2], [8, 2], [9, 2], [9, 3], [9, 4], [9, 5]],
    "from": {"x": 5, "y": 1, "port": "e1"},
    "to": {"x": 10, "y": 5, "port": "w0"},
}
BATCHER = Placed("batcher", beside="model_server", at=(7, 4))

LEVEL = Level(
    number=4,
    id="batching",
    width=12,
    height=8,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("rtx-4090", 4, 1, 5, 5)],
    docks=[Dock("prompt_dock", 0, 1), Dock("token_dock", 10, 5)],
    traffic=PoissonTraffic(10, PROMPTS, ANSWERS),
    allowed={"model_server": 1, "batcher": 1, "page_allocator": 1},
    settings={
        "model_server": {
            "max_num_seqs": Setting(8, 1, 256),
            "max_num_batched_tokens": Setting(2048, 2048, 2048),
        },
        "page_allocator": {"block_size": Setting(16, 16, 16)},
    },
    goals=[Goal("tps", 1050, at_least=True)],
    warmup_s=20,
    end_s=200,
    reference={
        "version": 1,
        "machines": [
            {"kind": "model_server", "x": 5, "y": 1, "settings": {"max_num_seqs": 32}},
            {"kind": "page_allocator", "x": 5, "y": 4},
            {"kind": "batcher", "x": 7, "y": 4},
        ],
        "belts": [TO_SERVER, TO_DOCK],
    },
    naive={
        "version": 1,
        "machines": [{"kind": "model_server", "x": 5, "y": 1, "settings": {"max_num_seqs": 256}}],
        "belts": [TO_SERVER, TO_DOCK],
    },
    naive_fails="tps",
    bans=[Ban("batcher", kinds=["batcher"]), Ban("page_allocator", kinds=["page_allocator"])],
    tutorial=[
        Step(
            "server",
            AllOf(
                [
                    Placed("model_server", at=(5, 1)),
                    Linked("prompt_dock", "model_server"),
                    Linked("model_server", "token_dock"),
                ]
            ),
        ),
        Step("start", AnyOf([Running(), BATCHER]), ["slots"]),
        Step("wait", AnyOf([Elapsed(25), BATCHER])),
        Step("slots", SettingAtLeast("model_server", "max_num_seqs", 32), ["weights_gb", "slots"]),
        Step("batcher", BATCHER),
        Step(
            "pages",
            Placed("page_allocator", beside="model_server", at=(5, 4)),
            ["kv_memory_tokens"],
        ),
        Step("again", Unchanged()),
        Step("run", Running(), ["tps_full"]),
        Step("warm_up", Elapsed(20)),
        Step("won", Won()),
    ],
    questions=[
        Question("empty", answers=3, right=1),
        Question("together", answers=3, right=2),
        Question("limit", answers=3, right=0),
    ],
    hints=3,
    stars=Stars(latency=Goal("pause_p95", 0.5), cost=Goal("usd_per_mtok", 0.152)),
)
