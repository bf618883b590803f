"""Pictures, sounds and fonts: imported by the headless editor, as Godot needs before a project's first run."""

import hashlib
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tools import godot
from tools.paths import LOG, ROOT, Problem, build_folder
from tools.process import say

EXTENSIONS = {".png", ".jpg", ".svg", ".wav", ".ogg", ".ttf", ".otf", ".csv", ".po"}
NOT_IMPORTED = {".ttf", ".otf", ".po"}  # Godot 3 loads these as they are
PRODUCTS = ".import"
ROUNDS = 2
IMPORT_S = 300.0
LOOK_S = 0.25


def files(root: Path) -> Iterator[Path]:
    """Yield the files that Godot sees: no hidden folders, none with a .gdignore."""
    folders = [str(root)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            inside = list(entries)
        if any(entry.name == ".gdignore" for entry in inside):
            continue
        for entry in sorted(inside, key=lambda entry: entry.name):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            else:
                yield Path(entry.path)


def sources(root: Path = ROOT) -> list[Path]:
    """Return a project's files that have to be imported."""
    return [path for path in files(root) if path.suffix in EXTENSIONS - NOT_IMPORTED]


def is_imported(source: Path, root: Path) -> bool:
    """Tell whether what Godot made of `source` is there and belongs to its present content."""
    sidecar = source.with_name(source.name + ".import")
    if not sidecar.is_file():
        return False
    made = re.search(r"^dest_files=\[(.*)\]$", sidecar.read_text("utf-8"), re.MULTILINE)
    products = (
        [root / PRODUCTS / name for name in re.findall(r'"res://\.import/([^"]+)"', made.group(1))] if made else []
    )
    if not products or not all(product.is_file() for product in products):
        return False
    # foo.png-<hash>.stex and foo.png-<hash>.s3tc.stex share foo.png-<hash>.md5
    stem = re.match(re.escape(source.name) + r"-[0-9a-f]+", products[0].name)
    record = root / PRODUCTS / f"{stem.group(0) if stem else 'missing'}.md5"
    if not record.is_file():
        return False
    digest = hashlib.md5(source.read_bytes(), usedforsecurity=False).hexdigest()
    return f'source_md5="{digest}"' in record.read_text("utf-8")


def stale(root: Path) -> list[Path]:
    """Return the sources that are not imported yet or have changed since."""
    return [source for source in sources(root) if not is_imported(source, root)]


def install(root: Path = ROOT) -> None:
    """Import what is stale. An editor that crashes on the way, as Godot 3.2.3 may, is started once more."""
    missing = stale(root)
    if not missing and (root / PRODUCTS).is_dir():
        return
    say(f"importing {len(missing)} pictures and sounds (Godot)")
    for _ in range(ROUNDS):
        _edit_until_imported(root)
        missing = stale(root)
        if not missing:
            (root / PRODUCTS).mkdir(exist_ok=True)
            return
    names = ", ".join(str(path.relative_to(root)) for path in missing[:3])
    raise Problem(f"Godot could not import {names} (details in {LOG})")


def _edit_until_imported(root: Path) -> None:
    """Run the editor until all is imported. With --quit it would end with its first frame, before it has looked."""
    build_folder()
    command = [godot.headless(), "--path", str(root), "--editor"]
    deadline = time.monotonic() + IMPORT_S
    with godot.settings_kept(root), LOG.open("ab") as log:
        editor = subprocess.Popen(command, env=godot.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            while editor.poll() is None and time.monotonic() < deadline and stale(root):
                time.sleep(LOOK_S)
        finally:
            editor.terminate()
            editor.wait()
