"""./factory test: everything under pytest, Godot included."""

import os
import subprocess
import sys

from tools import godot
from tools.paths import ROOT


def run(arguments: list[str], selection: str = "not long") -> int:
    """Run pytest; its arguments are handed on."""
    command = [sys.executable, "-m", "pytest", "-m", selection, *arguments]
    # One BLAS thread: workers share two cores, and the simulation uses none.
    environment = {"OPENBLAS_NUM_THREADS": "1", **godot.environment()}
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)  # tests open their windows on displays of their own
    os.chdir(ROOT)
    return subprocess.run(command, env=environment, check=False).returncode
