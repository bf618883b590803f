"""./factory export-linux: a folder that starts the game from anywhere."""

import subprocess
from pathlib import Path

import pytest

from tools import export_linux
from tools.autoplay import game_window

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.godot


def test_the_exported_game_starts_level_1_from_another_folder() -> None:
    settings = (ROOT / "project.godot").read_bytes()
    made = subprocess.run([ROOT / "factory", "export-linux"], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    assert (ROOT / "project.godot").read_bytes() == settings, "the working tree is left as it was"
    with game_window([str(export_linux.EXECUTABLE), "--level", "1"], folder=Path("/")) as window:
        window.probe.wait_screen("level", 60)
        window.probe.target("tool:prefill_core")
