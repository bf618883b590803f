"""Level 7: the right model for the task. Three teams, three kinds of task, and no model that is best at all of them.

Questions need a model that follows instructions, code one that writes functions which pass their tests, and summaries
are written best by the 3B model: the 8B one has fewer points there. So each task goes to a model of its own. The 3B
model and the 8B one in 16 bits need a card each; with its weights in 4 or 8 bits the 8B one fits beside the other, and
one card does the work of two. It is fast enough once the code that all developers ask about is computed only once.
"""

from typing import Any

from engine.level import (
    RENTED,
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
    SettingIs,
    SettingOfOne,
    Stars,
    Step,
    Supply,
    Tenant,
    Unchanged,
    WayTo,
    Won,
)

MODELS = ["llama-3.2-1b", "llama-3.2-3b", "llama-3.1-8b-w4a16", "llama-3.1-8b-fp8", "llama-3.1-8b"]
SMALL, THREE_B, FOUR_BIT, FP8, EIGHT_B = range(5)
BY_TASK = 1
EAST, SOUTH = 1, 2
SHARED = 6_000
"""Tokens of the code base that every question about code begins with."""


def _server(x: int, y: int, **settings: int) -> dict[str, Any]:
    return {"kind": "model_server", "x": x, "y": y, "settings": settings}


def _belt(source: tuple[int, int, str], target: tuple[int, int, str], *tiles: list[int]) -> dict[str, Any]:
    """A belt from a machine's port to another's."""
    ends = [dict(zip(("x", "y", "port"), end, strict=True)) for end in (source, target)]
    return {"tiles": list(tiles), "from": ends[0], "to": ends[1]}


BESIDE = [
    {"kind": "batcher", "x": 9, "y": 1},
    {"kind": "page_allocator", "x": 10, "y": 1},
    {"kind": "prefix_cache", "x": 9, "y": 3},
]
FIRST_OUT = _belt((7, 0, "e0"), (14, 0, "w0"), [9, 0], [10, 0], [11, 0], [12, 0], [13, 0])

LEVEL = Level(
    number=7,
    id="right_model",
    width=16,
    height=10,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("rtx-4090", 6, 0, 6, 4), PadSpec("rtx-4090", 6, 6, 6, 4)],
    docks=[Dock("prompt_dock", 0, 4), Dock("token_dock", 14, 0), Dock("token_dock", 14, 6)],
    traffic=None,
    tenants=[
        Tenant(
            "questions",
            PoissonTraffic(2.5, Lengths(200, 600), Lengths(60, 140)),
            ttft_s=1.5,
            e2e_s=10,
            benchmark="ifeval",
            quality=75,
        ),
        Tenant(
            "summaries",
            PoissonTraffic(0.4, Lengths(3_000, 5_000), Lengths(80, 120)),
            e2e_s=12,
            benchmark="tldr9",
            quality=18,
        ),
        Tenant(
            "code",
            PoissonTraffic(1.6, Lengths(SHARED + 200, SHARED + 600), Lengths(40, 100)),
            ttft_s=1.5,
            e2e_s=8,
            prefix_tokens=SHARED,
            benchmark="humaneval",
            quality=70,
        ),
    ],
    models=MODELS,
    allowed={"model_server": 3, "batcher": 2, "page_allocator": 2, "prefix_cache": 2, "router": 1},
    settings={
        "model_server": {
            "max_num_seqs": Setting(64, 1, 128),
            "max_num_batched_tokens": Setting(8192, 8192, 8192),
            "model": Setting(THREE_B, SMALL, EIGHT_B, choices=MODELS),
        },
        "page_allocator": {"block_size": Setting(16, 16, 16)},
        "router": {
            "policy": Setting(0, 0, 2),
            "fallback": Setting(0, 0, 3),
            "way_0": Setting(0, 0, 3),
            "way_1": Setting(0, 0, 3),
            "way_2": Setting(0, 0, 3),
        },
    },
    goals=[Goal("worst_on_time", 0.9, at_least=True), Goal("usd_per_task", 50e-6)],
    warmup_s=20,
    end_s=120,
    supply=Supply([RENTED, RENTED]),
    reference={
        "version": 1,
        "machines": [
            {
                "kind": "router",
                "x": 4,
                "y": 1,
                "settings": {"policy": BY_TASK, "fallback": 0, "way_0": EAST, "way_1": EAST, "way_2": SOUTH},
            },
            _server(7, 0, model=THREE_B, max_num_seqs=64),
            _server(7, 2, model=FOUR_BIT, max_num_seqs=64),
            *BESIDE,
        ],
        "belts": [
            _belt((0, 4, "e0"), (4, 1, "w"), [2, 4], [3, 4], [3, 3], [3, 2], [3, 1]),
            _belt((4, 1, "e"), (7, 0, "w1"), [5, 1], [6, 1]),
            _belt((4, 1, "s"), (7, 2, "w0"), [4, 2], [5, 2], [6, 2]),
            FIRST_OUT,
            _belt((7, 2, "e0"), (14, 0, "w1"), [9, 2], [10, 2], [11, 2], [12, 2], [13, 2], [13, 1]),
        ],
    },
    naive={
        "version": 1,
        "machines": [_server(7, 0, model=EIGHT_B, max_num_seqs=64), *BESIDE],
        "belts": [
            _belt(
                (0, 4, "e0"),
                (7, 0, "w0"),
                *([2, 4], [3, 4], [4, 4], [4, 3], [4, 2], [4, 1], [4, 0], [5, 0], [6, 0]),
            ),
            FIRST_OUT,
        ],
    },
    naive_fails="worst_on_time",
    bans=[Ban("router", kinds=["router"]), Ban("prefix_cache", kinds=["prefix_cache"])],
    tutorial=[
        Step(
            "three_b",
            AllOf([Placed("model_server", at=(7, 0)), SettingOfOne("model_server", "model", THREE_B, at=(7, 0))]),
            ["summaries_3b", "summaries_8b"],
        ),
        Step(
            "beside",
            AllOf(
                [
                    Placed("batcher", beside="model_server", at=(9, 1)),
                    Placed("page_allocator", beside="model_server", at=(10, 1)),
                ]
            ),
        ),
        Step(
            "eight_b",
            AllOf(
                [
                    Placed("model_server", beside="batcher", at=(7, 2), least=2),
                    AnyOf([SettingOfOne("model_server", "model", model, at=(7, 2)) for model in (FOUR_BIT, FP8)]),
                ]
            ),
            ["code_8b"],
        ),
        Step(
            "router",
            AllOf(
                [
                    Placed("router", at=(4, 1)),
                    Linked("prompt_dock", "router"),
                    Linked("router", "model_server", least=2),
                ]
            ),
        ),
        Step("out", Linked("model_server", "token_dock", least=2)),
        Step("by_task", SettingIs("router", "policy", BY_TASK)),
        Step(
            "ways",
            AllOf(
                [
                    WayTo("way_0", "model_server", "model", [THREE_B]),
                    WayTo("way_1", "model_server", "model", [THREE_B]),
                    WayTo("way_2", "model_server", "model", [FOUR_BIT, FP8]),
                ]
            ),
        ),
        Step("cache", Placed("prefix_cache", beside="model_server", at=(9, 3))),
        Step("start", Running(), ["rent_one"]),
        Step("again", Unchanged()),
        Step("warm_up", Elapsed(20)),
        Step("won", Won()),
    ],
    questions=[
        Question("larger", answers=3, right=1),
        Question("bits", answers=3, right=1),
        Question("count", answers=3, right=1),
    ],
    hints=3,
    stars=Stars(latency=Goal("e2e_p95", 3.5), cost=Goal("usd_per_task", 41.5e-6)),
)
