"""Codes in words, for the terminal: the same English translations that the game shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

ENGLISH = Path(__file__).resolve().parents[2] / "i18n" / "en.po"


def words(code: str, params: Mapping[str, Any]) -> str:
    """The text of a code; without a translation, the code and its parameters."""
    template = _english().get(code)
    if template is None:
        return " ".join([code, *(f"{name}={value}" for name, value in params.items())])
    return template.format_map({name: _shown(value) for name, value in params.items()})


def _shown(value: Any) -> str:
    """Machine kinds have names of their own; text from outside is kept to one line."""
    return _english().get(f"KIND_{value}".upper(), " ".join(str(value).split()))


@cache
def _english() -> dict[str, str]:
    if not ENGLISH.is_file():
        return {}
    with ENGLISH.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file) if message.id}
