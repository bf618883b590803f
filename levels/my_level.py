"""My level: what it teaches, in a sentence.

It can be played as it is. Change one thing at a time, and ask again:

    python -m engine check my_level.py
    python -m engine run my_level.py
    python -m engine prove my_level.py

All that a level may declare stands in docs/modding.md.
"""

from engine.level import (
    At,
    Ban,
    Dock,
    Effect,
    Goal,
    Lengths,
    Level,
    Message,
    PadSpec,
    Placed,
    Run,
    Running,
    Setting,
    Step,
    Traffic,
    Won,
)
from engine.units import seconds

ID = "my_level"
PROMPTS, ANSWERS = (0, 1), (10, 5)
"""Where the docks stand."""


def half_way(run: Run) -> list[Effect]:
    """A hook: called at a simulated second, it sees the figures of the game and says what happens."""
    return [Message(f"message.{ID}.half_way", {"delivered": run.delivered})]


LEVEL = Level(
    number=1,
    id=ID,
    texts={
        "en": {
            f"level.{ID}.title": "My level",
            f"level.{ID}.about": "A long prompt must not stop the answers of others.",
            f"tutorial.{ID}.prefill": "Place a Prefill Core on the first card.",
            f"tutorial.{ID}.start": "Let the requests come.",
            f"tutorial.{ID}.won": "Reach the goals.",
            f"hint.{ID}.1": "A card for each job.",
            f"message.{ID}.half_way": "Half way: {delivered} tokens delivered.",
        },
    },
    # The floor: two L4 cards, and the docks where prompts come in and tokens go out.
    width=12,
    height=8,
    pads=[PadSpec("l4", 3, 0, 4, 4), PadSpec("l4", 6, 4, 4, 4)],
    docks=[Dock("prompt_dock", *PROMPTS), Dock("token_dock", *ANSWERS)],
    # What is served, and who asks for it: a prompt of 4,096 tokens every 1.8 s.
    model="llama-3.1-8b",
    link="5gbase-t",
    traffic=Traffic(seconds(1.8), seconds(0.15), Lengths(4096, 4096), Lengths(64, 64)),
    # What the player may place, and set.
    allowed={"prefill_core": 2, "decode_core": 2},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(4096, 4096, 4096)},
        "decode_core": {"max_num_seqs": Setting(4, 1, 8)},
    },
    # The goals, judged from the end of the warm-up to the end of the run.
    goals=[Goal("tps", 30, at_least=True), Goal("ttft_p95", 2.5), Goal("pause_p95", 0.5)],
    warmup_s=20,
    end_s=120,
    tutorial=[
        Step("prefill", Placed("prefill_core", pad=0, at=(3, 1))),
        Step("start", Running()),
        Step("won", Won()),
    ],
    hints=1,
    hooks=[At(60, half_way)],
    # For the proof: a layout that wins, one that a newcomer builds and that fails, and what cannot be left out.
    reference={
        "version": 1,
        "machines": [
            {"kind": "prefill_core", "x": 3, "y": 1},
            {"kind": "decode_core", "x": 6, "y": 4},
        ],
        "belts": [
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
        ],
    },
    naive={
        "version": 1,
        "machines": [
            {"kind": "prefill_core", "x": 3, "y": 1},
            {"kind": "decode_core", "x": 6, "y": 1, "settings": {"max_num_seqs": 8}},
        ],
        "belts": [
            {"tiles": [[2, 1]], "from": {"x": 0, "y": 1, "port": "e0"}, "to": {"x": 3, "y": 1, "port": "w"}},
            {"tiles": [[5, 1]], "from": {"x": 3, "y": 1, "port": "e"}, "to": {"x": 6, "y": 1, "port": "w"}},
            {
                "tiles": [[7, 1], [8, 1], [8, 2], [8, 3], [9, 3], [9, 4], [9, 5]],
                "from": {"x": 6, "y": 1, "port": "e"},
                "to": {"x": 10, "y": 5, "port": "w0"},
            },
        ],
    },
    naive_fails="pause_p95",
    bans=[Ban("card_for_each_job", apart=["prefill_core", "decode_core"])],
)
