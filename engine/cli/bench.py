"""`bench`: how fast the engine is on this machine, without Godot."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from math import fsum
from typing import Any

import msgpack

from engine.floor.layout import layout_from_data
from engine.level.load import BENCH, load
from engine.protocol.play import SPEEDS, play
from engine.protocol.session import Session
from engine.serving.replay import replay
from engine.serving.settings import Settings, deploy
from engine.serving.synthetic import CONVERSATION, synthetic
from engine.simulation import ENDED
from engine.units import PS_PER_S, as_seconds

HELP = "measure the engine on this machine"
_WARM_UP_S = 12.0
_REWINDS = (3, 9, 22, 29, 37, 48, 59, 67, 79, 89, 99)
"""Moments to go back to, as percentages of the run; the nearest checkpoints lie just before them or long before."""
_FEWEST_REQUESTS, _MOST_REQUESTS = 1_000, 1_000_000
_REQUESTS_PER_S = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--only", choices=("floor", "serving"), help="leave out the other part")
    parser.add_argument(
        "--requests",
        type=int,
        default=100_000,
        metavar="N",
        help="replay synthetic traces of up to this many requests (default: 100,000; at most 1,000,000)",
    )
    parser.add_argument("--frames", type=int, default=600, metavar="N", help="frames to measure (default: 600)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def command(parsed: argparse.Namespace) -> int:
    """A frame's share of the engine (step and snapshot), for the first level and for 200 machines; whole runs; replays.

    So cost is shown as it grows with machines, with speed and with requests.
    """
    frames = max(parsed.frames, 10)
    figures = {}
    if parsed.only != "serving":
        figures["frame_level_1_ms"] = frame_ms("1", frames)
        figures["frame_200_machines_ms"] = frame_ms(BENCH, frames)
        figures["rewind_level_2_ms"] = rewind_ms("2", load("2").end_s)
        figures["rewind_200_machines_ms"] = rewind_ms(BENCH, load(BENCH).end_s)
        figures["tenants_level_6_ms"] = tenants_ms("6")
        figures["break_even_level_8_ms"] = break_even_ms("8")
        figures["run_level_1_s"] = {speed: _run_s(speed) for speed in SPEEDS}
    if parsed.only != "floor":
        most = min(max(parsed.requests, _FEWEST_REQUESTS), _MOST_REQUESTS)
        for requests in takewhile(lambda count: count <= most, count_by_ten(_FEWEST_REQUESTS)):
            figures[f"serving_{requests}_requests"] = serving(requests)
    if parsed.json:
        print(json.dumps(figures, indent=2))
    else:
        for name, values in figures.items():
            print(f"{name:28}", ", ".join(f"{key} {value:,.3f}" for key, value in values.items()))
    return 0


def frame_ms(level: str, frames: int) -> dict[str, float]:
    """Milliseconds of `Session.step` for a 60th of a second, once the factory is full; the reference layout."""
    session = _started(level)
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


def rewind_ms(level: str, end_s: int) -> dict[str, float]:
    """Milliseconds from `rewind` to the picture of a moment, after a whole run of the reference layout."""
    session = _started(level)
    for _ in range(end_s):
        session.step(1.0)
    times = []
    for percent in _REWINDS:
        start = time.perf_counter()
        _ask(session.command, do="rewind", t_ps=end_s * PS_PER_S * percent // 100)
        assert "packets" in msgpack.unpackb(session.step(0.0))
        times.append((time.perf_counter() - start) * 1e3)
        _ask(session.command, do="branch", index=0)
        session.step(0.0)
    times.sort()
    return {"p50": times[len(times) // 2], "max": times[-1]}


def tenants_ms(level: str) -> dict[str, float]:
    """Milliseconds of processor time for the question `tenants`, asked each second of a whole run."""
    session = _started(level)
    times = []
    while session.simulation is not None and session.simulation.phase != ENDED:
        session.step(1.0)
        start = time.process_time()
        _ask(session.ask, ask="tenants")
        times.append((time.process_time() - start) * 1e3)
    return {"p50": sorted(times)[len(times) // 2], "last": times[-1], "max": max(times)}


def break_even_ms(level: str) -> dict[str, float]:
    """Milliseconds of processor time to compare a level's first task for the first time, and of the longest slice."""
    session = _started(level)
    times: list[float] = []
    while not times or session.awaited:
        start = time.process_time()
        if times:
            session.think(lambda: True)
        else:
            _ask(session.ask, ask="break_even", task=0)
        times.append((time.process_time() - start) * 1e3)
    times.sort()
    return {"p50": times[len(times) // 2], "max": times[-1], "all": fsum(times), "slices": float(len(times))}


def count_by_ten(first: int) -> Iterator[int]:
    """`first`, ten times as many, and so on."""
    while True:
        yield first
        first *= 10


def serving(requests: int) -> dict[str, float]:
    """How fast a synthetic trace is replayed, by the processor time of the one core that it takes.

    Llama-3-8B on an A100 with 80 GB, as busy as the Azure conversation trace makes it.
    """
    trace = synthetic(requests, _REQUESTS_PER_S, *CONVERSATION, seed=1)
    deployment = deploy("a100-80gb", "llama-3-8b")
    start = time.process_time()
    served = replay(trace, deployment, Settings())
    spent = time.process_time() - start
    return {
        "requests_per_s": requests / spent,
        "steps_per_s": served.steps / spent,
        "simulated_s_per_s": as_seconds(served.records.last_ps) / spent,
        "us_per_request": spent / requests * 1e6,
    }


def _started(level: str) -> Session:
    """A session in which the reference layout of a level has begun to run."""
    session = Session()
    _ask(session.command, do="open", level=level)
    _ask(session.command, do="layout", layout=_ask(session.ask, ask="reference")["layout"])
    _ask(session.command, do="start")
    return session


def _run_s(speed: str) -> float:
    level = load("1")
    start = time.perf_counter()
    play(level, 1, layout_from_data(level.reference), speed)
    return time.perf_counter() - start


def _ask(call: Callable[[bytes], bytes], **message: Any) -> Any:
    answer = msgpack.unpackb(call(msgpack.packb({"v": 1, **message})))
    assert answer["ok"], answer
    return answer
