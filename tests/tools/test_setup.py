"""Set-up looks first and does only what is missing."""

import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import build_plugin, python_packages, setup, system_packages
from tools.paths import Problem

ROOT = Path(__file__).resolve().parents[2]


def direct_dependencies() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    texts = [*project["dependencies"], *extras["dev"], *extras["report"], *extras["sweep"]]
    return [each for each in map(Requirement, texts) if each.name != project["name"]]


def test_every_dependency_is_pinned_to_a_version_it_allows() -> None:
    pins = {canonicalize_name(name): version for name, version in python_packages.pins().items()}
    for requirement in direct_dependencies():
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier


def test_the_compiler_is_the_one_that_pyproject_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["optional-dependencies"]["compiler"] == [build_plugin.ZIGLANG]


def test_the_pins_are_complete() -> None:
    """No installed package asks for one that requirements.txt leaves to chance."""
    pins = {canonicalize_name(name) for name in python_packages.pins()}
    for name in pins:
        for text in metadata.distribution(name).requires or []:
            requirement = Requirement(text)
            if not requirement.marker or requirement.marker.evaluate({"extra": ""}):
                assert canonicalize_name(requirement.name) in pins, f"{name} needs {requirement.name}"


def test_the_installed_packages_are_the_pinned_ones() -> None:
    assert {name: metadata.version(name) for name in python_packages.pins()} == python_packages.pins()


def test_pip_is_not_run_when_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(python_packages, "must", lambda *command: calls.append(command))
    python_packages.install()
    assert calls == []
    monkeypatch.setattr(python_packages, "pins", lambda: {"numpy": "0.0.1"})
    python_packages.install()
    assert calls


def test_without_apt_the_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_packages.shutil, "which", lambda name: None)
    monkeypatch.delenv("GODOT", raising=False)
    with pytest.raises(Problem, match=r"install these programs.*godot3.*Xvfb.*xdotool"):
        system_packages.install()


def test_without_rights_the_command_for_root_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"dpkg-query", "apt-get"}
    monkeypatch.setattr(system_packages.shutil, "which", lambda name: name if name in there else None)
    monkeypatch.setattr(system_packages.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(system_packages, "_missing_packages", lambda needed: ["godot3", "xvfb"])
    with pytest.raises(Problem, match="as root, run: apt-get install godot3 xvfb"):
        system_packages.install()


def test_the_stamp_follows_what_set_up_depends_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done: list[str] = []
    watched = tmp_path / "picture.png"
    watched.write_bytes(b"one")
    monkeypatch.setattr(setup, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(setup, "_watched", lambda: [watched])
    monkeypatch.setattr(setup, "_steps", lambda: done.append("steps"))
    setup.ensure()
    setup.ensure()
    assert done == ["steps"]
    watched.write_bytes(b"another")
    setup.ensure()
    watched.unlink()
    setup.ensure()
    assert done == ["steps"] * 3


def test_an_interrupted_set_up_leaves_no_stamp(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail() -> None:
        raise Problem("no network")

    monkeypatch.setattr(setup, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(setup, "_steps", fail)
    with pytest.raises(Problem):
        setup.ensure()
    assert not (tmp_path / "stamp").exists()


@pytest.mark.parametrize("failing", [system_packages, python_packages])
def test_of_two_installations_at_once_each_failure_is_told(failing: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise Problem("no network")

    for installer in (system_packages, python_packages):
        monkeypatch.setattr(installer, "install", fail if installer is failing else lambda: None)
    with pytest.raises(Problem, match="no network"):
        setup._steps()
