"""The licences of everything in the folder, each in a file of its own under licences/."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

from tools import godot
from tools.export import python_runtime, wheels
from tools.paths import ROOT, Problem

FOLDER = "licences"
_LICENCE = re.compile(r"[^/]+\.dist-info/(licenses?/.+|(LICEN[CS]E|COPYING|NOTICE|AUTHORS)[^/]*)", re.IGNORECASE)
COMMON = Path("/usr/share/common-licenses")


def of_the_game(folder: Path) -> None:
    """The game's own, and what it says of typefaces."""
    _copy(ROOT / "LICENSE", folder / "token-factory.txt")
    _copy(ROOT / "CREDITS.md", folder / "credits.md")
    for path in sorted((ROOT / "scenes" / "theme" / "fonts").glob("OFL*.txt")):
        _copy(path, folder / f"typeface-{path.name}")


def of_packages(found: list[wheels.Wheel], folder: Path) -> None:
    """Those of Python packages, out of their wheels."""
    for wheel in found:
        with zipfile.ZipFile(wheel.file) as archive:
            names = sorted(name for name in archive.namelist() if _LICENCE.fullmatch(name))
            if not names:
                raise Problem(f"{wheel.file.name} holds no licence")
            for name in names:
                _write(folder / wheel.name / Path(name).name, archive.read(name))


def of_python(python: python_runtime.Python, folder: Path) -> None:
    """CPython's, from where it came."""
    if python.licence is not None:
        _copy(python.licence, folder / "python.txt")
        return
    if python.prefix != Path("/"):
        raise Problem(f"{python.prefix} holds no licence")
    of_debian_package(python.prefix / python.standard_library / "os.py", folder, "python")


def of_everything(python: python_runtime.Python, packages: list[wheels.Wheel], folder: Path) -> None:
    """Those of a game for another system: Godot's text is that of the Godot that packs it."""
    of_the_game(folder)
    of_packages(packages, folder)
    of_python(python, folder)
    of_debian_package(Path(godot.headless()), folder, "godot")
    common(folder)


def of_debian_package(file: Path, folder: Path, name: str = "") -> str:
    """That of the Debian package which brought a file; return the package with its version.

    Raises Problem where no package did.
    """
    package, version = _package(file)
    _copy(Path("/usr/share/doc") / package / "copyright", folder / f"{name or package}.txt")
    return f"{package} {version}"


def common(folder: Path) -> None:
    """The texts that Debian's files name instead of repeating them."""
    named = set[str]()
    for path in sorted(folder.rglob("*.txt")):
        text = path.read_text("utf-8", "replace")
        named |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z]+(?:-[0-9]+(?:\.[0-9]+)?)?)", text))
    for name in sorted(named):
        if (COMMON / name).is_file():
            _copy((COMMON / name).resolve(), folder / "common" / f"{name}.txt")


def _package(file: Path) -> tuple[str, str]:
    """Return name and version of the Debian package that a file belongs to."""
    real = str(file.resolve())
    for path in (real, real.removeprefix("/usr"), f"/usr{real}"):
        answer = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            package = answer.stdout.split(":")[0].split(",")[0]
            show = ["dpkg-query", "-W", "-f=${Version}\n", package]
            version = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split("\n")[0]
            return package, version
    raise Problem(f"{file} belongs to no Debian package, so nothing says what its licence is")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
