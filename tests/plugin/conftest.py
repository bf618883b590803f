"""The projects that the plugin's tests run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.godot_project import Project, Run, make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of the test's own."""
    return make_project(tmp_path / "project")


@pytest.fixture(scope="session")
def main_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run of main.tscn, which most tests read their results from."""
    return make_project(tmp_path_factory.mktemp("plugin") / "project").run("main.tscn")


@pytest.fixture(scope="session")
def result(main_run: Run) -> Callable[[str], Any]:
    """A function that gives a result of the main run by its name."""

    def read(name: str) -> Any:
        assert name in main_run.results, f"the scene did not tell {name!r}:\n{main_run.output[-3000:]}"
        return main_run.results[name]

    return read
