"""`new-level`: a level to begin with."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from engine.errors import EngineError
from engine.level.load import CAMPAIGN

HELP = "write a level script that works, to begin with"
START = CAMPAIGN / "my_level.py"
"""What is written: a level that is played, checked and proven by the tests."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """NAME and PATH."""
    parser.add_argument("name", metavar="NAME", help="its id: small letters, digits and _")
    parser.add_argument("path", metavar="PATH", nargs="?", help="a file, or a folder for it (default: NAME.py, here)")


def command(parsed: argparse.Namespace) -> int:
    """Write it; nothing that is there is written over."""
    if not _NAME.fullmatch(parsed.name):
        raise EngineError("check.name", value=parsed.name[:60])
    path = Path(parsed.path or ".")
    path = path if path.suffix == ".py" else path / f"{parsed.name}.py"
    title = parsed.name.replace("_", " ").capitalize()
    script = START.read_text(encoding="utf-8")
    script = script.replace("my_level", parsed.name).replace("My level", title)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(script)
    except OSError as error:
        raise EngineError("level.not_written", path=str(path), detail=error.strerror or "") from error
    print(f"{path} is there. Next:\n  python -m engine check {path}\n  python -m engine run {path}")
    return 0
