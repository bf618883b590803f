"""Requests that come as they once did: a list of arrivals, from a CSV file."""

from __future__ import annotations

import csv
import math
from pathlib import Path

from attrs import field, frozen

from engine.errors import EngineError
from engine.traffic.traffic import NEVER, Lengths
from engine.units import PS_PER_S

MAX_ARRIVALS = 20_000
MAX_TOKENS = 1_000_000
"""Of one prompt or one answer."""
MAX_SPAN_S = 7200
MAX_BYTES = 4_000_000
COLUMNS = ("arrival", "prompt_tokens", "output_tokens")
"""Of a CSV file: seconds since the start, and token counts. Others are not looked at."""


@frozen
class TraceTraffic:
    """Each request as `[arrival_ps, prompt tokens, output tokens]`, in the order of arrival; several Prompt Docks take
    turns. Where its prompt begins as others do, `prefix, prefix tokens` follow: the beginning's number, from 0 on, and
    its length.
    """

    arrivals: list[list[int]]
    prompt: Lengths = field(init=False, eq=False)
    """The shortest and the longest prompt."""
    output: Lengths = field(init=False, eq=False)
    """The shortest and the longest answer."""

    def __attrs_post_init__(self) -> None:
        for name, column in (("prompt", 1), ("output", 2)):
            values = [arrival[column] for arrival in self.arrivals] or [1]
            object.__setattr__(self, name, Lengths(min(values), max(values)))

    @property
    def interval_ps(self) -> int:
        """The mean time from one request to the next; `NEVER` where there are none."""
        return max(self.arrivals[-1][0] // len(self.arrivals), 1) if self.arrivals else NEVER


def trace_from_csv(path: str | Path) -> TraceTraffic:
    """The requests of a CSV file with the columns `arrival` (seconds), `prompt_tokens` and `output_tokens`.

    EngineError `trace.*` names the file, the line and the field at fault. They are sorted by arrival.
    """
    path = Path(path)
    found: list[list[int]] = []
    line = 1
    try:
        if path.stat().st_size > MAX_BYTES:
            raise EngineError("trace.too_large", path=path.name, most=MAX_BYTES)
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = [name.strip() for name in next(rows, [])]
            if not set(COLUMNS) <= set(header):
                raise EngineError("trace.columns", path=path.name, known=", ".join(COLUMNS))
            places = [header.index(name) for name in COLUMNS]
            for row in rows:
                line = rows.line_num
                if not row:
                    continue
                if len(row) != len(header):
                    raise EngineError("trace.malformed", path=path.name, line=line)
                if len(found) >= MAX_ARRIVALS:
                    raise EngineError("trace.too_long", path=path.name, most=MAX_ARRIVALS)
                found.append(_arrival(path.name, line, [row[place] for place in places]))
    except OSError as error:
        raise EngineError("trace.missing", path=path.name, detail=error.strerror or "") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise EngineError("trace.malformed", path=path.name, line=line) from error
    if not found:
        raise EngineError("trace.empty", path=path.name)
    return TraceTraffic(sorted(found, key=lambda arrival: arrival[0]))


def _arrival(path: str, line: int, row: list[str]) -> list[int]:
    at, *lengths = (number(path, line, name, text) for name, text in zip(COLUMNS, row, strict=True))
    if not 0 <= at <= MAX_SPAN_S:
        raise EngineError("trace.seconds", path=path, line=line, field=COLUMNS[0], most=MAX_SPAN_S)
    for name, value in zip(COLUMNS[1:], lengths, strict=True):
        if not (1 <= value <= MAX_TOKENS and value == int(value)):
            raise EngineError("trace.range", path=path, line=line, field=name, low=1, high=MAX_TOKENS)
    return [round(at * PS_PER_S), *(int(value) for value in lengths)]


def number(path: str, line: int, field: str, text: str) -> float:
    """A finite number out of a cell; EngineError with the file's name, the line and the column if it is none."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise EngineError("trace.number", path=path, line=line, field=field)
    return value
