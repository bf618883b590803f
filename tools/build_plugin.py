"""The plugin's library and the launcher of its Python, compiled, and pythonscript.conf beside them: where Python is.

`python -m tools.build_plugin [--cc COMPILER]` builds for the Python whose virtual environment it runs in.
"""

import argparse
import ctypes
import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

from tools.paths import ROOT, Problem
from tools.process import must, say

PLUGIN = ROOT / "addons" / "pythonscript"
SOURCES = PLUGIN / "src"
FOLDER = PLUGIN / "bin" / "x11-64"
LIBRARY = FOLDER / "libpythonscript.so"
LAUNCHER = FOLDER / "pythonscript-launcher"
CONF = FOLDER / "pythonscript.conf"
STAMP = FOLDER / "source.sha256"
COMPILERS = ("cc", "gcc", "clang")
ZIGLANG = "ziglang==0.15.2"  # pyproject.toml's extra `compiler`
FLAGS = ("-std=gnu99", "-O2", "-Wall", "-fvisibility=hidden")
LIBRARY_FLAGS = ("-shared", "-fPIC")


def build(cc: str | None = None) -> bool:
    """Compile the library and write its conf, where they are not up to date; return whether they were.

    `cc` names the compiler; the default is $CC, else the first of cc, gcc and clang, else PyPI's ziglang. Raises
    Problem when this Python has no shared library, or nothing compiles.
    """
    text = conf()
    sources = _sources_hash()
    FOLDER.mkdir(parents=True, exist_ok=True)
    compiled = LIBRARY.is_file() and LAUNCHER.is_file() and _text(STAMP) == sources
    if not compiled:
        say("compiling the Python plugin")
        compile_plugin(cc)
        _write(STAMP, sources)
    configured = _text(CONF) == text
    if not configured:
        _write(CONF, text)
    return compiled and configured


def compile_plugin(cc: str | None = None) -> None:
    """Compile the library and the launcher; a Godot that has the old ones open keeps them."""
    command = [*compiler(cc), *FLAGS]
    _compile([*command, *LIBRARY_FLAGS], "pythonscript.c", LIBRARY)
    _compile(command, "launcher.c", LAUNCHER)


def _compile(command: list[str], source: str, target: Path) -> None:
    new = target.with_name(f"{target.name}.{os.getpid()}.new")
    try:
        must([*command, "-o", str(new), str(SOURCES / source), "-ldl"], "the Python plugin does not compile")
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def _sources_hash() -> str:
    digest = hashlib.sha256(" ".join(FLAGS + LIBRARY_FLAGS).encode())
    for path in sorted(SOURCES.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compiler(cc: str | None = None) -> list[str]:
    """Return the command of the C compiler; installs PyPI's ziglang where the system has none."""
    named = cc or os.environ.get("CC")
    if named:
        words = named.split()
        if shutil.which(words[0]) is None:
            raise Problem(f"the C compiler {words[0]!r} is not there; name another with CC=... or leave it out")
        return words
    for name in COMPILERS:
        path = shutil.which(name)
        if path and _compiles(path):
            return [path]
    from tools.python_packages import installed_version, pip_install

    if installed_version("ziglang") is None:
        say("no C compiler here: installing PyPI's ziglang")
        pip_install(ZIGLANG)
    return [sys.executable, "-m", "ziglang", "cc"]


def _compiles(path: str) -> bool:
    """Tell whether a compiler finds the C library's headers, which a bare system may lack."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text("#include <dlfcn.h>\n#include <stdio.h>\nint probe(void) { return EOF; }\n", "utf-8")
        try:
            must([path, "-shared", "-fPIC", "-o", f"{folder}/probe.so", str(source)], "no headers")
        except Problem:
            return False
    return True


def conf(folder: Path = FOLDER, project: Path = ROOT) -> str:
    """Return pythonscript.conf for this Python.

    `folder` is where it and the library lie, and where relative paths start; `project` is what res:// stands for.
    """
    paths = sysconfig.get_paths()
    packages = dict.fromkeys((paths["purelib"], paths["platlib"]))  # one folder on Debian, two elsewhere
    lines = [
        "# Where the plugin finds Python. Written by tools/build_plugin.py; relative paths start from this folder.",
        f"libpython={libpython()}",
        f"home={sys.base_prefix}",
        f"path={os.path.relpath(PLUGIN / 'python', folder)}",
        *(f"path={path}" for path in packages),
        f"project={os.path.relpath(project, folder)}",
    ]
    return "\n".join([*lines, ""])


def libpython() -> str:
    """Return the path of this Python's shared library. Raises Problem if it has none."""
    names = [sysconfig.get_config_var(name) or "" for name in ("INSTSONAME", "LDLIBRARY")]
    names = [name for name in dict.fromkeys(names) if ".so" in name]
    folders = [Path(sysconfig.get_config_var("LIBDIR") or "/"), Path(sys.base_prefix, "lib")]
    for name in names:
        for path in (folder / name for folder in folders):
            if path.is_file():
                return str(path)
        try:
            ctypes.CDLL(name)  # the system's loader knows it, under this name
        except OSError:
            continue
        return name
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    raise Problem(
        f"{sys.base_prefix} holds Python {version} without its shared library; install libpython{version} "
        "(Debian's name for it), or name a Python that has one with PYTHON=..."
    )


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None


def _write(path: Path, text: str) -> None:
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_text(text, "utf-8")
    new.replace(path)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.build_plugin", description="Compile the Python plugin.")
    parser.add_argument("--cc", help="the C compiler; the default is $CC, cc, gcc, clang, or PyPI's ziglang")
    try:
        current = build(parser.parse_args().cc)
    except Problem as problem:
        print(f"build_plugin: {problem}", file=sys.stderr)
        return 1
    print(f"{os.path.relpath(LIBRARY, ROOT)} {'was up to date' if current else 'is built'}; Python: {libpython()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
