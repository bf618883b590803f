"""Level 6: the shared server. Three tenants on two cards, which cannot serve all that they ask for as it comes.

People talk to an assistant and wait for its first word; developers have code explained, in bursts; a workflow has
documents summarised, more of them than there is room for, and long ones: six thousand tokens hold a card for most of a
second. First come, first served makes everybody late but the workflow, which asks the most. A Gateway lets in of it
what can be done in time, and the others before it; a Router spreads both over the cards. That wins. Better still, the
Router keeps people on one card and lets documents go wherever least is to do: then nobody has to be refused.

Tokens per second say nothing of this: most of them are made by refusing the developers, whose answers are short.
Lengths of conversations and code: deciles of the Azure LLM inference traces 2023 (CC-BY-4.0, Microsoft; Splitwise, ISCA
2024). Those of documents, the rates, the bursts and all deadlines are ours.
"""

from engine.level import (
    AllOf,
    AnyOf,
    Ban,
    BurstTraffic,
    Dock,
    Elapsed,
    Goal,
    Lengths,
    Level,
    Linked,
    PadSpec,
    Placed,
    Question,
    Running,
    Setting,
    SettingIs,
    Stars,
    Step,
    Tenant,
    Traffic,
    Unchanged,
    Won,
)
from engine.units import seconds

CONVERSATION = (
    Lengths(16, 4110, [238, 396, 844, 1010, 1046, 1085, 1135, 1236, 2332]),
    Lengths(10, 700, [55, 82, 99, 142, 217, 390, 398, 413, 431]),
)
CODE = (
    Lengths(16, 7437, [155, 397, 778, 1083, 1473, 1897, 2433, 3230, 5051]),
    Lengths(6, 200, [7, 8, 9, 11, 13, 15, 19, 28, 55]),
)
DOCUMENT = (Lengths(5000, 7000), Lengths(200, 400))
ASSISTANT_FIRST = SettingIs("gateway", "priority_0", 3)
CODE_SECOND = SettingIs("gateway", "priority_2", 2)
DOCUMENTS_CAPPED = SettingIs("gateway", "quota_1", 50)

SERVERS = [
    {"kind": "model_server", "x": 7, "y": 1},
    {"kind": "page_allocator", "x": 9, "y": 0},
    {"kind": "batcher", "x": 10, "y": 1},
    {"kind": "chunker", "x": 10, "y": 2},
    {"kind": "model_server", "x": 7, "y": 6},
    {"kind": "page_allocator", "x": 9, "y": 8},
    {"kind": "batcher", "x": 10, "y": 6},
    {"kind": "chunker", "x": 10, "y": 7},
]
WAYS_OUT = [
    {
        "tiles": [[9, 2], [9, 3], [10, 3], [11, 3]],
        "from": {"x": 7, "y": 1, "port": "e1"},
        "to": {"x": 12, "y": 3, "port": "w0"},
    },
    {
        "tiles": [[9, 6], [9, 5], [9, 4], [10, 4], [11, 4]],
        "from": {"x": 7, "y": 6, "port": "e0"},
        "to": {"x": 12, "y": 3, "port": "w1"},
    },
]

LEVEL = Level(
    number=6,
    id="shared_server",
    width=14,
    height=9,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("rtx-4090", 6, 0, 5, 3), PadSpec("rtx-4090", 6, 6, 5, 3)],
    docks=[Dock("prompt_dock", 0, 3), Dock("token_dock", 12, 3)],
    traffic=None,
    tenants=[
        Tenant("assistant", BurstTraffic(0.7, 2.5, 5, 30, *CONVERSATION), ttft_s=2, tpot_s=0.1),
        Tenant("documents", Traffic(seconds(0.9), seconds(0.36), *DOCUMENT), e2e_s=60),
        Tenant("code", BurstTraffic(0.4, 4, 5, 30, *CODE), e2e_s=8),
    ],
    allowed={"model_server": 2, "batcher": 2, "chunker": 2, "page_allocator": 2, "gateway": 1, "router": 1},
    settings={
        "model_server": {
            "max_num_seqs": Setting(32, 1, 64),
            "max_num_batched_tokens": Setting(8192, 8192, 8192),
        },
        "chunker": {"chunk_tokens": Setting(256, 128, 8192)},
        "gateway": {
            **{f"quota_{tenant}": Setting(0, 0, 240) for tenant in range(3)},
            **{f"priority_{tenant}": Setting(0, 0, 3) for tenant in range(3)},
        },
        "router": {
            "policy": Setting(0, 0, 1),
            **{f"way_{tenant}": Setting(0, 0, 3) for tenant in range(3)},
        },
    },
    goals=[Goal("worst_on_time", 0.72, at_least=True), Goal("fairness", 0.95, at_least=True)],
    warmup_s=20,
    end_s=200,
    reference={
        "version": 1,
        "machines": [
            {
                "kind": "gateway",
                "x": 3,
                "y": 4,
                "settings": {"priority_0": 3, "priority_2": 2, "quota_1": 50},
            },
            {"kind": "router", "x": 6, "y": 4},
            *SERVERS,
        ],
        "belts": [
            {"tiles": [[2, 4]], "from": {"x": 0, "y": 3, "port": "e1"}, "to": {"x": 3, "y": 4, "port": "w"}},
            {"tiles": [[5, 4]], "from": {"x": 3, "y": 4, "port": "e"}, "to": {"x": 6, "y": 4, "port": "w"}},
            {"tiles": [[6, 3], [6, 2]], "from": {"x": 6, "y": 4, "port": "n"}, "to": {"x": 7, "y": 1, "port": "w1"}},
            {"tiles": [[6, 5], [6, 6]], "from": {"x": 6, "y": 4, "port": "s"}, "to": {"x": 7, "y": 6, "port": "w0"}},
            *WAYS_OUT,
        ],
    },
    naive={
        "version": 1,
        "machines": SERVERS,
        "belts": [
            {
                "tiles": [[2, 3], [2, 2], [3, 2], [4, 2], [5, 2], [6, 2]],
                "from": {"x": 0, "y": 3, "port": "e0"},
                "to": {"x": 7, "y": 1, "port": "w1"},
            },
            {
                "tiles": [[2, 4], [2, 5], [2, 6], [3, 6], [4, 6], [5, 6], [6, 6]],
                "from": {"x": 0, "y": 3, "port": "e1"},
                "to": {"x": 7, "y": 6, "port": "w0"},
            },
            *WAYS_OUT,
        ],
    },
    naive_fails="worst_on_time",
    bans=[Ban("gateway", kinds=["gateway"]), Ban("router", kinds=["router"])],
    tutorial=[
        Step(
            "door",
            AllOf(
                [
                    Placed("gateway", at=(3, 4)),
                    Linked("prompt_dock", "gateway"),
                    Placed("router", at=(6, 4)),
                    Linked("gateway", "router"),
                ]
            ),
        ),
        Step(
            "servers",
            AllOf(
                [
                    Placed("model_server", pad=0, at=(7, 1)),
                    Placed("model_server", pad=1, at=(7, 6)),
                    Linked("router", "model_server", least=2),
                    Linked("model_server", "token_dock", least=2),
                ]
            ),
        ),
        Step(
            "beside",
            AllOf(
                [
                    Placed("page_allocator", pad=0, at=(9, 0)),
                    Placed("page_allocator", pad=1, at=(9, 8)),
                    Placed("batcher", pad=0, at=(10, 1)),
                    Placed("batcher", pad=1, at=(10, 6)),
                    Placed("chunker", pad=0, at=(10, 2)),
                    Placed("chunker", pad=1, at=(10, 7)),
                ]
            ),
        ),
        Step("start", AnyOf([Running(), ASSISTANT_FIRST, DOCUMENTS_CAPPED]), ["tenants"]),
        Step("look", AnyOf([Elapsed(45), ASSISTANT_FIRST, DOCUMENTS_CAPPED])),
        Step("first", AllOf([ASSISTANT_FIRST, CODE_SECOND]), ["let_in"]),
        Step("quota", DOCUMENTS_CAPPED),
        Step("again", Unchanged()),
        Step("run", Running()),
        Step("warm_up", Elapsed(20)),
        Step("won", Won()),
    ],
    questions=[
        Question("tokens", answers=3, right=1),
        Question("refuse", answers=3, right=2),
        Question("starve", answers=3, right=0),
    ],
    hints=3,
    stars=Stars(latency=Goal("worst_on_time", 0.85, at_least=True), cost=Goal("usd_per_mtok", 0.65)),
)
