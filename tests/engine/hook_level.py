"""Level 1 with a life of its own: every trigger and every effect of hooks, in one level."""

import attrs

from engine.level import (
    At,
    BreakPad,
    ChangeTraffic,
    Effect,
    Every,
    Grant,
    Lengths,
    Message,
    On,
    RepairPad,
    Run,
    Take,
    Traffic,
)
from engine.level.load import load
from engine.units import seconds

CALLED: list[tuple[str, int]] = []
"""Which hooks were called, and when: a replay calls none."""


def welcome(run: Run) -> list[Effect]:
    CALLED.append(("welcome", run.t_s))
    return [Message("message.hooked.welcome", {"queue": run.queue})]


def count(run: Run) -> None:
    CALLED.append(("count", run.t_s))
    run.memory["calls"] = run.memory.get("calls", 0) + 1
    run.memory["worst"] = max(run.memory.get("worst", 0.0), run.ttft_p95_s or 0.0)


def fail(run: Run) -> list[Effect]:
    CALLED.append(("fail", run.t_s))
    return [BreakPad(1), Message({"en": "GPU {pad} is gone.", "de": "GPU {pad} ist weg."}, {"pad": 1})]


def mend(run: Run) -> list[Effect]:
    CALLED.append(("mend", run.t_s))
    assert run.pads[1].broken
    return [RepairPad(1), Grant("decode_core", 1)]


def rush(run: Run) -> list[Effect]:
    CALLED.append(("rush", run.t_s))
    return [ChangeTraffic(Traffic(seconds(1.5), seconds(0.2), Lengths(1024, 4096), Lengths(32, 96)))]


def thanks(run: Run) -> list[Effect]:
    CALLED.append(("thanks", run.t_s))
    return [Take("decode_core", 1)] if run.memory.setdefault("once", True) else []


def goal(run: Run) -> list[Effect]:
    CALLED.append(("goal", run.t_s))
    return [Message("message.hooked.goal", {"goal": one.metric}) for one in run.happened if one.metric]


def lost(run: Run) -> list[Effect]:
    CALLED.append(("lost", run.t_s))
    return [Message("message.hooked.lost", {"tps": run.tps})]


def bye(run: Run) -> list[Effect]:
    CALLED.append(("bye", run.t_s))
    return [Message("message.hooked.bye", {"delivered": run.delivered})]


HOOKS = [
    On("start", welcome),
    Every(7, count),
    At(45, fail),
    At(75, mend),
    At(100, rush),
    On("built", thanks),
    On("goal_met", goal),
    On("goal_lost", lost),
    On("end", bye),
]
LEVEL = attrs.evolve(load("1"), id="hooked", hooks=HOOKS)
