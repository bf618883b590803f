"""./factory as a person meets it: help, wrong words, missing things. One clear line each, never a traceback."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.__main__ import COMMANDS

ROOT = Path(__file__).resolve().parents[2]


def factory(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "factory", *arguments],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def assert_one_clear_line(result: subprocess.CompletedProcess[str], status: int, *words: str) -> None:
    assert result.returncode == status
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


def test_help_names_every_command() -> None:
    result = factory("help")
    assert result.returncode == 0
    assert all(name in result.stdout for name in COMMANDS)


def test_every_command_has_its_module() -> None:
    for module, _ in COMMANDS.values():
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file()


def test_it_runs_from_any_folder_and_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(ROOT / "factory")
    result = subprocess.run(["./link", "help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_an_unknown_command_is_named() -> None:
    assert_one_clear_line(factory("plya"), 2, "plya", "./factory help")


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false", "/bin/true"])
def test_a_python_that_cannot_be_used_is_named(python: str) -> None:
    assert_one_clear_line(factory("help", PYTHON=python), 1, python, "3.11")


def test_a_godot_that_is_not_there_is_named() -> None:
    assert_one_clear_line(factory("play", GODOT="/nowhere/godot", DISPLAY=":99"), 1, "/nowhere/godot", "GODOT=")


def test_an_unknown_level_is_named() -> None:
    assert_one_clear_line(factory("play", "--level", "999", DISPLAY=":99"), 2, "999")


def test_a_display_that_godot_cannot_use_is_named() -> None:
    assert_one_clear_line(factory("play", DISPLAY="", WAYLAND_DISPLAY="wayland-0"), 1, "xwayland")
