"""Exported games: the one for Linux is played where nothing is installed, those for other systems are looked at."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.tools.test_export import relocatable_python
from tools import debian_root
from tools.autoplay import game_window
from tools.export import (
    binaries,
    checks,
    godot_pack,
    itch_manifest,
    linux,
    macos,
    plugin_library,
    proof,
    python_runtime,
    shared_libraries,
    source,
    wheels,
    windows,
)
from tools.export.target import LINUX, MACOS_ARM, MACOS_INTEL, TARGETS, WINDOWS, Target
from tools.paths import ROOT, Problem

pytestmark = [pytest.mark.long, pytest.mark.godot]

PLUGIN = {"godot_gdnative_init", "godot_gdnative_singleton", "godot_gdnative_terminate"}
OTHERS = (WINDOWS, MACOS_INTEL, MACOS_ARM)


def names(targets: Target) -> str:
    return f"{targets.name}-{targets.architecture}"


@pytest.fixture(scope="module")
def exported() -> Path:
    """The zip for Linux."""
    settings = (ROOT / "project.godot").read_bytes()
    zipped = linux.export(source.read())
    assert (ROOT / "project.godot").read_bytes() == settings, "the working tree is left as it was"
    return zipped


@pytest.fixture(scope="module")
def unpacked(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("some where else")
    proof.unpack(exported, folder)
    return folder / LINUX.folder.name


def test_the_game_starts_from_another_folder_and_takes_no_other_python(
    unpacked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, "/nowhere")
    with game_window([str(unpacked / LINUX.executable), "--level", "1"], folder=Path("/")) as window:
        window.probe.wait_screen("level", 60)
        window.probe.target("tool:prefill_core")


def test_the_zip_is_small_and_lists_what_is_in_it(exported: Path, unpacked: Path) -> None:
    assert exported.stat().st_size <= 60_000_000
    manifest = json.loads((unpacked / "manifest.json").read_text("utf-8"))
    files = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert set(manifest["files"]) == files - {"manifest.json"}
    assert manifest["commit"] == source.read().commit
    assert {"godot", "python", "libvorbis.so.0"} <= set(manifest["versions"])
    assert tuple(map(int, manifest["needs"]["glibc"].split("."))) <= (2, 38)
    itch_manifest.check(LINUX, unpacked)


def test_the_bundled_libraries_are_those_that_are_expected(unpacked: Path) -> None:
    ours, spare = (
        {shared_libraries.stem(path.name) for path in (unpacked / place).glob("*.so*")}
        for place in (shared_libraries.FOLDER, shared_libraries.SPARE)
    )
    if godot_pack.version().startswith("3.2."):  # later ones need less
        assert (ours, spare) == (shared_libraries.OURS, shared_libraries.SPARES)
    assert ours <= shared_libraries.OURS
    assert spare <= shared_libraries.SPARES


def test_everything_bundled_has_its_licence(unpacked: Path) -> None:
    licences = unpacked / "licences"
    assert all((licences / name).is_file() for name in ("token-factory.txt", "godot.txt", "python.txt"))
    manifest = json.loads((unpacked / "manifest.json").read_text("utf-8"))
    for package in manifest["packages"]:
        assert list((licences / package["name"]).iterdir()), package["name"]
    for name, package in manifest["versions"].items():
        if ".so" in name:
            assert (licences / "libraries" / f"{package.split()[0]}.txt").is_file(), name


def test_two_exports_of_one_state_have_the_same_bytes(exported: Path) -> None:
    before = exported.read_bytes()
    after = linux.export(source.read()).read_bytes()
    if before != after:
        with zipfile.ZipFile(exported) as whole:
            pytest.fail(f"they differ; the second holds {len(whole.namelist())} files")


@pytest.mark.parametrize("suite", proof.SUITES)
def test_it_wins_level_1_on_a_bare_debian(suite: str, exported: Path) -> None:
    try:
        debian_root.must_be_possible()
    except Problem as problem:
        pytest.skip(str(problem))
    with proof.machine(suite, exported) as bare:
        facts = proof.facts(bare)
        assert facts["prefix"] == f"{proof.GAME}/runtime"
        assert all(path.startswith(proof.GAME) for path in facts["path"])
        mods = proof.mods(bare)
        assert mods["levels"]
        assert set(mods["levels"].values()) == {1}, "each example brings a level"
        result = proof.win(bare)
    assert result["passed"] is True


@pytest.mark.parametrize("target", OTHERS, ids=names)
def test_the_plugin_compiles_for_other_systems(target: Target, tmp_path: Path) -> None:
    plugin_library.build(target, tmp_path)
    library, launcher = (binaries.read(tmp_path / name)[0] for name in (target.library, target.launcher))
    for binary in (library, launcher):
        assert (binary.system, binary.machine) == (target.name, target.architecture)
        for name in binary.needs:
            assert is_of_the_system(name, target), name
    assert library.offers >= PLUGIN
    assert {path.name for path in tmp_path.iterdir()} == {target.library, target.launcher}
    again = tmp_path / "again"
    plugin_library.build(target, again)
    for name in (target.library, target.launcher):
        assert (again / name).read_bytes() == (tmp_path / name).read_bytes(), "compiled twice, the same bytes"


def is_of_the_system(name: str, target: Target) -> bool:
    if target is WINDOWS:
        return name.lower().startswith(("kernel32", "api-ms-win-crt-", "ntdll"))
    return name.startswith("/usr/lib/libSystem")


@pytest.mark.parametrize("target", TARGETS, ids=names)
def test_there_are_wheels_for_every_system(target: Target, tmp_path: Path) -> None:
    found = wheels.collect(target, "3.11")
    assert {"numpy", "simpy", "msgpack", "pillow"} <= {wheel.name for wheel in found}
    wheels.install(found, tmp_path)
    for wheel in found:
        for name in wheels.import_names(wheel):
            assert (tmp_path / name).is_dir() or (tmp_path / f"{name}.py").is_file(), name
    assert checks.foreign(tmp_path, target) == []
    there = {path.name.lower() for path in binaries.find(tmp_path)}
    for path in binaries.find(tmp_path):
        for name in binaries.read(path)[0].needs:
            base = name.rpartition("/")[2].lower()
            assert base in there or is_given(name, target), f"{path.name} needs {name}"


def is_given(name: str, target: Target) -> bool:
    """Whether a library comes with the system, or with CPython."""
    if target is LINUX:
        return shared_libraries.stem(name) in shared_libraries.SYSTEM | shared_libraries.SPARES
    if target is WINDOWS:
        given = ("api-ms-win-", "kernel32", "user32", "gdi32", "advapi32", "shell32", "msvcrt", "ucrtbase", "python3")
        return name.lower().startswith((*given, "vcruntime140", "bcrypt", "ws2_32", "ole32", "shlwapi"))
    return name.startswith(("/usr/lib/", "/System/Library/"))


@pytest.mark.parametrize("target", OTHERS, ids=names)
def test_all_but_godots_program_is_laid_out_for_other_systems(target: Target, tmp_path: Path) -> None:
    python = python_runtime.unpack(relocatable_python(target, tmp_path), target)
    folder = tmp_path / "game"
    assemble = windows.assemble if target is WINDOWS else macos.assemble
    expected = assemble(source.read(), python, folder, target)
    checks.check(folder, target, expected)
    conf = next(folder.rglob("pythonscript.conf"))
    for line in conf.read_text("utf-8").splitlines():
        key, _, value = line.partition("=")
        if not line.startswith("#"):
            assert (conf.parent / value).exists(), f"{key}={value}"
    top = {path.name for path in folder.iterdir()}
    assert {"README.txt", "licences", "manifest.json", ".itch.toml", "docs"} <= top
    home = next(path.parent for path in folder.rglob("runtime"))
    assert {path.name for path in (home / "game").iterdir()} >= {"engine", "levels", "scripts_py", "i18n", "python"}
