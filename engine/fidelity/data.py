"""Measured data, which is not part of the project: `TOKEN_FACTORY_DATA`, else `shared/data` beside the repository."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


def path(name: str) -> Path:
    """Where a measured file is, or would be."""
    return Path(os.environ.get("TOKEN_FACTORY_DATA") or _BESIDE) / name


def missing(names: Sequence[str]) -> list[str]:
    """Those of the files that are not here."""
    return [name for name in names if not path(name).is_file()]


def fingerprint(name: str) -> str:
    """The first digits of a file's SHA-256, to tell which version a page was made with."""
    return hashlib.sha256(path(name).read_bytes()).hexdigest()[:12]


def rows(name: str) -> list[dict[str, str]]:
    """A measured table."""
    with path(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
