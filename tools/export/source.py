"""What is exported: the files that git tracks, as they lie in the working tree, in a folder of their own.

Godot's exporter walks through every folder of a project, whatever .gdignore says; here it finds nothing else. What is
not tracked is not shipped.
"""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tools.export.target import EXPORTS
from tools.paths import ROOT, Problem

ROOMS = ("engine", "levels", "scripts_py", "i18n", "mods")
"""What the game's Python reads; beside them lies the plugin's Python."""
PLUGIN_PYTHON = "addons/pythonscript/python"
FOR_GODOT = ("scenes", "scripts_py", "addons", "i18n")
NOT_PACKED = (".icns", ".ico")
"""Icons of programs, which the systems take from elsewhere."""


@dataclass(frozen=True)
class Source:
    """The state of the sources."""

    files: tuple[str, ...]
    """Paths from the project's folder, sorted."""
    commit: str
    """"" where there is no git."""
    changed: bool
    """Whether a tracked file differs from the commit."""
    seconds: int
    """The commit's time, which the files in the zip get."""

    def under(self, folder: str) -> list[str]:
        """Return the files of a folder."""
        return [file for file in self.files if file.startswith(f"{folder}/")]


def read() -> Source:
    """Look at the working tree. Raises Problem where git tells nothing of it."""
    listed = _git("ls-files", "-z").split("\0")
    files = tuple(sorted(file for file in listed if file and (ROOT / file).is_file()))
    commit, seconds = _git("log", "-1", "--format=%H %ct").split()
    return Source(files, commit, bool(_git("status", "--porcelain", "--untracked-files=no")), int(seconds))


def project(source: Source) -> Path:
    """Lay out the project as Godot packs it, with what it has imported here, and return its folder."""
    folder = EXPORTS / "project"
    shutil.rmtree(folder, ignore_errors=True)
    top = [file for file in source.files if "/" not in file and not file.startswith(".")]
    for file in [*top, *(file for room in FOR_GODOT for file in source.under(room))]:
        if file.endswith(NOT_PACKED):
            continue
        copy(file, folder / file)
        imported = ROOT / f"{file}.import"
        if imported.is_file():
            copy(f"{file}.import", folder / f"{file}.import")
    shutil.copytree(ROOT / ".import", folder / ".import")
    return folder


def install(source: Source, folder: Path) -> None:
    """Copy what the game's Python reads."""
    for file in (file for room in ROOMS for file in source.under(room)):
        copy(file, folder / file)
    for file in source.under(PLUGIN_PYTHON):
        copy(file, folder / "python" / Path(file).relative_to(PLUGIN_PYTHON))


def copy(file: str, target: Path) -> None:
    """Copy a file of the project with its modes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(ROOT / file, target)


def _git(*arguments: str) -> str:
    try:
        answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Problem("git is not installed; exports are made of what git tracks") from None
    if answer.returncode:
        raise Problem(f"exports are made of what git tracks: git {arguments[0]}: {answer.stderr.strip()[:200]}")
    return answer.stdout
