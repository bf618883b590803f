"""Godot for Windows, compiled here: what it needs, and the game in it under Wine. Skipped where it was not built."""

import re
import shutil
from pathlib import Path

import pytest

from engine.floor.layout import layout_from_data
from engine.level.load import load
from engine.protocol.play import play
from tests.tools import wine
from tools import windows_template
from tools.autoplay import SCREENS, reference_layout, win_level
from tools.export import binaries, python_runtime, source, windows
from tools.export.target import WINDOWS
from tools.paths import Problem

TEMPLATE = windows_template.TEMPLATE
built = pytest.mark.skipif(not TEMPLATE.is_file(), reason="needs ./factory windows-template")
PARTS_OF_MINGW = re.compile(r"lib(gcc|stdc\+\+|winpthread|ssp)", re.IGNORECASE)


def test_without_debians_godot_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Problem, match="apt-get install godot3-server"):
        windows_template._source_package()


@built
def test_it_is_a_program_for_windows_that_needs_only_windows() -> None:
    (program,) = binaries.read(TEMPLATE)
    assert (program.system, program.machine) == ("windows", "x86_64")
    assert "OPENGL32.dll".lower() in {name.lower() for name in program.needs}
    assert not [name for name in program.needs if PARTS_OF_MINGW.match(name)]


@built
@pytest.mark.long
@pytest.mark.godot
@pytest.mark.skipif(not shutil.which("wine"), reason="needs wine and wine64")
def test_level_1_is_won_under_wine(tmp_path: Path) -> None:
    """The pack, the plugin's library, a CPython for Windows and the wheels, put together as export-windows does it."""
    game = tmp_path / "game"
    game.mkdir()
    found = python_runtime.look(wine.python(tmp_path), WINDOWS)
    windows.assemble(source.read(), found, game, WINDOWS)
    shutil.copy(TEMPLATE, game / WINDOWS.executable)
    wine.lend_mathematics(game)
    with wine.window(game, tmp_path) as window:
        result = win_level(window, reference_layout(1), SCREENS / "wine")
    assert result["passed"]
    here = play(load("1"), 1, layout_from_data(reference_layout(1)))
    assert result["hash"] == here.state_hash(), "the same to the bit as on Linux"
    log = (tmp_path / "game.log").read_text("utf-8", "replace")
    assert "SCRIPT ERROR" not in log, log
