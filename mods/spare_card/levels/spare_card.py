"""A card to spare: one of the cards that decode fails in the middle of the run, and comes back a minute later.

What it held loses its KV and is computed anew elsewhere, if there is an elsewhere. A second Decode Core that one could
do without costs a card; without it, nothing is delivered for a minute.
"""

from engine.level import (
    AllOf,
    At,
    BreakPad,
    Dock,
    Every,
    Goal,
    Lengths,
    Level,
    Linked,
    Message,
    PadSpec,
    Placed,
    Question,
    RepairPad,
    Running,
    Setting,
    Step,
    Traffic,
    Won,
)
from engine.units import seconds

FAILS_S, OUT_S = 70, 60


def fail(run):
    """The fullest card that decodes fails: whichever the player leans on."""
    decoding = {machine.pad for machine in run.machines if machine.kind == "decode_core"}
    if not decoding:
        return [Message("message.spare_card.spared")]
    pad = max(sorted(decoding), key=lambda pad: run.pads[pad].vram)
    return [BreakPad(pad), Message("message.spare_card.failed", {"card": "ABC"[pad]})]


def repair(run):
    """A minute later it is back. The hook's own memory tells since when it has been away."""
    broken = [pad for pad, figures in enumerate(run.pads) if figures.broken]
    if not broken:
        run.memory.clear()
        return None
    since = run.memory.setdefault("since", run.t_s)
    if run.t_s - since < OUT_S:
        return None
    return [*(RepairPad(pad) for pad in broken), Message("message.spare_card.repaired")]


TO_READER = {"tiles": [[2, 4], [3, 4]], "from": {"x": 0, "y": 4, "port": "e0"}, "to": {"x": 4, "y": 4, "port": "w"}}
TO_UPPER = {
    "tiles": [[6, 4], [7, 4], [7, 3], [7, 2], [8, 2], [9, 2]],
    "from": {"x": 4, "y": 4, "port": "e"},
    "to": {"x": 10, "y": 2, "port": "w"},
}
FROM_UPPER = {
    "tiles": [[11, 2], [12, 2], [13, 2], [13, 3], [13, 4]],
    "from": {"x": 10, "y": 2, "port": "e"},
    "to": {"x": 14, "y": 4, "port": "w0"},
}
TO_LOWER = {
    "tiles": [[5, 5], [5, 6], [5, 7], [6, 7], [7, 7], [8, 7], [9, 7]],
    "from": {"x": 4, "y": 4, "port": "s"},
    "to": {"x": 10, "y": 7, "port": "w"},
}
FROM_LOWER = {
    "tiles": [[11, 7], [12, 7], [13, 7], [13, 6], [13, 5]],
    "from": {"x": 10, "y": 7, "port": "e"},
    "to": {"x": 14, "y": 4, "port": "w1"},
}
READER, UPPER, LOWER = (
    {"kind": "prefill_core", "x": 4, "y": 4},
    {"kind": "decode_core", "x": 10, "y": 2},
    {"kind": "decode_core", "x": 10, "y": 7},
)

LEVEL = Level(
    number=1,
    id="spare_card",
    width=16,
    height=10,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("l4", 3, 3, 4, 4), PadSpec("l4", 9, 0, 4, 4), PadSpec("l4", 9, 6, 4, 4)],
    docks=[Dock("prompt_dock", 0, 4), Dock("token_dock", 14, 4)],
    traffic=Traffic(seconds(1.2), seconds(0.1), Lengths(1792, 2304), Lengths(48, 80)),
    allowed={"prefill_core": 2, "decode_core": 2},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(2304, 2304, 2304)},
        "decode_core": {"max_num_seqs": Setting(8, 1, 12)},
    },
    goals=[Goal("tps", 45, at_least=True), Goal("ttft_p95", 3.0), Goal("pause_p95", 0.5)],
    warmup_s=20,
    end_s=240,
    reference={
        "version": 1,
        "machines": [READER, UPPER, LOWER],
        "belts": [TO_READER, TO_UPPER, FROM_UPPER, TO_LOWER, FROM_LOWER],
    },
    naive={"version": 1, "machines": [READER, UPPER], "belts": [TO_READER, TO_UPPER, FROM_UPPER]},
    naive_fails="ttft_p95",
    tutorial=[
        Step(
            "line",
            AllOf(
                [
                    Placed("prefill_core", pad=0, at=(4, 4)),
                    Placed("decode_core", pad=1, at=(10, 2)),
                    Linked("prompt_dock", "prefill_core"),
                    Linked("prefill_core", "decode_core", apart=True),
                    Linked("decode_core", "token_dock"),
                ]
            ),
        ),
        Step("spare", Placed("decode_core", pad=2, at=(10, 7))),
        Step("run", Running()),
        Step("won", Won()),
    ],
    questions=[Question("lost", answers=3, right=2)],
    hints=2,
    hooks=[At(FAILS_S, fail), Every(5, repair)],
)
