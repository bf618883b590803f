"""Level 8: the bill. A help desk by the day: nobody at night, a rush in the morning, something to do until late.

One's own card is paid day and night, an API by the token. The card has to be good for its hours, and not for the rush:
what it cannot answer in time goes to the API. Two cards of one's own stand idle for most of the day; the API alone asks
for each task more than the card's whole day costs a task. Against the cheapest offers of the catalog a card with 16-bit
weights never pays, and the company's contract is with a dear one: the break-even panel shows all.

An hour of the day lasts 20 s, at the rate of the true hour: what a task costs is the day's, and the day's bill is 180
times the run's.
"""

from typing import Any

from engine.level import (
    CHOICE,
    AllOf,
    AnyOf,
    Ban,
    DayTraffic,
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
    Supply,
    Tenant,
    Unchanged,
    WayTo,
    Won,
)

# requests per hour, from midnight on: size and shape are ours (public latency trackers have the peak of weekdays from
# eight to two, and a smaller one in the evening)
DAY = [200, 100, 100, 100, 100, 300, 1_000, 4_000, 11_000, 15_000, 12_000, 7_000]
DAY += [4_500, 6_000, 6_500, 5_500, 4_500, 3_500, 2_500, 3_500, 4_000, 2_500, 1_000, 400]
HOUR_S = 20
IN_TIME = [16, 15, 17, 14, 18, 13, 19]
"""Slots with which one card's answers are in time, and few enough go to the API."""
OFFERS = ["together", "bedrock"]


def _server(x: int, y: int, **settings: int) -> dict[str, Any]:
    return {"kind": "model_server", "x": x, "y": y, "settings": settings}


def _belt(source: tuple[int, int, str], target: tuple[int, int, str], *tiles: list[int]) -> dict[str, Any]:
    """A belt from a machine's port to another's."""
    ends = [dict(zip(("x", "y", "port"), end, strict=True)) for end in (source, target)]
    return {"tiles": list(tiles), "from": ends[0], "to": ends[1]}


ROUTER = {"kind": "router", "x": 4, "y": 4, "settings": {"policy": 0, "fallback": 1}}
UPPER = [
    _server(7, 0, max_num_seqs=16, supply=0),
    {"kind": "batcher", "x": 6, "y": 2},
    {"kind": "page_allocator", "x": 7, "y": 2},
]
LOWER = [
    _server(7, 8, max_num_seqs=16, supply=0),
    {"kind": "batcher", "x": 6, "y": 7},
    {"kind": "page_allocator", "x": 7, "y": 7},
]
TO_ROUTER = _belt((0, 4, "e0"), (4, 4, "w"), [2, 4], [3, 4])
TO_UPPER = _belt((4, 4, "n"), (7, 0, "w0"), [4, 3], [4, 2], [4, 1], [4, 0], [5, 0], [6, 0])
TO_LOWER = _belt((4, 4, "s"), (7, 8, "w0"), [4, 5], [4, 6], [4, 7], [4, 8], [5, 8], [6, 8])
FROM_UPPER = _belt((7, 0, "e0"), (13, 2, "w0"), [9, 0], [10, 0], [11, 0], [12, 0], [12, 1], [12, 2])
FROM_LOWER = _belt((7, 8, "e0"), (13, 6, "w1"), [9, 8], [10, 8], [11, 8], [12, 8], [12, 7])

LEVEL = Level(
    number=8,
    id="the_bill",
    width=15,
    height=10,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("rtx-4090", 6, 0, 4, 3), PadSpec("rtx-4090", 6, 7, 4, 3)],
    docks=[Dock("prompt_dock", 0, 4), Dock("token_dock", 13, 2), Dock("token_dock", 13, 6)],
    traffic=None,
    tenants=[
        Tenant(
            "help_desk",
            DayTraffic(DAY, HOUR_S, Lengths(600, 1200), Lengths(200, 400)),
            ttft_s=2,
            e2e_s=10,
        )
    ],
    allowed={"model_server": 2, "batcher": 2, "page_allocator": 2, "router": 1, "api_port": 1},
    settings={
        "model_server": {
            "max_num_seqs": Setting(32, 1, 64),
            "max_num_batched_tokens": Setting(2048, 2048, 2048),
            "supply": Setting(1, 0, 1),
        },
        "page_allocator": {"block_size": Setting(16, 16, 16)},
        "router": {"policy": Setting(0, 0, 0), "fallback": Setting(0, 0, 3)},
        "api_port": {"offer": Setting(0, 0, 1, choices=OFFERS)},
    },
    goals=[Goal("on_time", 0.95, at_least=True), Goal("usd_per_task", 130e-6)],
    warmup_s=0,
    end_s=24 * HOUR_S,
    apis=OFFERS,
    supply=Supply([CHOICE, CHOICE]),
    reference={
        "version": 1,
        "machines": [*UPPER, ROUTER, {"kind": "api_port", "x": 7, "y": 4, "settings": {"offer": 0}}],
        "belts": [
            TO_ROUTER,
            TO_UPPER,
            FROM_UPPER,
            _belt((4, 4, "e"), (7, 4, "w0"), [5, 4], [6, 4]),
            _belt((7, 4, "e0"), (13, 2, "w1"), [9, 4], [10, 4], [11, 4], [12, 4], [12, 3]),
        ],
    },
    naive={
        "version": 1,
        "machines": [*UPPER, *LOWER, {**ROUTER, "settings": {"policy": 0, "fallback": 0}}],
        "belts": [TO_ROUTER, TO_UPPER, TO_LOWER, FROM_UPPER, FROM_LOWER],
    },
    naive_fails="usd_per_task",
    bans=[Ban("api_port", kinds=["api_port"]), Ban("model_server", kinds=["model_server"])],
    tutorial=[
        Step(
            "own",
            AllOf(
                [
                    Placed("model_server", at=(7, 0)),
                    Placed("batcher", beside="model_server", at=(6, 2)),
                    Placed("page_allocator", beside="model_server", at=(7, 2)),
                ]
            ),
        ),
        Step("buy", SettingIs("model_server", "supply", 0), ["rent_one", "own_idle_usd", "own_busy_usd"]),
        Step(
            "line",
            AllOf(
                [
                    Placed("router", at=(4, 4)),
                    Linked("prompt_dock", "router"),
                    Linked("router", "model_server"),
                    Linked("model_server", "token_dock"),
                ]
            ),
        ),
        Step(
            "api",
            AllOf(
                [Placed("api_port", at=(7, 4)), Linked("router", "api_port"), Linked("api_port", "token_dock")],
            ),
        ),
        Step("fallback", WayTo("fallback", "api_port"), ["api_usd_in", "api_usd_out"]),
        Step("slots", AnyOf([SettingIs("model_server", "max_num_seqs", slots) for slots in IN_TIME])),
        Step("start", Running()),
        Step("again", Unchanged()),
        Step("morning", Elapsed(160)),
        Step("won", Won()),
    ],
    questions=[
        Question("idle", answers=3, right=2),
        Question("pays", answers=3, right=1),
        Question("rush", answers=3, right=2),
    ],
    hints=3,
    stars=Stars(latency=Goal("e2e_p95", 8.85), cost=Goal("usd_per_task", 108e-6)),
)
