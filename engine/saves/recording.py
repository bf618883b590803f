"""Recordings: a run as its seed and its commands. It is played again and has to come out the same, on any machine."""

from __future__ import annotations

import base64
from pathlib import Path

from engine.errors import EngineError
from engine.saves import format as outer
from engine.saves.format import Parts
from engine.saves.migrations import RUN

PREFIX = "TFR1:"
ENDING = ".tfrun"
FOLDER = "recordings"
MAX_TEXT = 8_000


def to_text(content: bytes) -> str | None:
    """A recording as text, where it is short enough to be shared so."""
    text = PREFIX + base64.b64encode(content).decode()
    return text if len(text) <= MAX_TEXT else None


def from_text(text: str) -> Parts:
    """The recording in a text; EngineError `recording.*` or `save.*`."""
    text = "".join(text[: 2 * MAX_TEXT].split())
    if not text.startswith(PREFIX):
        raise EngineError("recording.none", prefix=PREFIX)
    if len(text) > MAX_TEXT:
        raise EngineError("recording.too_long", most=MAX_TEXT)
    try:
        content = base64.b64decode(text[len(PREFIX) :], validate=True)
    except ValueError as error:  # base64 has more than one kind
        raise EngineError("save.damaged", file=PREFIX) from error
    return outer.read(RUN, content, PREFIX)


def checked_path(path: str) -> Path:
    """Where to read or write; EngineError unless it is absolute."""
    found = Path(path)
    if "\0" in path or not found.is_absolute():
        raise EngineError("message.malformed", detail="a path is absolute")
    return found
