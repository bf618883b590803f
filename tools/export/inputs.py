"""What cannot be made here: Godot's templates and a CPython of another system; files that somebody has fetched.

They are named on the command line, or lie in the user's cache folder. Where one is not there, it is said which, and
nothing is begun.
"""

import argparse
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from platformdirs import user_cache_path

from tools.export import godot_pack, template
from tools.export.target import MACOS_ARM, MACOS_INTEL, WINDOWS, Target
from tools.paths import Problem

CACHE = user_cache_path("token-factory") / "inputs"
GODOT_PROJECT = "Godot Engine"
PYTHON_PROJECT = "python-build-standalone"
PYTHON_RELEASE = "20250612"
PYTHON_VERSION = "3.11.13"
"""A release of it that has all three systems; other releases, of 3.11 or newer, are as good."""
PYTHON_SYSTEMS = {
    WINDOWS: "x86_64-pc-windows-msvc",
    MACOS_INTEL: "x86_64-apple-darwin",
    MACOS_ARM: "aarch64-apple-darwin",
}


@dataclass(frozen=True)
class Input:
    """A file that is needed."""

    example: str
    """Its name, in the version that is known to exist."""
    pattern: str
    """The names that will do."""
    project: str
    release: str
    option: str
    unpacked: str = ""
    """A file by which a folder is known that it was unpacked to."""

    def told(self) -> str:
        """Say which file it is."""
        return f"{self.option} {self.example} (of the project {self.project}, release {self.release})"


@dataclass(frozen=True)
class Inputs:
    """The files that were found."""

    templates: Path
    python: Path


def templates(target: Target) -> Input:
    """Return what holds the program that runs a pack; it is of the version of the Godot that packs it."""
    version = godot_pack.version()
    name = f"Godot_v{version}_export_templates.tpz"
    unpacked = template.WINDOWS if target.name == "windows" else template.MACOS
    return Input(name, name, GODOT_PROJECT, version, "--templates", unpacked)


def python(target: Target) -> Input:
    """Return the CPython of a system."""
    system = PYTHON_SYSTEMS[target]
    example = f"cpython-{PYTHON_VERSION}+{PYTHON_RELEASE}-{system}-install_only_stripped.tar.gz"
    return Input(example, f"cpython-3.*-{system}-install_only*.tar.gz", PYTHON_PROJECT, PYTHON_RELEASE, "--python")


def find(targets: list[Target], named: list[Path], cache: Path = CACHE) -> dict[Target, Inputs]:
    """Return the files for each system; files and folders that were named come before the cache folder.

    Raises Problem with every file that is missing.
    """
    asked = {target: (templates(target), python(target)) for target in targets}
    wanted = dict.fromkeys(wish for wishes in asked.values() for wish in wishes)
    found = {wish: _found(wish, [*named, cache]) for wish in wanted}
    missing = [wish for wish in wanted if found[wish] is None]
    if missing:
        said = dict.fromkeys(wish.told() for wish in missing)
        raise Problem(f"put into {cache}, or name: {'; '.join(said)}")
    files = {wish: path for wish, path in found.items() if path is not None}
    return {target: Inputs(files[program], files[runtime]) for target, (program, runtime) in asked.items()}


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name such files."""
    for option, words in (
        ("--templates", "Godot's export templates (.tpz), or the folder that holds them"),
        ("--python", "a relocatable CPython (.tar.gz), or the folder that holds some"),
    ):
        parser.add_argument(option, help=words, type=Path, metavar="PATH", action="append", default=[])


def named(chosen: argparse.Namespace) -> list[Path]:
    """Return the files and folders that the options name. Raises Problem if one is not there."""
    paths: list[Path] = [*chosen.templates, *chosen.python]
    for path in paths:
        if not path.exists():
            raise Problem(f"{path} is not there", status=2)
    return paths


def _found(wish: Input, places: list[Path]) -> Path | None:
    for place in places:
        if wish.unpacked and (place / wish.unpacked).is_file():
            return place
        files = sorted(place.iterdir(), reverse=True) if place.is_dir() else [place]
        for file in files:
            if file.is_file() and fnmatchcase(file.name, wish.pattern):
                return file
    return None
