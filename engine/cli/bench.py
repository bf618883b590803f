"""`bench`: how fast the engine is on this machine, without Godot."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import msgpack

from engine.cli.run import SPEEDS, play
from engine.floor.layout import layout_from_data
from engine.level.load import BENCH, load
from engine.protocol.session import Session

HELP = "measure the engine on this machine"
_WARM_UP_S = 12.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--frames", type=int, default=600, metavar="N", help="frames to measure (default: 600)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def command(parsed: argparse.Namespace) -> int:
    """A frame's share of the engine (step and snapshot), for the first level and for 200 machines; whole runs."""
    frames = max(parsed.frames, 10)
    figures = {
        "frame_level_1_ms": frame_ms("1", frames),
        "frame_200_machines_ms": frame_ms(BENCH, frames),
        "run_level_1_s": {speed: _run_s(speed) for speed in SPEEDS},
    }
    if parsed.json:
        print(json.dumps(figures, indent=2))
    else:
        for name, values in figures.items():
            print(f"{name:24}", ", ".join(f"{key} {value:.3f}" for key, value in values.items()))
    return 0


def frame_ms(level: str, frames: int) -> dict[str, float]:
    """Milliseconds of `Session.step` for a 60th of a second, once the factory is full; the reference layout."""
    session = Session()
    _ask(session.command, do="open", level=level)
    layout = _ask(session.ask, ask="reference")["layout"]
    _ask(session.command, do="layout", layout=layout)
    _ask(session.command, do="start")
    session.step(_WARM_UP_S)
    times = []
    packets = 0
    for _ in range(frames):
        start = time.perf_counter()
        packed = session.step(1 / 60)
        times.append((time.perf_counter() - start) * 1e3)
        packets = max(packets, sum(count for count, _ in msgpack.unpackb(packed)["packets"].values()))
    times.sort()
    return {"p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100], "packets": float(packets)}


def _run_s(speed: str) -> float:
    level = load("1")
    start = time.perf_counter()
    play(level, 1, layout_from_data(level.reference), speed)
    return time.perf_counter() - start


def _ask(call: Callable[[bytes], bytes], **message: Any) -> Any:
    answer = msgpack.unpackb(call(msgpack.packb({"v": 1, **message})))
    assert answer["ok"], answer
    return answer
