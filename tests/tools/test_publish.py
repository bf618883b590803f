"""What goes to itch.io is checked before anything is pushed, without butler and without a network."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.version import VERSION
from tools import publish
from tools.export import itch_manifest, manual
from tools.export.target import LINUX, MACOS_ARM, TARGETS, WINDOWS, Target
from tools.paths import Problem


def exported(folder: Path, target: Target) -> Path:
    """As much of an exported game as the manifest names."""
    program = folder / itch_manifest.program(target)
    program.parent.mkdir(parents=True, exist_ok=True)
    if target.name == "macos":
        program.mkdir()
    else:
        program.touch(0o755)
    manual.write(folder / "docs")
    itch_manifest.write(target, folder)
    return folder


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.name}-{target.architecture}")
def test_what_the_app_offers_is_there(tmp_path: Path, target: Target) -> None:
    itch_manifest.check(target, exported(tmp_path / "game", target))


def without_a_program(folder: Path) -> None:
    (folder / "token-factory").unlink()


def not_executable(folder: Path) -> None:
    (folder / "token-factory").chmod(0o644)


def without_a_manual(folder: Path) -> None:
    (folder / "docs" / "manual.html").unlink()


def no_toml(folder: Path) -> None:
    (folder / ".itch.toml").write_text("[[actions")


def leading_out(folder: Path) -> None:
    (folder / ".itch.toml").write_text('[[actions]]\nname = "play"\npath = "../../bin/sh"\n')


def without_play(folder: Path) -> None:
    (folder / ".itch.toml").write_text('[[actions]]\nname = "manual"\npath = "docs/manual.html"\n')


def without_a_manifest(folder: Path) -> None:
    (folder / ".itch.toml").unlink()


FAULTS: dict[Callable[[Path], None], str] = {
    without_a_program: "there is no token-factory",
    not_executable: "may not be executed",
    without_a_manual: "there is no docs/manual.html",
    no_toml: "no TOML",
    leading_out: "outside",
    without_play: "no action is called play",
    without_a_manifest: "missing",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_what_is_wrong_is_said(tmp_path: Path, fault: Callable[[Path], None]) -> None:
    folder = exported(tmp_path / "game", LINUX)
    fault(folder)
    with pytest.raises(Problem, match=FAULTS[fault]):
        publish.check(LINUX, folder)


def test_what_is_not_for_players_is_not_pushed(tmp_path: Path) -> None:
    folder = exported(tmp_path / "game", WINDOWS)
    (folder / "engine" / "__pycache__").mkdir(parents=True)
    with pytest.raises(Problem, match="not for players"):
        publish.check(WINDOWS, folder)


def test_a_dry_run_says_what_would_be_pushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.export.target.EXPORTS", tmp_path)
    for target in (LINUX, WINDOWS, MACOS_ARM):
        exported(target.folder, target)
    assert publish.run(["somebody/token-factory", "--dry-run", "--butler", "/nowhere/butler"]) == 0
    said = "".join(capsys.readouterr())
    for channel in ("linux", "windows", "osx"):
        assert f"somebody/token-factory:{channel} --userversion {VERSION}" in said


def test_nothing_is_pushed_by_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.export.target.EXPORTS", tmp_path)
    exported(LINUX.folder, LINUX)
    with pytest.raises(Problem, match="export-windows"):
        publish.run(["somebody/token-factory", "--butler", "/nowhere/butler"])
    with pytest.raises(Problem, match="butler is not installed"):
        publish.run(["somebody/token-factory", "--channel", "linux", "--butler", "/nowhere/butler"])


def test_the_manual_has_all_pages_and_no_dead_link(tmp_path: Path) -> None:
    pages = manual.write(tmp_path)
    assert [page.name for page in pages][-1] == manual.INDEX
    for page in pages:
        text = page.read_text("utf-8")
        assert ".md" not in "".join(part.split('"')[0] for part in text.split('href="')[1:])
        for link in text.split('href="')[1:]:
            target = link.split('"')[0].split("#")[0]
            assert target.startswith("http") or (tmp_path / target).is_file(), (page.name, target)
