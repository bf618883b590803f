"""Godot's export templates: a zip (.tpz) of the programs that run a pack on each system, or what it unpacks to."""

import zipfile
from pathlib import Path

from tools.paths import Problem

FOLDER = "templates"
"""Where they lie in the zip."""
WINDOWS, MACOS = "windows_64_release.exe", "osx.zip"


def read(templates: Path, name: str) -> bytes:
    """Return one of them."""
    if templates.is_dir():
        return (templates / name).read_bytes()
    with zipfile.ZipFile(templates) as archive:
        try:
            return archive.read(f"{FOLDER}/{name}")
        except KeyError:
            raise Problem(f"{templates} holds no {FOLDER}/{name}") from None
