"""`check`: everything that is wrong with a level script or a mod, at once."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from engine.cli.authored import Examined, examine, told, warn_of_walls
from engine.mods.package import ZIP

HELP = "say all that is wrong with a level script, a level as data (.json), or the folder or zip of a mod"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATH and the options."""
    parser.add_argument("path", metavar="PATH", help="a script, a level as data (.json), or the folder or zip of a mod")
    parser.add_argument("--json", action="store_true", help="print the problems as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Load it in a worker and print; status 0 only if it would be accepted."""
    path = Path(parsed.path)
    warn_of_walls()
    with tempfile.TemporaryDirectory(prefix="token-factory-") as cache:
        found = examine(path, Path(cache))
    if parsed.json:
        problems = [problem.to_data() for problem in found.problems]
        print(json.dumps({"accepted": not problems, "problems": problems}, indent=2))
    else:
        print("\n".join(_lines(found, path)))
    return 1 if found.problems else 0


def _lines(found: Examined, path: Path) -> list[str]:
    name = path.name or path.resolve().name
    if found.problems:
        place = path.parent if path.is_file() and path.suffix != ZIP else path
        return [*told(found.problems, "" if str(place) == "." else place.as_posix()), f"refused: {_count(found)}"]
    ids = ", ".join(each.level.id for each in found.levels)
    what = name if found.mod is None else f"{found.mod.id} {found.mod.version}"
    return [f"accepted: {what}, {'level' if len(found.levels) == 1 else 'levels'} {ids}"]


def _count(found: Examined) -> str:
    count = len(found.problems)
    return f"{count} problem{'' if count == 1 else 's'}"
