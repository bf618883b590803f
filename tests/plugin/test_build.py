"""Building the plugin: a no-op when nothing changed, and clear words when it cannot be done."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tools import build_plugin, python_packages
from tools.paths import ROOT, Problem

FILES = ["libpythonscript.so", "pythonscript-launcher", "pythonscript.conf", "source.sha256"]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to build into, in place of the repository's."""
    for name in ("LIBRARY", "LAUNCHER", "CONF", "STAMP"):
        monkeypatch.setattr(build_plugin, name, tmp_path / getattr(build_plugin, name).name)
    monkeypatch.setattr(build_plugin, "FOLDER", tmp_path)
    return tmp_path


def test_a_second_build_does_nothing(elsewhere: Path) -> None:
    assert build_plugin.build() is False
    before = {path.name: path.stat().st_mtime_ns for path in elsewhere.iterdir()}
    assert set(before) == set(FILES)
    assert build_plugin.build() is True
    assert {path.name: path.stat().st_mtime_ns for path in elsewhere.iterdir()} == before


@pytest.mark.parametrize("name", FILES)
def test_what_is_missing_is_made_again(elsewhere: Path, name: str) -> None:
    build_plugin.build()
    (elsewhere / name).unlink()
    assert build_plugin.build() is False
    assert (elsewhere / name).is_file()


def test_the_conf_names_folders_that_are_there() -> None:
    folder = build_plugin.FOLDER
    values = [line.partition("=") for line in build_plugin.conf().splitlines() if not line.startswith("#")]
    assert {key for key, _, _ in values} == {"libpython", "home", "path", "project"}
    for key, _, value in values:
        assert (folder / value).exists() or key == "libpython"
        if key == "project":
            assert (folder / value).resolve() == ROOT


def test_a_python_without_its_shared_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: "libpython3.a" if "LIBRARY" in name else None)
    with pytest.raises(Problem, match=r"without its shared library; install libpython3\.\d+ .*PYTHON="):
        build_plugin.libpython()


def test_a_compiler_that_is_not_there_is_told() -> None:
    command = [sys.executable, "-c", "from tools import build_plugin; build_plugin.compiler('no-such-cc')"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "the C compiler 'no-such-cc' is not there; name another with CC=" in done.stderr


def test_without_a_compiler_it_is_ziglang(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr(python_packages, "installed_version", lambda _name: None)
    monkeypatch.setattr(python_packages, "pip_install", lambda *names: installed.extend(names))
    assert build_plugin.compiler() == [sys.executable, "-m", "ziglang", "cc"]
    assert installed == [build_plugin.ZIGLANG]


def test_a_compiler_without_headers_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cc").write_text("#!/bin/sh\nexit 1\n", "utf-8")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(python_packages, "installed_version", lambda _name: "0")
    assert build_plugin.compiler()[1:] == ["-m", "ziglang", "cc"]


def test_the_pinned_ziglang_is_the_one_of_the_project() -> None:
    assert f'compiler = ["{build_plugin.ZIGLANG}"]' in (ROOT / "pyproject.toml").read_text("utf-8")
