"""Real Godot for the tests of the scenes."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import godot
from tools.paths import ROOT

HERE = Path(__file__).parent
SCRIPT_S = 60.0

RunScript = Callable[..., str]


@pytest.fixture(scope="session")
def bare_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game's scripts, words and input actions without its plugin and its import: starts at once."""
    folder = tmp_path_factory.mktemp("bare")
    settings = (ROOT / "project.godot").read_text("utf-8")
    actions = settings[settings.index("[input]") : settings.index("[locale]")]
    (folder / "project.godot").write_text(f"config_version=4\n\n{actions}", "utf-8")
    for name in ("scenes", "i18n"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "checks").symlink_to(HERE)
    return folder


@pytest.fixture(scope="session")
def run_script(bare_project: Path) -> RunScript:
    """Runs one of the GDScripts beside this file in headless Godot; returns what it printed."""

    def run(script: str, **variables: str) -> str:
        command = [godot.headless(), "--path", str(bare_project), "-s", f"res://checks/{script}"]
        environment = {**godot.environment(), **variables, "XDG_DATA_HOME": str(bare_project / "data")}
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=SCRIPT_S, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run
