"""Measured vLLM runs: a JSON object per line and request, and beside it what the engine was started with.

Two clocks are in such a file. Ours is `queued_ts`, when the engine took a request into its queue: it is the clock of
the scheduler and of the tokens, and what the web server spent before is not the engine's.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, field

from engine.errors import EngineError
from engine.memory.paged import DEFAULT_BLOCK_SIZE
from engine.serving.settings import Settings
from engine.serving.trace import MAX_SPAN_S, Trace, tokens
from engine.units import PS_PER_S

CLOCK = "queued_ts"
MAX_LINE_BYTES = 1_000_000
MAX_META_BYTES = 10_000_000

_T = TypeVar("_T", int, float)


@define
class Measured:
    """A run: what was asked of the engine, and when its tokens came (seconds, in the order of the trace)."""

    trace: Trace
    ttft_s: list[float] = field(factory=list)
    tpot_s: list[float] = field(factory=list)
    """Of those with more than one token."""
    e2e_s: list[float] = field(factory=list)
    span_s: float = 0.0
    """From the first arrival to the last token."""

    @property
    def output_tokens(self) -> int:
        """Of all answers together."""
        total = 0
        for count in self.trace.output_tokens:
            total += count
        return total


@define
class Meta:
    """What a `.meta.json` says of an engine; what it leaves out is vLLM's default, or derived."""

    settings: Settings
    tensor_parallel: int


def read_run(path: Path) -> Measured:
    """A measured run; EngineError `trace.*` for what cannot be read, with the line at fault."""
    measured = Measured(Trace(path.name))
    first_s, last_s = math.inf, -math.inf
    try:
        with path.open("rb") as file:
            line = 0
            while text := file.readline(MAX_LINE_BYTES + 1):
                line += 1
                if not text.strip():
                    continue
                row = _row(path.name, line, text)
                counts = [
                    tokens(path.name, line, name, _number(path.name, line, row, name))
                    for name in ("input_toks", "output_toks")
                ]
                times = [_number(path.name, line, row, name) for name in (CLOCK, "first_token_ts", "last_token_ts")]
                queued, first, last = times
                if not queued <= first <= last <= queued + MAX_SPAN_S:
                    raise EngineError("trace.order", path=path.name, line=line)
                measured.trace.add(line, queued, PS_PER_S, *counts)
                measured.ttft_s.append(first - queued)
                measured.e2e_s.append(last - queued)
                if counts[1] > 1:
                    measured.tpot_s.append((last - first) / (counts[1] - 1))
                first_s, last_s = min(first_s, queued), max(last_s, last)
    except OSError as error:
        raise EngineError("trace.missing", path=str(path), detail=error.strerror or "") from error
    measured.trace.sort()
    measured.span_s = last_s - first_s
    return measured


def read_meta(path: Path) -> Meta:
    """Settings of an engine from its `.meta.json`; EngineError `meta.*` for what makes no sense."""
    try:
        text = path.read_bytes() if path.stat().st_size <= MAX_META_BYTES else b""
        meta = json.loads(text)
    except OSError as error:
        raise EngineError("trace.missing", path=str(path), detail=error.strerror or "") from error
    except (ValueError, RecursionError) as error:
        raise EngineError("meta.malformed", path=path.name) from error
    if not isinstance(meta, dict):
        raise EngineError("meta.malformed", path=path.name)
    resolved = _part(meta, "resolved_config")
    arguments, kv_cache = _part(meta, "engine_kwargs"), _part(meta, "kv_cache")
    scheduler, cache = _part(resolved, "scheduler_config"), _part(resolved, "cache_config")
    parallel = _part(resolved, "parallel_config")

    def find(name: str, default: _T, *parts: Mapping[str, Any]) -> _T:
        for part in parts:
            value = part.get(name)
            if value is None:
                continue
            whole = isinstance(default, int)
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)) or abs(value) > 1e15:
                raise EngineError("meta.field", path=path.name, field=name)
            return type(default)(value)
        return default

    for name in ("data_parallel_size", "pipeline_parallel_size"):
        if find(name, 1, arguments, parallel) != 1:
            raise EngineError("meta.parallel", path=path.name, field=name)
    blocks = find("num_gpu_blocks", 0, kv_cache, cache, arguments)
    settings = Settings(
        max_num_seqs=find("max_num_seqs", Settings().max_num_seqs, arguments, scheduler),
        max_num_batched_tokens=find("max_num_batched_tokens", Settings().max_num_batched_tokens, arguments, scheduler),
        block_size=find("block_size", DEFAULT_BLOCK_SIZE, kv_cache, arguments, cache),
        gpu_memory_utilization=find(
            "gpu_memory_utilization", Settings().gpu_memory_utilization, kv_cache, arguments, cache
        ),
        num_gpu_blocks=blocks if blocks else None,
        async_scheduling=bool(find("async_scheduling", 1, _flags(arguments), _flags(scheduler))),
    )
    return Meta(settings, find("tensor_parallel_size", 1, arguments, parallel))


def _flags(part: Mapping[str, Any]) -> dict[str, int]:
    return {name: int(value) for name, value in part.items() if isinstance(value, bool)}


def _part(meta: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = meta.get(name)
    return part if isinstance(part, dict) else {}


def _row(name: str, line: int, text: bytes) -> dict[str, Any]:
    try:
        row = json.loads(text) if len(text) <= MAX_LINE_BYTES else None
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise EngineError("trace.malformed", path=name, line=line)
    return row


def _number(name: str, line: int, row: dict[str, Any], field: str) -> float:
    if row.get(field) is None:
        raise EngineError("trace.field", path=name, line=line, field=field)
    value = row[field]
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e15 or value != value:
        raise EngineError("trace.number", path=name, line=line, field=field)
    return float(value)
