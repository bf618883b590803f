"""Level 5: long prompts. Sixteen people chat on one RTX 4090, and every ten seconds somebody hands in a document.

A document's 8,192 tokens take .9 seconds to compute. In one step, all answers stand still for so long. Cut into chunks
that share steps with them, answers go on, and the document's own first token comes later: every step reads the weights
again. Too large a chunk is felt by everybody, too small a one by whoever waits for the document (Agrawal et al.,
Sarathi-Serve, OSDI 2024). The bars are ours: .08 s is about four steps without a document, 1.2 s a third more than the
document would take alone.
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

CHAT = Tenant("chat", Traffic(seconds(0.85), seconds(0.25), Lengths(500, 700), Lengths(500, 700)))
DOCUMENTS = Tenant("documents", Traffic(seconds(10), seconds(1), Lengths(8192, 8192), Lengths(100, 200)))
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
SERVER = {"kind": "model_server", "x": 5, "y": 1}
BATCHER = {"kind": "batcher", "x": 7, "y": 4}
CHUNKER = Placed("chunker", beside="model_server", at=(5, 4))

LEVEL = Level(
    number=5,
    id="long_prompts",
    width=12,
    height=8,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("rtx-4090", 4, 1, 5, 5)],
    docks=[Dock("prompt_dock", 0, 1), Dock("token_dock", 10, 5)],
    tenants=[CHAT, DOCUMENTS],
    allowed={"model_server": 1, "batcher": 1, "chunker": 1},
    settings={
        "model_server": {
            "max_num_seqs": Setting(32, 1, 64),
            "max_num_batched_tokens": Setting(8192, 8192, 8192),
        },
        "chunker": {"chunk_tokens": Setting(2048, 128, 2048)},
    },
    goals=[Goal("pause_p95", 0.08, tenant="chat"), Goal("ttft_p95", 1.2, tenant="documents")],
    warmup_s=20,
    end_s=220,
    reference={
        "version": 1,
        "machines": [SERVER, BATCHER, {"kind": "chunker", "x": 5, "y": 4, "settings": {"chunk_tokens": 512}}],
        "belts": [TO_SERVER, TO_DOCK],
    },
    naive={"version": 1, "machines": [SERVER, BATCHER], "belts": [TO_SERVER, TO_DOCK]},
    naive_fails="pause_p95 chat",
    bans=[Ban("chunker", kinds=["chunker"]), Ban("batcher", kinds=["batcher"])],
    tutorial=[
        Step(
            "server",
            AllOf(
                [
                    Placed("model_server", at=(5, 1)),
                    Placed("batcher", beside="model_server", at=(7, 4)),
                    Linked("prompt_dock", "model_server"),
                    Linked("model_server", "token_dock"),
                ]
            ),
        ),
        Step("start", AnyOf([Running(), CHUNKER]), ["prompt_tokens", "prefill_s"]),
        Step("freeze", AnyOf([Elapsed(25), CHUNKER])),
        Step("chunker", CHUNKER),
        Step("size", SettingIs("chunker", "chunk_tokens", 512), ["chunk_ms", "chunk_tokens"]),
        Step("again", Unchanged()),
        Step("run", Running(), ["chunks"]),
        Step("warm_up", Elapsed(20)),
        Step("won", Won()),
    ],
    questions=[
        Question("freeze", answers=3, right=0),
        Question("smaller", answers=3, right=2),
        Question("mean", answers=3, right=1),
    ],
    hints=3,
    stars=Stars(latency=Goal("ttft_p95", 1.04, tenant="documents"), cost=Goal("usd_per_mtok", 0.245)),
)
