"""The checks that hold the sources to one style: lint, format and types, for Python and GDScript."""

import subprocess
import sys
from pathlib import Path

import pytest

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
