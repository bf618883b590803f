"""manifest.json: what an exported folder was made of, and the hash of each of its files."""

import hashlib
import json
from pathlib import Path
from typing import Any

from engine.version import VERSION
from tools.export.source import Source
from tools.export.target import TITLE, Target
from tools.export.wheels import Wheel

NAME = "manifest.json"


def write(
    folder: Path, target: Target, source: Source, versions: dict[str, str], wheels: list[Wheel], **more: Any
) -> None:
    """Write it; `versions` are of what is bundled, other than Python packages."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / NAME)
    content = {
        "name": TITLE,
        "version": VERSION,
        "system": target.name,
        "architecture": target.architecture,
        "commit": source.commit,
        "changed": source.changed,
        "versions": versions,
        "packages": [
            {"name": wheel.name, "version": wheel.version, "file": wheel.file.name, "sha256": wheel.sha256}
            for wheel in wheels
        ],
        **more,
        "files": {path.relative_to(folder).as_posix(): sha256(path) for path in files},
    }
    (folder / NAME).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


def sha256(path: Path) -> str:
    """Return the hash of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
