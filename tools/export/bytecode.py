"""Compiled Python beside its source, so that the game starts fast from a folder that it may not write to.

Of the game all is compiled; of the standard library and the packages what the game imports: the rest would be the
larger part. `python -m tools.export.bytecode FOLDER` runs in a process of its own with a fixed hash seed: the same
sources give the same bytes. What a player may change is compared with its source when it is imported, the rest is taken
as it is.
"""

import ast
import importlib
import os
import pkgutil
import py_compile
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tools.paths import ROOT, Problem

CHANGEABLE = "game"
FOR_GODOTS_STRINGS = ("encodings.utf_32_le", "encodings.utf_16_le")
NOT_IN_THE_GAME = ("engine.__main__", "engine.cli")


def compile_all(folder: Path, python: str) -> bool:
    """Compile an exported folder for a Python ("3.11"); False where this one is another and cannot."""
    if python != f"{sys.version_info.major}.{sys.version_info.minor}":
        return False
    command = [sys.executable, "-m", "tools.export.bytecode", str(folder)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise Problem(f"the exported Python does not compile: {answer.stderr.strip().splitlines()[-1][:300]}")
    return True


def imported() -> set[str]:
    """Return the modules that are imported with the engine and the plugin, and by what the bound scripts need."""
    import engine

    walked = (module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))
    names = [name for name in walked if not name.startswith(NOT_IN_THE_GAME)]
    for name in [*names, *_asked_for_by_scripts(), *FOR_GODOTS_STRINGS]:
        with suppress(ImportError):  # a module of another system
            importlib.import_module(name)
    return set(sys.modules)


def _asked_for_by_scripts() -> Iterator[str]:
    for path in sorted((ROOT / "scripts_py").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            yield from (name for name in names if name and name.split(".")[0] not in ("godot", "scripts_py"))


def _compile(folder: Path, modules: set[str]) -> None:
    modes = py_compile.PycInvalidationMode
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder)
        changeable = name.parts[0] == CHANGEABLE
        if changeable or _module(name) in modules:
            mode = modes.CHECKED_HASH if changeable else modes.UNCHECKED_HASH
            py_compile.compile(str(path), dfile=str(name), doraise=True, invalidation_mode=mode)


def _module(path: Path) -> str:
    """Return the name that a file of the standard library or of a package is imported by."""
    parts = list(path.with_suffix("").parts)
    start = 1 + next((index for index, part in enumerate(parts) if part.startswith("python3") or part == "Lib"), 0)
    parts = parts[start:]
    return ".".join(parts[:-1] if parts[-1:] == ["__init__"] else parts)


if __name__ == "__main__":
    _compile(Path(sys.argv[1]), imported())
