"""The packages that the game needs at run time, as wheels for one system, in requirements.txt's versions."""

import hashlib
import re
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from email.policy import compat32
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from tools.export import binaries
from tools.export.target import EXPORTS, Target
from tools.paths import ROOT, Problem
from tools.process import must
from tools.python_packages import PIP_LOG, pins

FOLDER = "packages"
LEFT_OUT = (
    r".*/tests?/.*",
    r".*\.(pyi|pxd|pyx|c|h|a|lib|f90|build|typed|pyf|src)",
    r"[^/]+\.dist-info/(RECORD|WHEEL|entry_points\.txt|direct_url\.json|sboms/.*)",
    r"numpy/(f2py|_pyinstaller|distutils)/.*",
    r"numpy/_core/(include|lib)/.*",
    r"numpy/_core/_.*_tests\..*",
    r"numpy/_core/_simd\..*",
    # Pillow reads and writes PNG and GIF here: no AVIF and WebP, no drawing of text, no colour profiles, no Tk.
    r"PIL/_(avif|webp|imagingft|imagingcms|imagingtk)\..*",
)
"""Files of packages, as expressions for whole paths."""
_LEFT_OUT = re.compile("|".join(LEFT_OUT))
_OWN_LIBRARIES = re.compile(r"\.(libs|dylibs)$")


@dataclass(frozen=True)
class Wheel:
    """A package, as it was downloaded."""

    name: str
    version: str
    file: Path

    @property
    def sha256(self) -> str:
        """The file's hash."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()


def run_time_requirements() -> list[str]:
    """Return pyproject.toml's dependencies."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        dependencies: list[str] = tomllib.load(file)["project"]["dependencies"]
    return dependencies


def collect(target: Target, python: str) -> list[Wheel]:
    """Download what is needed for a system and a Python ("3.11"), and what that needs; sorted by name.

    What an earlier export downloaded is taken again.
    """
    versions = {canonicalize_name(name): version for name, version in pins().items()}
    environment = {**target.markers, "python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    found: dict[str, Wheel] = {}
    open_ends = [Requirement(text) for text in run_time_requirements()]
    while open_ends:
        wanted = set()
        for requirement in open_ends:
            name = canonicalize_name(requirement.name)
            if name in found or (requirement.marker and not requirement.marker.evaluate(environment)):
                continue
            if name not in versions:
                raise Problem(f"{name}, which {target.name} needs, is not in requirements.txt; make it anew as it says")
            wanted.add(name)
        new = _download(target, python, {name: versions[name] for name in sorted(wanted)})
        found.update(new)
        open_ends = [requirement for wheel in new.values() for requirement in requirements(wheel.file)]
    return [found[name] for name in sorted(found)]


def requirements(file: Path) -> list[Requirement]:
    """Return what a wheel says that it needs."""
    with zipfile.ZipFile(file) as archive:
        name = next(name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        message = Parser(policy=compat32).parsestr(archive.read(name).decode("utf-8"))
    return [Requirement(text) for text in message.get_all("Requires-Dist") or []]


def install(wheels: list[Wheel], folder: Path) -> None:
    """Unpack wheels into a folder, without what nobody runs."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel.file) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith("/") or _LEFT_OUT.fullmatch(name) or ".data/" in name:
                    continue
                path = folder / name
                if not path.resolve().is_relative_to(folder.resolve()):
                    raise Problem(f"{wheel.file.name} holds a file outside of its folder: {name}")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))
    remove_unused_libraries(folder)


def remove_unused_libraries(folder: Path) -> None:
    """Remove what lies in packages' own folders of shared libraries and is needed by no module that is left."""
    needs = {path: binaries.read(path)[0].needs for path in binaries.find(folder)}
    own = {path.name: path for path in needs if _OWN_LIBRARIES.search(path.parent.name)}
    open_ends = [path for path in needs if path.name not in own]
    used = set[str]()
    while open_ends:
        new = {Path(name).name for name in needs[open_ends.pop()]} & own.keys() - used
        used |= new
        open_ends += [own[name] for name in new]
    for name in own.keys() - used:
        own[name].unlink()


def strip(folder: Path) -> None:
    """Linux: take names that only a debugger reads out of the packages' modules in C; some are mostly that."""
    for path in binaries.find(folder):
        if not _OWN_LIBRARIES.search(path.parent.name):
            must(["strip", "--strip-unneeded", str(path)], f"{path.name} could not be stripped (binutils)")


def import_names(wheel: Wheel) -> set[str]:
    """Return the names that a wheel's packages and modules are imported by."""
    names = set()
    with zipfile.ZipFile(wheel.file) as archive:
        for name in archive.namelist():
            first, _, rest = name.partition("/")
            if rest in ("__init__.py",) or (not rest and first.endswith(".py")):
                names.add(first.removesuffix(".py"))
    return names


def _download(target: Target, python: str, wanted: dict[str, str]) -> dict[str, Wheel]:
    folder = EXPORTS / "wheels" / f"{target.name}-{target.architecture}-{python}"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [f"{name}=={version}" for name, version in wanted.items() if not _found(folder, name, version)]
    if missing:
        tags = [word for tag in target.wheel_platforms for word in ("--platform", tag)]
        exactly = ["--no-deps", "--only-binary=:all:", "--implementation", "cp", "--python-version", python]
        pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-input"]
        failure = f"pip found no wheels for {target.name} of {', '.join(missing)}"
        must([*pip, *exactly, *tags, "--dest", str(folder), *missing], failure, PIP_LOG)
    wheels = {}
    for name, version in wanted.items():
        file = _found(folder, name, version)
        if file is None:
            raise Problem(f"pip brought no wheel of {name} {version} for {target.name} (details in {PIP_LOG})")
        wheels[name] = Wheel(name, version, file)
    return wheels


def _found(folder: Path, name: str, version: str) -> Path | None:
    for file in sorted(folder.glob("*.whl")):
        its_name, its_version, *_ = parse_wheel_filename(file.name)
        if its_name == name and str(its_version) == version:
            return file
    return None
