"""./factory export-linux: the game in a folder of its own, build/linux/.

Beside the executable lie its data, the plugin's library with a pythonscript.conf of relative paths, and the Python that
it runs: the plugin's, the engine, the levels, the bound scripts and the packages they need. Python's own library and
standard library are still the system's.
"""

import shutil
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import godot
from tools.paths import BUILD, LOG, ROOT, Problem, build_folder
from tools.process import run_logged, say

PRESET = "Linux/X11"
FOLDER = BUILD / "linux"
EXECUTABLE = FOLDER / "token-factory"
LIBRARY = "libpythonscript.so"
PLUGIN_PYTHON = ROOT / "addons" / "pythonscript" / "python"
ROOMS = ("engine", "levels", "scripts_py", "i18n")
PACKAGES = "python_packages"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")


def run(arguments: list[str]) -> int:
    """Carry out ./factory export-linux."""
    if arguments:
        raise Problem("export-linux takes no arguments", status=2)
    shutil.rmtree(FOLDER, ignore_errors=True)
    build_folder("linux")
    say("exporting the game (Godot)")
    _export()
    say("copying the Python that it runs")
    for room in ROOMS:
        shutil.copytree(ROOT / room, FOLDER / room, ignore=LEFT_OUT)
    shutil.copytree(PLUGIN_PYTHON, FOLDER / "python", ignore=LEFT_OUT)
    copy_packages(FOLDER / PACKAGES)
    (FOLDER / "pythonscript.conf").write_text(configuration(), "utf-8")
    say(f"made {FOLDER.relative_to(ROOT)}; start it with {EXECUTABLE.relative_to(ROOT)}")
    return 0


def _export() -> None:
    """Let Godot write the executable, its data and the plugin's library; judged by what it wrote."""
    command = [godot.headless(), "--path", str(ROOT), "--export", PRESET, str(EXECUTABLE)]
    with godot.settings_kept(ROOT):
        status = run_logged(command, timeout_s=600, env=godot.environment())
    missing = [path.name for path in (EXECUTABLE, FOLDER / LIBRARY) if not path.is_file()]
    if status or missing:
        raise Problem(f"Godot did not export {', '.join(missing) or 'well'} (exit status {status}; details in {LOG})")


def copy_packages(target: Path) -> None:
    """Copy the files of every package that the game needs at run time."""
    for distribution in run_time_packages():
        for file in distribution.files or ():
            if ".." in file.parts or "__pycache__" in file.parts:
                continue
            copy = target / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(str(file.locate()), copy)


def run_time_packages() -> Iterator[metadata.Distribution]:
    """Yield the installed packages that pyproject.toml's dependencies ask for, and theirs, each once."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        open_ends: list[str] = tomllib.load(file)["project"]["dependencies"]
    seen = set()
    while open_ends:
        requirement = Requirement(open_ends.pop(0))
        name = canonicalize_name(requirement.name)
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        distribution = metadata.distribution(name)
        open_ends += distribution.requires or []
        yield distribution


def configuration() -> str:
    """Return the exported game's pythonscript.conf; its paths start from the folder it lies in."""
    from tools import build_plugin

    lines = [f"libpython={build_plugin.libpython()}", f"home={sys.base_prefix}", "project=."]
    return "\n".join([*lines, "path=python", f"path={PACKAGES}", "path=.", ""])
