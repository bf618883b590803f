"""./factory export-linux: the game for Linux, with the runner and the CPython of this machine."""

import platform
import shutil
import sys
from pathlib import Path

from tools import godot
from tools.export import (
    archive,
    binaries,
    bytecode,
    checks,
    desktop_entry,
    godot_pack,
    itch_manifest,
    licences,
    manifest,
    manual,
    plugin_library,
    python_runtime,
    shared_libraries,
    source,
    wheels,
)
from tools.export.readme import readme
from tools.export.target import GAME, LINUX, Target
from tools.paths import ROOT, Problem
from tools.process import say

ICON = ROOT / "scenes" / "theme" / "icon" / "icon.png"
LARGEST_ZIP = 60_000_000


def run(arguments: list[str]) -> int:
    """Carry out ./factory export-linux."""
    if arguments:
        raise Problem("export-linux takes no arguments", status=2)
    export(source.read())
    return 0


def export(sources: source.Source, target: Target = LINUX) -> Path:
    """Make the folder and its zip; return the zip."""
    if sys.platform != "linux" or platform.machine() != target.architecture:
        raise Problem(f"the game for Linux is made on Linux, {target.architecture}")
    runner, python = godot.runner(), python_runtime.own()
    folder = target.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    say(f"packing the game (Godot) for {target.name}")
    godot_pack.write(source.project(sources), folder / f"{GAME}.pck")
    shutil.copyfile(runner, folder / target.executable)
    (folder / target.executable).chmod(0o755)
    plugin_library.build(target, folder)
    say(f"gathering CPython {python.version} and its packages")
    libpython, home = python_runtime.install(python, target, folder)
    (folder / "pythonscript.conf").write_text(plugin_library.configuration(libpython, home), "utf-8")
    packages = wheels.collect(target, python.minor)
    wheels.install(packages, folder / wheels.FOLDER)
    wheels.strip(folder / wheels.FOLDER)
    source.install(sources, folder / "game")
    libraries = shared_libraries.bundle(folder, [Path(runner), *python_runtime.binaries_of(python)])
    shutil.copyfile(ICON, folder / f"{GAME}.png")
    write_pages(target, folder)
    desktop_entry.write(folder)

    versions = {"python": python.version}
    kept = folder / licences.FOLDER
    licences.of_the_game(kept)
    licences.of_packages(packages, kept)
    licences.of_python(python, kept)
    versions["godot"] = licences.of_debian_package(Path(runner), kept, "godot")
    for library in libraries:
        versions[library.name] = licences.of_debian_package(library.path, kept / "libraries")
    licences.common(kept)

    bytecode.compile_all(folder, python.minor)
    glibc = max(binaries.read(path)[0].glibc for path in binaries.find(folder))
    needs = {"glibc": ".".join(map(str, glibc))}
    manifest.write(folder, target, sources, versions, packages, needs=needs)
    expected = [target.executable, f"{GAME}.pck", target.library, target.launcher, libpython, "game/levels"]
    checks.check(folder, target, expected)
    return finish(folder, sources.seconds)


def write_pages(target: Target, folder: Path) -> None:
    """Write what a person reads, and what the itch app does."""
    (folder / "README.txt").write_text(readme(target), "utf-8")
    manual.write(folder / "docs")
    itch_manifest.write(target, folder)


def finish(folder: Path, seconds: int) -> Path:
    """Zip a folder and tell of it."""
    say(f"zipping {folder.name}")
    zipped = archive.write(folder, seconds)
    print(archive.report(zipped), flush=True)
    if zipped.stat().st_size > LARGEST_ZIP:
        raise Problem(f"{zipped.name} is larger than {LARGEST_ZIP / 1e6:.0f} MB")
    say(f"made {zipped.relative_to(ROOT)} (SHA-256 {manifest.sha256(zipped)})")
    return zipped
