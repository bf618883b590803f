"""Temporary Godot projects with the plugin in them, and what Godot says when it runs one."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools import build_plugin

HERE = Path(__file__).parent
PLUGIN = build_plugin.PLUGIN
TIMEOUT_S = 120.0

# Scripts that do not load. They are written by the tests, so that no checker of sources meets them.
BROKEN = {
    "syntax": "def broken(:\n",
    "import": "import no_such_module\n",
    "unexposed": "from godot import Node\n\n\nclass Hidden(Node):\n    pass\n",
    "base": "from godot import exposed\n\n\n@exposed\nclass NotGodots:\n    pass\n",
    "exit": "import sys\n\nsys.exit(1)\n",
}


@dataclass(frozen=True)
class Run:
    """What one run of Godot left: its exit status, its output, and the results that the scene told."""

    status: int
    output: str
    results: dict[str, Any]

    def error(self, start: str) -> str:
        """Return the error whose first line contains a text, up to the next result or error; fail without one."""
        lines = iter(self.output.splitlines())
        for line in lines:
            if line.startswith("ERROR: ") and start in line:
                told = [line]
                for following in lines:
                    if following.startswith(("RESULT ", "ERROR: ")):
                        break
                    told.append(following)
                return "\n".join(told)
        raise AssertionError(f"no error {start!r} in:\n{self.output}")


@dataclass(frozen=True)
class Project:
    """A Godot project in a temporary folder."""

    folder: Path

    @property
    def library(self) -> Path:
        return self.folder / "addons" / "pythonscript" / "bin" / "x11-64"

    @property
    def conf(self) -> Path:
        return self.library / "pythonscript.conf"

    def run(
        self,
        *arguments: str,
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        program: list[str] | None = None,
    ) -> Run:
        """Run Godot in the project (or another `program`) and read what it says."""
        command = program or [godot(), "--path", str(self.folder), "--language", "en"]
        done = subprocess.run(
            [*command, *arguments],
            env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})},
            cwd=cwd or self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_S,
            check=False,
        )
        output = done.stdout.decode("utf-8", "replace")
        told = [line.removeprefix("RESULT ") for line in output.splitlines() if line.startswith("RESULT ")]
        return Run(done.returncode, output, dict(json.loads(line) for line in told))


def godot() -> str:
    """Return the headless Godot."""
    name = os.environ.get("GODOT_SERVER") or "godot3-server"
    path = shutil.which(name)
    assert path, f"{name} is not there; name a headless Godot 3 with GODOT_SERVER"
    return path


def make_project(folder: Path) -> Project:
    """Copy the test project and the plugin, built for the Python that runs the tests, into a folder."""
    build_plugin.build()
    shutil.copytree(HERE / "project", folder)
    project = Project(folder)
    project.library.mkdir(parents=True)
    shutil.copy(build_plugin.LIBRARY, project.library)
    shutil.copy(PLUGIN / "pythonscript.gdnlib", folder / "addons" / "pythonscript")
    project.conf.write_text(build_plugin.conf(project.library, folder), "utf-8")
    for name, source in BROKEN.items():
        (folder / f"broken_{name}.py").write_text(source, "utf-8")
    return project
