"""A game that dies leaves a report that names the log; the next one says so. One that is closed leaves none."""

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from engine.version import VERSION
from tests.scenes.player import playing, user_folder
from tools import godot
from tools.display import virtual_display
from tools.paths import ROOT

pytestmark = pytest.mark.godot

RECORDING = ROOT / "tests" / "fixtures" / "version_1.tfrun"


def test_a_crash_leaves_a_report_that_the_next_start_names(tmp_path: Path) -> None:
    kept = user_folder(tmp_path)
    with playing(tmp_path, 1) as player:
        (running,) = (kept / "reports").glob("running-*.txt")
        game = int(running.name.split("-")[1])
        os.kill(game, signal.SIGSEGV)
        player.wait("the report", lambda: "Segmentation fault" in running.read_text("utf-8"))
        # Godot's own handler comes next; where a crash hits the program amid an allocation it may hang there for good.
        with suppress(ProcessLookupError):
            os.kill(game, signal.SIGKILL)
        player.wait_ended()
    with playing(tmp_path, 1) as player:
        (report,) = (kept / "reports").glob("report-*.txt")
        player.wait_said("notes", report.name)
    said = report.read_text("utf-8")
    assert f"Token Factory {VERSION}" in said
    assert f"Log: {kept / 'token_factory.log'}" in said
    assert "Segmentation fault" in said
    assert (kept / "token_factory.log").is_file()


def started(folder: Path, *options: str, programs: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The game with options that make it end by itself; `programs` are found before those of the system."""
    with virtual_display(1280, 720) as display:
        environment = {**os.environ, **godot.environment(), "DISPLAY": display.name, "XDG_DATA_HOME": str(folder)}
        if programs is not None:
            environment["PATH"] = f"{programs}:{environment['PATH']}"
        command = [godot.game(), "--path", str(ROOT), "--audio-driver", "Dummy", *options]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.long
def test_a_file_is_replayed_without_being_shown(tmp_path: Path) -> None:
    told = started(tmp_path, "--headless-replay", str(RECORDING))
    assert told.returncode == 0
    assert "the same" in told.stdout
    assert started(tmp_path, "--headless-replay", str(tmp_path / "none.tfrun")).returncode == 2


def test_about_says_what_the_game_is_made_of_and_ends(tmp_path: Path) -> None:
    told = started(tmp_path, "--about")
    assert told.returncode == 0
    assert f"Token Factory {VERSION}, Python 3" in told.stdout
    assert f"Log: {user_folder(tmp_path) / 'token_factory.log'}" in told.stdout
    assert not list((user_folder(tmp_path) / "reports").glob("*"))


def test_the_folder_for_mods_is_shown_by_the_system(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    shower = programs / "xdg-open"
    shower.write_text(f'#!/bin/sh\nprintf %s "$1" >{tmp_path}/shown\n')
    shower.chmod(0o755)
    assert started(tmp_path, "--open-mods", programs=programs).returncode == 0
    folder = Path((tmp_path / "shown").read_text("utf-8"))
    assert folder == user_folder(tmp_path) / "mods"
    assert folder.is_dir()


@pytest.mark.long
def test_safe_mode_leaves_mods_and_settings_alone(tmp_path: Path) -> None:
    kept = user_folder(tmp_path)
    shutil.copytree(ROOT / "mods" / "two_to_one", kept / "mods" / "two_to_one")
    settings = kept / "settings.json"
    settings.write_text('{"version": 1, "language": "de", "reduced_motion": true}', "utf-8")
    before = settings.read_bytes()
    with playing(tmp_path, None, options=["--safe-mode"]) as player:
        player.wait_said("notes", "Safe mode")
        player.hand.move((1000, 400))
        player.hand.key("F10")
        player.click("settings:page_sound")
        player.click("settings:music:less")
        player.settle()
        assert not [name for name in player.probe.targets() if "two_to_one" in name]
    assert settings.read_bytes() == before
