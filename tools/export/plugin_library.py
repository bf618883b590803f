"""The plugin's library and the launcher of mods for one system, and pythonscript.conf beside them."""

import platform
import shutil
import sys
import tempfile
from pathlib import Path

from tools import build_plugin
from tools.export.target import Target
from tools.paths import BUILD, Problem
from tools.process import must, say
from tools.python_packages import installed_version, pip_install

ADVICE = "The game is not whole: install it again."
FLAGS = (*build_plugin.FLAGS, "-s", f'-DADVICE="{ADVICE}"')
"""-s: no symbols, and so no folder of the machine that compiled."""


def build(target: Target, folder: Path) -> None:
    """Compile both into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, source, flags in (
        (target.library, "pythonscript.c", _library_flags(target)),
        (target.launcher, "launcher.c", ["-municode"] if target.name == "windows" else []),
    ):
        with tempfile.TemporaryDirectory() as made:  # beside a library may lie what only compilers read
            libraries = ["-ldl"] if target.name == "linux" else []
            command = [*_compiler(target), *FLAGS, *flags, "-o", f"{made}/{name}"]
            command += [str(build_plugin.SOURCES / source), *libraries]
            must(command, f"{name} for {target.name} does not compile")
            shutil.copyfile(f"{made}/{name}", folder / name)
        (folder / name).chmod(0o755)


def configuration(libpython: str, home: str, shared: str = ".") -> str:
    """Return pythonscript.conf. All paths start from its folder; `shared` is where the game's Python lies."""
    prefix = "" if shared == "." else f"{shared}/"
    lines = [
        "# Where the plugin finds Python. Relative paths start from this folder.",
        f"libpython={libpython}",
        f"home={home}",
        f"path={prefix}game/python",
        f"path={prefix}packages",
        f"project={prefix}game",
    ]
    return "\n".join([*lines, ""])


def _library_flags(target: Target) -> list[str]:
    if target.name == "windows":
        return ["-shared"]
    name = [f"-Wl,-install_name,@loader_path/{target.library}"] if target.name == "macos" else []
    return [*build_plugin.LIBRARY_FLAGS, *name]


def _compiler(target: Target) -> list[str]:
    """Return the C compiler for a system: this system's own for itself, PyPI's ziglang for others."""
    if target.name == sys.platform and target.architecture == platform.machine():
        return build_plugin.compiler()
    if installed_version("ziglang") is None:
        say("installing PyPI's ziglang, which compiles for other systems")
        pip_install(build_plugin.ZIGLANG)
    if installed_version("ziglang") is None:
        raise Problem("PyPI's ziglang is not there, which compiles for other systems")
    kept = f"ZIG_GLOBAL_CACHE_DIR={BUILD / 'zig'}"  # a system's own library takes minutes, once
    return ["env", kept, sys.executable, "-m", "ziglang", "cc", "-target", target.zig]
