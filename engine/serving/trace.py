"""Requests to be served: arrivals and lengths, a few bytes each, and reading them from a CSV file."""

from __future__ import annotations

import csv
import math
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np
from attrs import define, field, frozen

from engine.errors import EngineError
from engine.traffic.request import Request
from engine.traffic.trace import number
from engine.units import PS_PER_MS, PS_PER_S

MAX_REQUESTS = 10_000_000
MAX_TOKENS = 10_000_000
"""Of one prompt or one answer."""
MAX_SPAN_S = 366 * 24 * 3600
MAX_LINE = 1_000_000
"""Characters; a long prompt's block hashes take some."""
MAX_LABELS = 10_000
"""Different tenants and prefixes."""
MAX_LABEL = 60
"""Characters of a tenant's or a prefix's name."""
NOBODY = ""
"""The tenant, or the prefix, of a request that has none."""

_COLUMNS = {
    "arrival": ("prompt_tokens", "output_tokens", PS_PER_S),
    "arrived_at_s": ("prompt_tokens", "output_tokens", PS_PER_S),
    "timestamp_ms": ("input_length", "output_length", PS_PER_MS),
}
"""The column of arrivals -> those of prompt and answer, and the unit of arrivals."""
TENANT, PREFIX, PREFIX_TOKENS = "tenant", "prefix", "prefix_tokens"
"""Columns that may be there: whose a request is; which beginning its prompt shares with others, and how many tokens
that is.
"""


@frozen
class Labels:
    """What the optional columns say of a request."""

    tenant: str = NOBODY
    prefix: str = NOBODY
    prefix_tokens: int = 0


@define
class Trace:
    """Requests in the order of their arrival; times count from the first one's."""

    name: str
    """The file's, for errors."""
    arrival_ps: array[int] = field(factory=lambda: array("q"))
    prompt_tokens: array[int] = field(factory=lambda: array("q"))
    output_tokens: array[int] = field(factory=lambda: array("q"))
    order: list[int] = field(factory=list)
    """Where each request stands in the file, once sorted."""
    labels: list[Labels] = field(factory=list)
    """One a request where the file has such columns, else empty."""
    _zero: float = math.nan
    """The time, in the file's unit, from which `arrival_ps` counts."""

    def __len__(self) -> int:
        return len(self.arrival_ps)

    def add(self, line: int, at: float, unit_ps: int, prompt_tokens: int, output_tokens: int) -> None:
        """One more request, in any order; EngineError when the trace gets too long."""
        if not self.arrival_ps:
            self._zero = at
        offset = round((at - self._zero) * unit_ps)
        if abs(offset) > MAX_SPAN_S * PS_PER_S:
            raise EngineError("trace.span", path=self.name, line=line, days=MAX_SPAN_S // 86_400)
        if len(self) >= MAX_REQUESTS:
            raise EngineError("trace.too_long", path=self.name, most=MAX_REQUESTS)
        self.arrival_ps.append(offset)
        self.prompt_tokens.append(prompt_tokens)
        self.output_tokens.append(output_tokens)

    def sort(self) -> None:
        """By arrival, those of the same moment as they came; the first arrives at 0. EngineError if there is none."""
        if not len(self):
            raise EngineError("trace.empty", path=self.name)
        order = np.argsort(np.array(self.arrival_ps), kind="stable").tolist()
        first = self.arrival_ps[order[0]]
        self.arrival_ps = array("q", (self.arrival_ps[index] - first for index in order))
        self.prompt_tokens = array("q", (self.prompt_tokens[index] for index in order))
        self.output_tokens = array("q", (self.output_tokens[index] for index in order))
        if self.labels:
            self.labels = [self.labels[index] for index in order]
        self.order = order

    def requests(self) -> Iterator[Request]:
        """The requests, made one by one as they are needed; ids count from 0."""
        columns = zip(self.arrival_ps, self.prompt_tokens, self.output_tokens, strict=True)
        for id, (arrival_ps, prompt_tokens, output_tokens) in enumerate(columns):
            yield Request(id, prompt_tokens, output_tokens, arrival_ps, 0)


def read_trace(path: Path) -> Trace:
    """A trace with our own columns, those of the Azure or those of the Mooncake traces, and perhaps those of `Labels`;
    other columns are not looked at.

    EngineError `trace.*` for what cannot be read, with the line at fault.
    """
    trace = Trace(path.name)
    line = 1
    known: dict[Labels, Labels] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            csv.field_size_limit(MAX_LINE)
            rows = csv.reader(_lines(file))
            header = [name.strip() for name in next(rows, [])]
            arrival, prompt, output, unit_ps = _columns(path.name, header)
            labelled = _label_columns(path.name, header)
            for row in rows:
                line = rows.line_num
                if not row:
                    continue
                if len(row) != len(header):
                    raise EngineError("trace.malformed", path=path.name, line=line)
                at, *lengths = (
                    number(path.name, line, header[index], row[index]) for index in (arrival, prompt, output)
                )
                counts = (
                    tokens(path.name, line, header[index], n)
                    for index, n in zip((prompt, output), lengths, strict=True)
                )
                trace.add(line, at, unit_ps, *counts)
                if labelled:
                    labels = _labels(path.name, line, trace.prompt_tokens[-1], {n: row[i] for n, i in labelled.items()})
                    trace.labels.append(known.setdefault(labels, labels))
                    if len(known) > MAX_LABELS:
                        raise EngineError("trace.labels", path=path.name, line=line, most=MAX_LABELS)
    except OSError as error:
        raise EngineError("trace.missing", path=str(path), detail=error.strerror or "") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise EngineError("trace.malformed", path=path.name, line=line) from error
    trace.sort()
    return trace


def _lines(file: TextIO) -> Iterator[str]:
    """The lines of a file, none of them longer than `MAX_LINE`."""
    while text := file.readline(MAX_LINE + 1):
        if len(text) > MAX_LINE:
            raise csv.Error("too long")
        yield text


def tokens(name: str, line: int, field: str, value: float) -> int:
    """A number of tokens that can be; EngineError `trace.range` for any other."""
    if not (value == int(value) and 1 <= value <= MAX_TOKENS):
        raise EngineError("trace.range", path=name, line=line, field=field, low=1, high=MAX_TOKENS)
    return int(value)


def _columns(name: str, header: list[str]) -> tuple[int, int, int, int]:
    for arrival, (prompt, output, unit_ps) in _COLUMNS.items():
        if {arrival, prompt, output} <= set(header):
            return header.index(arrival), header.index(prompt), header.index(output), unit_ps
    known = " | ".join(f"{arrival}, {prompt}, {output}" for arrival, (prompt, output, _) in _COLUMNS.items())
    raise EngineError("trace.columns", path=name, known=known)


def _label_columns(name: str, header: list[str]) -> dict[str, int]:
    """Where the optional columns are. A prefix without its length would say nothing."""
    found = {column: header.index(column) for column in (TENANT, PREFIX, PREFIX_TOKENS) if column in header}
    for one, other in ((PREFIX, PREFIX_TOKENS), (PREFIX_TOKENS, PREFIX)):
        if one in found and other not in found:
            raise EngineError("trace.columns", path=name, known=f"{PREFIX}, {PREFIX_TOKENS}")
    return found


def _labels(name: str, line: int, prompt_tokens: int, row: dict[str, str]) -> Labels:
    """The labels of a request. Its prefix is a part of its prompt, and 0 tokens where it has none."""
    tenant, prefix = (row.get(column, NOBODY).strip() for column in (TENANT, PREFIX))
    for column, text in ((TENANT, tenant), (PREFIX, prefix)):
        if len(text) > MAX_LABEL or not text.isprintable():
            raise EngineError("trace.label", path=name, line=line, field=column, most=MAX_LABEL)
    shared = row.get(PREFIX_TOKENS, "").strip()
    length = number(name, line, PREFIX_TOKENS, shared) if shared else 0
    if not (length == int(length) and 0 <= length <= (prompt_tokens if prefix else 0)):
        high = prompt_tokens if prefix else 0
        raise EngineError("trace.range", path=name, line=line, field=PREFIX_TOKENS, low=0, high=high)
    return Labels(tenant, prefix, int(length))
