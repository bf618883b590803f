"""CPython for one system: its library and its standard library, without what no game and no mod has a use for."""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
import tarfile
from dataclasses import dataclass
from pathlib import Path

from tools import build_plugin
from tools.export.target import EXPORTS, Target
from tools.paths import Problem

FOLDER = "runtime"
LEFT_OUT_FOLDERS = frozenset(
    {
        "__pycache__",
        "curses",
        "dbm",
        "distutils",
        "dist-packages",
        "ensurepip",
        "idlelib",
        "lib2to3",
        "msilib",
        "pydoc_data",
        "site-packages",
        "sqlite3",
        "test",
        "tests",
        "tkinter",
        "turtledemo",
        "venv",
        "wsgiref",
        "xmlrpc",
    }
)
LEFT_OUT_FILES = frozenset({"turtle.py", "sitecustomize.py", "usercustomize.py", "EXTERNALLY-MANAGED"})
LEFT_OUT_MODULES = re.compile(
    r"_ssl|_hashlib|_sqlite3|_curses(_panel)?|readline|_dbm|_gdbm|nis|ossaudiodev|_crypt|_tkinter|_uuid|_msi"
    r"|_?xx.*|_test.*|_ctypes_test"
)
"""Modules in C. No OpenSSL, since nothing talks to a network; Python has its own functions for hashlib."""
LEFT_OUT_LIBRARIES = re.compile(r"lib(ssl|crypto)-.*|sqlite3|tcl.*|tk.*|zlib1")
"""Libraries beside them on Windows."""


@dataclass(frozen=True)
class Python:
    """A CPython on this machine, of whatever system."""

    version: str
    """3.11.13"""
    prefix: Path
    """Where the paths below start."""
    library: str
    """Its shared library."""
    standard_library: str
    modules: tuple[str, ...] = ()
    """Folders with modules in C, other than the standard library's lib-dynload."""
    beside: tuple[str, ...] = ()
    """Libraries that the shared library needs beside it."""
    licence: Path | None = None

    @property
    def minor(self) -> str:
        """3.11"""
        return ".".join(self.version.split(".")[:2])


def own() -> Python:
    """Return the Python that runs this, with its shared library."""
    library = Path(build_plugin.libpython())
    if not library.is_absolute():
        raise Problem(f"where {library} lies is not known; name a Python that was built with its shared library")
    standard = Path(sysconfig.get_path("stdlib"))
    return Python(sysconfig.get_python_version() + f".{sys.version_info.micro}", Path("/"), str(library), str(standard))


def binaries_of(python: Python) -> list[Path]:
    """Return its shared library and its modules in C that are shipped."""
    modules = sorted((python.prefix / python.standard_library / "lib-dynload").glob("*.so"))
    return [python.prefix / python.library, *(path for path in modules if _wanted(Path(path.name)))]


def unpack(archive: Path, target: Target) -> Python:
    """Unpack a relocatable CPython of python-build-standalone (install_only) and say what lies where."""
    folder = EXPORTS / "python" / f"{target.name}-{target.architecture}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() else None
            path = folder / member.name
            if file is None:
                continue  # links only give programs second names
            if not path.resolve().is_relative_to(folder.resolve()):
                raise Problem(f"{archive.name} holds a file outside of its folder: {member.name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.read())
    return look(folder / "python", target)


def look(prefix: Path, target: Target) -> Python:
    """Say what lies where in a relocatable CPython. Raises Problem if it is none for the system."""
    standard, modules, beside = "", tuple[str, ...](), tuple[str, ...]()
    if target.name == "windows":
        libraries = sorted(path.name for path in prefix.glob("python3[0-9]*.dll"))
        standard, modules = "Lib", ("DLLs",)
        beside = ("python3.dll", *sorted(path.name for path in prefix.glob("vcruntime*.dll")))
    else:
        libraries = sorted(f"lib/{path.name}" for path in prefix.glob("lib/libpython3.*.dylib"))
    digits = re.search(r"python3\.?(\d+)", libraries[0]) if libraries else None
    if digits is None:
        raise Problem(f"{prefix} holds no CPython for {target.name}")
    minor = f"3.{digits[1]}"
    standard = standard or f"lib/python{minor}"
    if not (prefix / standard / "os.py").is_file():
        raise Problem(f"{prefix / standard} is no standard library")
    header = next(iter(prefix.glob("include/**/patchlevel.h")), None)
    told = re.search(r'PY_VERSION\s+"([^"]+)"', header.read_text("utf-8")) if header else None
    beside = tuple(name for name in beside if (prefix / name).is_file())
    licence = next(
        (path for path in (prefix / "LICENSE.txt", prefix / standard / "LICENSE.txt") if path.is_file()), None
    )
    return Python(told[1] if told else minor, prefix, libraries[0], standard, modules, beside, licence)


def install(python: Python, target: Target, folder: Path) -> tuple[str, str]:
    """Copy a Python into a folder; return the paths of its library and its home from there."""
    name = Path(python.library).name
    if target.name == "windows":
        library, standard, modules = name, "Lib", "DLLs"
    else:
        library, standard = f"lib/{name}", f"lib/python{python.minor}"
        modules = f"{standard}/lib-dynload"
    runtime = folder / FOLDER
    _copy((python.prefix / python.library).resolve(), runtime / library)
    for file in python.beside:
        _copy(python.prefix / file, runtime / file)
    source = python.prefix / python.standard_library
    for path in sorted(source.rglob("*")):
        if path.is_file() and _wanted(path.relative_to(source)):
            _copy(path, runtime / standard / path.relative_to(source))
    for place in python.modules:
        for path in sorted((python.prefix / place).iterdir()):
            if path.is_file() and _wanted(Path(path.name)):
                _copy(path, runtime / modules / path.name)
    return f"{FOLDER}/{library}", FOLDER


def _wanted(path: Path) -> bool:
    """Tell whether a file of the standard library, named from its folder, is shipped."""
    if any(part in LEFT_OUT_FOLDERS or part.startswith("config-") for part in path.parts[:-1]):
        return False
    if path.name in LEFT_OUT_FILES:
        return False
    stem = path.name.split(".")[0]
    if path.suffix in (".so", ".pyd"):
        return not LEFT_OUT_MODULES.fullmatch(stem)
    if path.suffix == ".dll":
        return not LEFT_OUT_LIBRARIES.fullmatch(path.stem)
    return path.suffix in (".py", ".txt", ".toml") or "tzdata" in path.parts


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if source.suffix in (".so", ".dylib", ".dll", ".pyd") or ".so." in source.name else 0o644)
