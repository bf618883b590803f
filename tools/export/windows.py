"""./factory export-windows: the game for Windows, made on Linux."""

import argparse
import shutil
from pathlib import Path

from tools.export import (
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
from tools.export.target import GAME, WINDOWS, Target

ICON = "scenes/theme/icon/icon.ico"


def run(arguments: list[str]) -> int:
    """Carry out ./factory export-windows."""
    parser = argparse.ArgumentParser(prog="./factory export-windows", description=__doc__)
    inputs.options(parser)
    found = inputs.find([WINDOWS], inputs.named(parser.parse_args(arguments)))
    export(source.read(), found[WINDOWS])
    return 0


def export(sources: source.Source, files: inputs.Inputs, target: Target = WINDOWS) -> Path:
    """Make the folder and its zip; return the zip."""
    folder = target.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / target.executable).write_bytes(template.read(files.templates, template.WINDOWS))
    python = python_runtime.unpack(files.python, target)
    expected = assemble(sources, python, folder, target)
    checks.check(folder, target, [*expected, target.executable])
    return finish(folder, sources.seconds)


def assemble(sources: source.Source, python: python_runtime.Python, folder: Path, target: Target) -> list[str]:
    """Put all but Godot's program into a folder; return what has to be there."""
    godot_pack.write(source.project(sources), folder / f"{GAME}.pck")
    plugin_library.build(target, folder)
    libpython, home = python_runtime.install(python, target, folder)
    (folder / "pythonscript.conf").write_text(plugin_library.configuration(libpython, home), "utf-8")
    packages = wheels.collect(target, python.minor)
    wheels.install(packages, folder / wheels.FOLDER)
    source.install(sources, folder / "game")
    source.copy(ICON, folder / f"{GAME}.ico")
    write_pages(target, folder)
    versions = {"python": python.version, "godot": godot_pack.version()}
    licences.of_everything(python, packages, folder / licences.FOLDER)
    bytecode.compile_all(folder, python.minor)
    manifest.write(folder, target, sources, versions, packages)
    return [f"{GAME}.pck", target.library, target.launcher, libpython, "game/levels"]
