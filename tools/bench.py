"""./factory bench: the budgets, measured. The engine alone, the bridge in Godot, and the time to the first picture."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools import godot
from tools.display import virtual_display
from tools.paths import ROOT, Problem
from tools.probe import Probe
from tools.process import say

BRIDGE_SCENE = "res://scenes/bench/bench.tscn"
INTERFACE_SCENE = "res://scenes/bench/interface.tscn"
LOADING_SCENE = "res://scenes/bench/loading.tscn"
STARTS = 5
START_S = 60.0


def run(arguments: list[str]) -> int:
    """Carry out ./factory bench."""
    if arguments:
        raise Problem("bench takes no arguments", status=2)
    say("the engine alone")
    status = subprocess.run([sys.executable, "-m", "engine", "bench"], cwd=ROOT, check=False).returncode
    say("step, bridge and decoding in headless Godot")
    command = [godot.headless(), "--path", str(ROOT), BRIDGE_SCENE]
    status = subprocess.run(command, cwd=ROOT, env=godot.environment(), check=False).returncode or status
    say("what the interface adds to a frame at 200 machines, in headless Godot")
    command = [godot.headless(), "--path", str(ROOT), "--fixed-fps", "60", INTERFACE_SCENE]
    status = subprocess.run(command, cwd=ROOT, env=godot.environment(), check=False).returncode or status
    say("loading a saved game with 200 machines, to its picture on a virtual display (software rendering)")
    with tempfile.TemporaryDirectory() as folder, virtual_display() as display:
        environment = {**godot.environment(), "DISPLAY": display.name, "XDG_DATA_HOME": folder}
        command = [godot.game(), "--path", str(ROOT), LOADING_SCENE]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode or status
    say(f"from ./factory play to the first picture, {STARTS} starts on a virtual display (software rendering)")
    times = sorted(first_picture_s() for _ in range(STARTS))
    print(f"median {times[len(times) // 2]:.2f} s, longest {times[-1]:.2f} s (budget 2 s)")
    return status


def first_picture_s() -> float:
    """Start ./factory play on a virtual display and return the seconds to the game's first frame."""
    with tempfile.TemporaryDirectory() as folder, virtual_display() as display:
        told = Path(folder) / "probe.jsonl"
        environment = {**os.environ, "DISPLAY": display.name, "XDG_DATA_HOME": folder}
        start = time.monotonic()
        game = subprocess.Popen(
            [ROOT / "factory", "play", "--probe", told],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            probe = Probe(told, lambda: game.poll() is None)
            probe.wait("the first picture", lambda: probe.last("first_frame"), START_S)
            return time.monotonic() - start
        finally:
            game.terminate()
            game.wait()
