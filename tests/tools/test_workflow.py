"""The workflow that tests and releases is in order, by a linter, and asks for what the exports ask for."""

import shutil
import subprocess
import sys
from pathlib import Path

from tools.export import inputs, target
from tools.paths import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "build.yml"


def findings(path: Path) -> subprocess.CompletedProcess[str]:
    linter = Path(sys.executable).with_name("zizmor")
    command = [str(linter), "--offline", "--no-progress", "--color=never", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_linter_finds_nothing() -> None:
    found = findings(WORKFLOW)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_linter_finds_what_is_wrong(tmp_path: Path) -> None:
    shutil.copy(WORKFLOW, tmp_path / "build.yml")
    text = WORKFLOW.read_text("utf-8")
    for wrong in (
        text.replace("runs-on:", "runs-off:"),
        text.replace("@11bd71901bbe5b1630ceea73d27597364c9af683", "@v4"),
    ):
        (tmp_path / "build.yml").write_text(wrong, "utf-8")
        assert findings(tmp_path / "build.yml").returncode != 0


def test_it_fetches_what_the_exports_ask_for() -> None:
    text = WORKFLOW.read_text("utf-8")
    assert f'PYTHON_RELEASE: "{inputs.PYTHON_RELEASE}"' in text
    assert f"PYTHON_VERSION: {inputs.PYTHON_VERSION}" in text
    for system in inputs.PYTHON_SYSTEMS.values():
        assert system in text
    for one in target.TARGETS:
        if one != target.MACOS_ARM:  # Godot 3.2's template is for Intel's processors
            assert f"{one.name}-{one.architecture}" in text
