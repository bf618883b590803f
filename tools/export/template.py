"""Godot's export templates: a zip (.tpz) of the programs that run a pack on each system."""

import zipfile
from pathlib import Path

from tools.paths import Problem


def member(templates: Path, name: str) -> bytes:
    """Return a file out of them."""
    with zipfile.ZipFile(templates) as archive:
        try:
            return archive.read(name)
        except KeyError:
            raise Problem(f"{templates} holds no {name}") from None
