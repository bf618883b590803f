"""Measured data, which is not part of the project: `TOKEN_FACTORY_DATA`, else `shared/data` beside the repository."""

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def measured(name: str) -> Path:
    """A measured file; a test that needs it is skipped, saying so, where it is absent."""
    path = Path(os.environ.get("TOKEN_FACTORY_DATA") or _BESIDE) / name
    if not path.exists():
        pytest.skip(f"measured data is not here: {path} (set TOKEN_FACTORY_DATA)")
    return path
