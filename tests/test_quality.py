"""The checks that hold the sources to one style: lint, format and types, for Python and GDScript."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import godot

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent


def gdscripts() -> list[str]:
    folders = ("scenes", "addons", "tests")
    return sorted(str(path.relative_to(ROOT)) for folder in folders for path in (ROOT / folder).rglob("*.gd"))


CHECKS = {
    "ruff": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    "gdlint": ["gdlint", *gdscripts()],
    "gdformat": ["gdformat", "--check", "--line-length", "100", *gdscripts()],
}


@pytest.mark.parametrize("check", CHECKS)
def test_sources_pass(check: str) -> None:
    program, *arguments = CHECKS[check]
    result = subprocess.run([BIN / program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-5000:]


def test_there_are_gdscripts_to_check() -> None:
    assert gdscripts()


@pytest.mark.godot
def test_no_constant_is_named_as_a_class_of_godot(tmp_path: Path) -> None:
    """Godot 3.6 refuses to load such a script; 3.2.3 says nothing."""
    script = tmp_path / "classes.gd"
    script.write_text("extends SceneTree\n\n\nfunc _init():\n\tprint(ClassDB.get_class_list())\n\tquit()\n")
    command = [godot.headless(), "--path", tmp_path, "--script", script]
    (tmp_path / "project.godot").write_text("config_version=4\n")
    printed = subprocess.run(command, env=godot.environment(), capture_output=True, text=True, check=True).stdout
    classes = set(re.findall(r"\w+", printed))
    assert {"Node", "ToolButton"} <= classes
    named = {
        f"{path}: {name}"
        for path in gdscripts()
        for name in re.findall(r"^const (\w+)", (ROOT / path).read_text("utf-8"), re.MULTILINE)
        if name in classes
    }
    assert named == set()
