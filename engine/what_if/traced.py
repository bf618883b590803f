"""A level under the requests of a trace instead of its own."""

from __future__ import annotations

from pathlib import Path

from attrs import evolve, field, frozen

from engine.errors import EngineError
from engine.level.rules import MAX_PREFIXES, MAX_REQUESTS, MAX_TENANTS
from engine.level.spec import Level, Tenant
from engine.serving.measured import Measured, Meta, read_meta, read_run
from engine.serving.trace import NOBODY, Trace, read_trace
from engine.traffic.trace import TraceTraffic
from engine.units import PS_PER_S

MAX_SPAN_S = 86_400
OTHERS = "others"
"""The tenant of requests that name none, where others do."""
RUN, META = ".jsonl", ".meta.json"


@frozen
class Recorded:
    """Requests as they once came, and how they fared then, where that was measured."""

    trace: Trace
    measured: Measured | None = None
    meta: Meta | None = None
    """What the measured engine was started with, where a file beside the run says so."""
    tenants: tuple[str, ...] = field(default=())
    """In the order of their first requests."""


def read_recorded(path: Path) -> Recorded:
    """A trace from a CSV file, or a measured vLLM run; EngineError `trace.*` names the line at fault."""
    measured, meta = None, None
    if path.suffix == RUN:
        measured = read_run(path)
        trace = measured.trace
        beside = path.with_name(path.name.removesuffix(RUN) + META)
        meta = read_meta(beside) if beside.exists() else None
    else:
        trace = read_trace(path)
    if len(trace) > MAX_REQUESTS:
        raise EngineError("trace.too_long", path=path.name, most=MAX_REQUESTS)
    if trace.arrival_ps[-1] > MAX_SPAN_S * PS_PER_S:
        line = trace.order[-1] + (1 if measured else 2)
        raise EngineError("trace.span", path=path.name, line=line, days=MAX_SPAN_S // 86_400)
    names = dict.fromkeys(labels.tenant or OTHERS for labels in trace.labels)
    tenants = tuple(names) if any(labels.tenant != NOBODY for labels in trace.labels) else ()
    if len(tenants) > MAX_TENANTS:
        raise EngineError("trace.tenants", path=path.name, most=MAX_TENANTS)
    return Recorded(trace, measured, meta, tenants)


def traced(level: Level, recorded: Recorded) -> Level:
    """The level with the trace's requests, from the first to the last, without warm-up and goals.

    A tenant of the trace that the level knows by its name keeps its deadlines and needs there, and its place for
    Gateways and Routers; the level's others have no requests, new ones come behind them without deadlines.
    """
    trace = recorded.trace
    rows = _rows(trace)
    level = evolve(level, goals=[], stars=None, warmup_s=0, hooks=[])
    if not recorded.tenants:
        return evolve(level, tenants=[], traffic=TraceTraffic(rows))
    known = {tenant.id: tenant for tenant in level.tenants}
    ids = list(dict.fromkeys([*known, *recorded.tenants]))
    if len(ids) > MAX_TENANTS:
        raise EngineError("trace.tenants", path=trace.name, most=MAX_TENANTS)
    theirs: dict[str, list[list[int]]] = {id: [] for id in ids}
    for row, labels in zip(rows, trace.labels, strict=True):
        theirs[labels.tenant or OTHERS].append(row)
    tenants = []
    for id in ids:
        traffic = TraceTraffic(theirs[id])
        tenant = known.get(id)
        # what prompts have in common is what the trace says, nothing else
        tenants.append(evolve(tenant, traffic=traffic, prefix_tokens=0) if tenant else Tenant(id, traffic))
    return evolve(level, tenants=tenants)


def _rows(trace: Trace) -> list[list[int]]:
    rows = [list(row) for row in zip(trace.arrival_ps, trace.prompt_tokens, trace.output_tokens, strict=True)]
    numbers: dict[str, int] = {}
    for row, labels in zip(rows, trace.labels, strict=False):
        if labels.prefix_tokens:
            row += [numbers.setdefault(labels.prefix, len(numbers)), labels.prefix_tokens]
    if len(numbers) > MAX_PREFIXES:
        raise EngineError("trace.prefixes", path=trace.name, most=MAX_PREFIXES)
    return rows
