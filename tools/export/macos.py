"""./factory export-macos: the game for macOS, made on Linux: an application for each processor.

Godot's template says for which processors it is; a CPython is for one.
"""

import argparse
import io
import plistlib
import shutil
import zipfile
from pathlib import Path

from engine.version import VERSION
from tools.export import (
    binaries,
    bytecode,
    checks,
    godot_pack,
    inputs,
    licences,
    manifest,
    plugin_library,
    python_runtime,
    source,
    template,
    wheels,
)
from tools.export.linux import finish, write_pages
from tools.export.target import GAME, MACOS, MACOS_ARM, MACOS_INTEL, TITLE, Target
from tools.paths import BUILD, Problem
from tools.process import say

BUNDLE = f"{TITLE}.app"
IDENTIFIER = "org.tokenfactory.game"
PROGRAM = "osx_template.app/Contents/MacOS/godot_osx_release"
ARCHITECTURES = {"x86_64": MACOS_INTEL, "arm64": MACOS_ARM}
ICON = "scenes/theme/icon/icon.icns"


def run(arguments: list[str]) -> int:
    """Carry out ./factory export-macos."""
    parser = argparse.ArgumentParser(prog="./factory export-macos", description=__doc__)
    parser.add_argument("--arch", choices=sorted(ARCHITECTURES), action="append", help="only this one; may be repeated")
    inputs.options(parser)
    chosen = parser.parse_args(arguments)
    targets = [ARCHITECTURES[name] for name in chosen.arch or [MACOS_INTEL.architecture]]
    found = inputs.find(targets, inputs.named(chosen))
    sources = source.read()
    for target in targets:
        export(sources, found[target], target)
    return 0


def export(sources: source.Source, files: inputs.Inputs, target: Target) -> Path:
    """Make the application in a folder, and its zip; return the zip."""
    program = _program(files.templates, target)
    folder = target.folder
    shutil.rmtree(folder, ignore_errors=True)
    contents = folder / BUNDLE / "Contents"
    python = python_runtime.unpack(files.python, target)
    expected = assemble(sources, python, folder, target)
    path = contents / "MacOS" / target.executable
    path.parent.mkdir(parents=True)
    path.write_bytes(program)
    path.chmod(0o755)
    say("the application is not signed: its players have to allow it")
    checks.check(folder, target, [*expected, path.relative_to(folder).as_posix()])
    return finish(folder, sources.seconds)


def assemble(sources: source.Source, python: python_runtime.Python, folder: Path, target: Target) -> list[str]:
    """Put all but Godot's program into a folder; return what has to be there."""
    contents = folder / BUNDLE / "Contents"
    libraries, resources = contents / "Frameworks", contents / "Resources"
    godot_pack.write(source.project(sources), resources / f"{GAME}.pck")
    plugin_library.build(target, libraries)
    libpython, home = python_runtime.install(python, target, resources)
    (libraries / "pythonscript.conf").write_text(
        plugin_library.configuration(f"../Resources/{libpython}", f"../Resources/{home}", "../Resources"), "utf-8"
    )
    packages = wheels.collect(target, python.minor)
    wheels.install(packages, resources / wheels.FOLDER)
    source.install(sources, resources / "game")
    source.copy(ICON, resources / "icon.icns")
    (contents / "Info.plist").write_bytes(information(target))
    write_pages(target, folder)
    versions = {"python": python.version, "godot": godot_pack.version()}
    licences.of_everything(python, packages, folder / licences.FOLDER)
    bytecode.compile_all(resources, python.minor)
    manifest.write(folder, target, sources, versions, packages)
    names = [f"Frameworks/{target.library}", f"Frameworks/{target.launcher}", f"Resources/{GAME}.pck"]
    names += [f"Resources/{libpython}", "Resources/game/levels", "Info.plist"]
    return [f"{BUNDLE}/Contents/{name}" for name in names]


def information(target: Target) -> bytes:
    """Return Info.plist."""
    return plistlib.dumps(
        {
            "CFBundleDevelopmentRegion": "en",
            "CFBundleDisplayName": TITLE,
            "CFBundleExecutable": target.executable,
            "CFBundleIconFile": "icon.icns",
            "CFBundleIdentifier": IDENTIFIER,
            "CFBundleInfoDictionaryVersion": "6.0",
            "CFBundleLocalizations": ["en", "de"],
            "CFBundleName": TITLE,
            "CFBundlePackageType": "APPL",
            "CFBundleShortVersionString": VERSION,
            "CFBundleVersion": VERSION,
            "LSApplicationCategoryType": "public.app-category.simulation-games",
            "LSMinimumSystemVersion": f"{MACOS[0]}.{MACOS[1]}",
            "NSHighResolutionCapable": True,
        }
    )


def _program(templates: Path, target: Target) -> bytes:
    """Return Godot's program for macOS. Raises Problem if it is for other processors."""
    with zipfile.ZipFile(io.BytesIO(template.read(templates, template.MACOS))) as archive:
        name = next((name for name in archive.namelist() if name.startswith(PROGRAM)), None)
        if name is None:
            raise Problem(f"{templates} holds no {PROGRAM}")
        program = archive.read(name)
    path = BUILD / "export" / "godot_osx"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(program)
    machines = [binary.machine for binary in binaries.read(path)]
    if target.architecture not in machines:
        raise Problem(f"Godot {godot_pack.version()} for macOS is for {', '.join(machines)}, not {target.architecture}")
    return program
