"""A game that quits says goodbye to the mod whose level is open; one that dies leaves its marker."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from engine.mods.library import Library
from tools import godot
from tools.paths import ROOT

pytestmark = pytest.mark.godot


@pytest.mark.parametrize("dies", [False, True])
def test_only_a_game_that_dies_turns_the_mod_off(tmp_path: Path, dies: bool) -> None:
    player = tmp_path / "player"
    shutil.copytree(ROOT / "mods" / "two_to_one", player / "mods" / "two_to_one")
    command = [godot.headless(), "--path", ROOT, "-s", ROOT / "tests" / "scenes" / "mod_at_work.gd"]
    told = {"PLAYER": str(player), "LEVEL": "two_to_one/two_to_one", "DIES": "1" if dies else ""}
    environment = {**os.environ, **godot.environment(), **told, "XDG_DATA_HOME": str(tmp_path / "data")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == (-signal.SIGKILL if dies else 0), done.stdout + done.stderr
    library = Library(player)
    library.finish()
    (entry,) = library.entries()
    assert (entry.state, entry.code) == (("disabled", "mod.crashed") if dies else ("enabled", ""))
