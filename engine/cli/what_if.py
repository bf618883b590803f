"""Options that `run` and `sweep` share: what is to be different."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from pathlib import Path

from engine.errors import EngineError
from engine.floor.layout import MAX_JSON_BYTES, Layout, layout_from_json
from engine.what_if.changes import place_of

_DIGITS = 12


def add_changes(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """What can be changed; in a grid each has several values."""
    values = "A,B,..." if several else "VALUE"
    group = parser.add_argument_group(
        "what if", "changes, as far as the engine can simulate them, whatever the level allows"
    )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar=f"KIND.NAME={values}",
        help="a setting of all machines of a kind (decode_core.max_num_seqs=8), "
        "or of one (decode_core@6,4.max_num_seqs=8)",
    )
    group.add_argument(
        "--count", action="append", default=[], metavar=f"KIND={values}", help="how many machines of a kind there are"
    )
    group.add_argument("--gpu", metavar=values, help="what all cards are, by their names in the catalog")
    group.add_argument("--model", metavar=values, help="what is served, by its name in the catalog")
    group.add_argument("--link", metavar=values, help="what joins the cards")
    group.add_argument("--rate", metavar=values, help="requests per second of all streams together, on average")


def assignments(texts: Sequence[str], counts: bool = False) -> dict[str, list[int]]:
    """`NAME=A,B,...` of all options `--set` or `--count`; EngineError `what_if.setting` for what is none."""
    found: dict[str, list[int]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or name in found:
            raise EngineError("what_if.setting", text=text[:80])
        if not counts:
            place_of(name)
        found[name] = [_whole(text, value) for value in values.split(",")]
    return found


def numbers(name: str, text: str | None) -> list[float]:
    """The numbers of an option, above 0."""
    found = []
    for part in (text or "").split(",") if text is not None else []:
        try:
            value = float(part)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and value > 0):
            raise EngineError("what_if.setting", text=f"{name} {text}"[:80])
        found.append(value)
    return found


def names(text: str | None) -> list[str]:
    """The names of an option."""
    return [] if text is None else [part.strip() for part in text.split(",")]


def read_layout(path: Path) -> Layout:
    """A layout from a file of JSON; EngineError `layout.*`."""
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise EngineError("layout.malformed", detail=f"larger than {MAX_JSON_BYTES} bytes")
        return layout_from_json(path.read_bytes())
    except OSError as error:
        raise EngineError("layout.missing", path=str(path), detail=error.strerror or "") from error


def _whole(text: str, value: str) -> int:
    if not re.fullmatch(rf"\d{{1,{_DIGITS}}}", value.strip(), re.ASCII):
        raise EngineError("what_if.setting", text=text[:80])
    return int(value)
