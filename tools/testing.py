"""./factory test: everything under pytest, Godot included."""

import os
import subprocess
import sys

from tools import godot
from tools.paths import ROOT

MOST_WORKERS = 4  # each may open a window, which draws on more than one core


def run(arguments: list[str], selection: str = "not long") -> int:
    """Run pytest; its arguments are handed on."""
    command = [sys.executable, "-m", "pytest", "-m", selection, *_workers(), *arguments]
    # One BLAS thread: workers share two cores, and the simulation uses none.
    environment = {"OPENBLAS_NUM_THREADS": "1", **godot.environment()}
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)  # tests open their windows on displays of their own
    os.chdir(ROOT)
    return subprocess.run(command, env=environment, check=False).returncode


def _workers() -> list[str]:
    """Return the options for a worker on each core; what each gets is said in tests/conftest.py."""
    cores = min(len(os.sched_getaffinity(0)), MOST_WORKERS)
    return [] if cores == 1 else ["-n", str(cores)]
