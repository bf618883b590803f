"""Level 3: speculation. One card and one user, who wants 120 tokens per second of code.

Decoding is bound by reading 15 GB of weights for every token: 57 tokens per second on this card, 67 at its datasheet's
bandwidth. A small draft model guesses several tokens, and the main model checks them all with one reading of its
weights. It is worth it as long as most guesses are right and the card has arithmetic to spare.
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

DRAFTS = ["llama-3.2-1b-q4-k-m", "llama-3.2-1b-q8-0", "llama-3.2-1b", "llama-3.2-3b-q4-k-m"]
GUESSING = SettingAtLeast("draft_model", "num_speculative_tokens", 5)

LEVEL = Level(
    number=3,
    id="speculation",
    width=12,
    height=8,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("rtx-4090", 3, 1, 6, 5)],
    docks=[Dock("prompt_dock", 0, 1), Dock("token_dock", 10, 5)],
    traffic=Traffic(seconds(8), seconds(1), Lengths(256, 768), Lengths(128, 384)),
    allowed={"prefill_core": 1, "decode_core": 7, "draft_model": 1, "validation_gate": 1},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(2048, 2048, 2048)},
        "decode_core": {"max_num_seqs": Setting(1, 1, 8)},
        "draft_model": {
            "num_speculative_tokens": Setting(1, 1, 10),
            "model": Setting(0, 0, len(DRAFTS) - 1, choices=DRAFTS),
        },
    },
    goals=[Goal("user_tps", 120, at_least=True)],
    warmup_s=20,
    end_s=320,
    draft_models=DRAFTS,
    acceptance=0.8,
    reference={
        "version": 1,
        "machines": [
            {"kind": "prefill_core", "x": 3, "y": 1},
            {
                "kind": "draft_model",
                "x": 6,
                "y": 1,
                "rotation": 1,
                "settings": {"num_speculative_tokens": 5, "model": 0},
            },
            {"kind": "decode_core", "x": 6, "y": 3},
            {"kind": "validation_gate", "x": 8, "y": 3},
        ],
        "belts": [
            {"tiles": [[2, 1]], "from": {"x": 0, "y": 1, "port": "e0"}, "to": {"x": 3, "y": 1, "port": "w"}},
            {
                "tiles": [[5, 1], [5, 2], [5, 3]],
                "from": {"x": 3, "y": 1, "port": "e"},
                "to": {"x": 6, "y": 3, "port": "w"},
            },
            {"tiles": [[6, 2]], "from": {"x": 6, "y": 1, "port": "e"}, "to": {"x": 6, "y": 3, "port": "n"}},
            {"tiles": [[7, 3]], "from": {"x": 6, "y": 3, "port": "e"}, "to": {"x": 8, "y": 3, "port": "w"}},
            {
                "tiles": [[9, 3], [9, 4], [9, 5]],
                "from": {"x": 8, "y": 3, "port": "e"},
                "to": {"x": 10, "y": 5, "port": "w0"},
            },
        ],
    },
    naive={
        "version": 1,
        "machines": [
            {"kind": "prefill_core", "x": 3, "y": 1},
            {"kind": "decode_core", "x": 6, "y": 3},
        ],
        "belts": [
            {"tiles": [[2, 1]], "from": {"x": 0, "y": 1, "port": "e0"}, "to": {"x": 3, "y": 1, "port": "w"}},
            {
                "tiles": [[5, 1], [5, 2], [5, 3]],
                "from": {"x": 3, "y": 1, "port": "e"},
                "to": {"x": 6, "y": 3, "port": "w"},
            },
            {
                "tiles": [[7, 3], [8, 3], [9, 3], [9, 4], [9, 5]],
                "from": {"x": 6, "y": 3, "port": "e"},
                "to": {"x": 10, "y": 5, "port": "w0"},
            },
        ],
    },
    naive_fails="user_tps",
    bans=[Ban("draft_model", kinds=["draft_model"]), Ban("validation_gate", kinds=["validation_gate"])],
    tutorial=[
        Step(
            "line",
            AllOf(
                [
                    Placed("prefill_core", at=(3, 1)),
                    Linked("prompt_dock", "prefill_core"),
                    Placed("decode_core", at=(6, 3)),
                    Linked("prefill_core", "decode_core"),
                ]
            ),
            ["weights_gb", "tps_alone"],
        ),
        Step("draft", AllOf([Placed("draft_model", at=(6, 1)), Linked("draft_model", "decode_core")])),
        Step(
            "gate",
            AllOf(
                [
                    NotLinked("decode_core", "token_dock"),
                    Placed("validation_gate", at=(8, 3)),
                    Linked("decode_core", "validation_gate"),
                    Linked("validation_gate", "token_dock"),
                ]
            ),
        ),
        Step("start", AnyOf([Running(), GUESSING]), ["guesses", "tokens_per_step"]),
        Step("cost", Told("selected:draft_model"), ["draft_pass_ms", "step_ms"]),
        Step("guesses", GUESSING, ["acceptance"]),
        Step("again", Unchanged()),
        Step("run", Running(), ["tokens_per_step"]),
        Step("warm_up", Elapsed(20)),
        Step("won", Won()),
    ],
    questions=[Question("idle", answers=3, right=1), Question("more", answers=3, right=2)],
    hints=3,
    stars=Stars(latency=Goal("user_tps", 140, at_least=True), cost=Goal("j_per_token", 4.2)),
)
