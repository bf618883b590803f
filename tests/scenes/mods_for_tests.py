"""Mods that the tests of the browser put into a player's folder: one that works and does much, one that is broken and
rude, one that needs what is not there.
"""

import json
from pathlib import Path

RUDE = "[b]Rude[/b] <i>{title}</i> 100%s"
"""Marks of several languages, none of which may be carried out."""

LIVELY = """
from engine.level import (
    At, BreakPad, Dock, Goal, Grant, Lengths, Level, Message, On, PadSpec, RepairPad, Setting, Traffic,
)
from engine.units import seconds


def welcome(run):
    return [Message("message.lively.welcome", {"queue": run.queue})]


def fail(run):
    return [BreakPad(0), Grant("decode_core", 2)]


def repair(run):
    return [RepairPad(0)]


def wrong(run):
    return [BreakPad(1 // 0)]


LEVEL = Level(
    number=1,
    id="lively",
    width=10,
    height=7,
    model="llama-3.1-8b",
    link="10gbe",
    pads=[PadSpec("l4", 3, 1, 4, 4)],
    docks=[Dock("prompt_dock", 0, 2), Dock("token_dock", 8, 2)],
    traffic=Traffic(seconds(2), seconds(0.1), Lengths(256, 512), Lengths(16, 32)),
    allowed={"prefill_core": 1, "decode_core": 1},
    settings={
        "prefill_core": {"max_num_batched_tokens": Setting(2048, 2048, 2048)},
        "decode_core": {"max_num_seqs": Setting(8, 1, 8)},
    },
    goals=[Goal("ttft_p95", 5.0)],
    warmup_s=5,
    end_s=60,
    texts={
        "en": {
            "level.lively.title": "[b]Lively[/b]",
            "level.lively.line": "A GPU fails, and works again",
            "message.lively.welcome": "[color=red]Watch out![/color] Waiting: {queue} {nobody}",
        },
    },
    hooks=[On("start", welcome), At(6, fail), At(30, repair), On("end", wrong)],
)
"""


def put_mods(folder: Path) -> None:
    """Put all of them into a folder of mods."""
    put(folder, "lively", {"title": {"en": "Lively"}, "authors": ["A", "B"], "licence": "MIT"}, LIVELY)
    put(folder, "rude", {"title": {"en": RUDE}, "about": {"en": "w" * 300}}, "\nLEVEL = 1 / 0\n")
    put(folder, "lonely", {"title": {"en": "Lonely"}, "needs": {"nobody": ">=2"}}, LIVELY)


def put(folder: Path, id: str, words: dict[str, object], script: str) -> None:
    """Write a mod of one level."""
    (folder / id / "levels").mkdir(parents=True)
    told = {"id": id, "version": "1.2.3", "levels": ["levels/one.py"], **words}
    (folder / id / "mod.json").write_text(json.dumps(told), "utf-8")
    (folder / id / "levels" / "one.py").write_text(script, "utf-8")
