"""A scheduler and its stepper as plain data, for checkpoints and hashes; and back."""

from __future__ import annotations

from collections import deque
from typing import Any

import cattrs
from attrs import fields

from engine.metrics.usage import dump_usage, load_usage
from engine.scheduling.scheduler import Chunk
from engine.scheduling.sequence import Sequence
from engine.scheduling.stepper import Run, Stepper

_SEQUENCE = [field.name for field in fields(Sequence)]
_WITHOUT_PREFIX = _SEQUENCE.index("prefix")


def dump_sequence(sequence: Sequence) -> list[int]:
    """All its numbers; those of its prefix where it has one."""
    return [getattr(sequence, name) for name in _SEQUENCE[: None if sequence.prefix >= 0 else _WITHOUT_PREFIX]]


def load_sequence(numbers: list[int]) -> Sequence:
    """The sequence with these numbers."""
    return Sequence(**dict(zip(_SEQUENCE, numbers, strict=False)))


def dump(stepper: Stepper) -> dict[str, Any]:
    """Everything that `load` needs; settle first."""
    scheduler, run = stepper.scheduler, stepper.run
    return {
        "waiting": [dump_sequence(sequence) for sequence in scheduler.waiting],
        "prefilling": [dump_sequence(sequence) for sequence in scheduler.prefilling],
        "decoding": [dump_sequence(sequence) for sequence in scheduler.decoding.values()],
        "through": [dump_sequence(sequence) for sequence in stepper.through],
        "counter": scheduler.counter,
        "preemptions": scheduler.preemptions,
        "run": None
        if run is None
        else {
            "start_ps": run.start_ps,
            "repeats": run.repeats,
            "batch": run.batch,
            "kv_tokens": run.kv_tokens,
            "chunks": [[chunk.sequence.id, chunk.tokens, chunk.context] for chunk in run.chunks],
            "mixed_ps": run.mixed_ps,
            "limit": run.limit,
            "drafted": run.drafted,
        },
        "last_end_ps": stepper.last_end_ps,
        "spent": list(stepper.spent),
        "pauses": cattrs.unstructure(stepper.pauses),
        "joined": [[id, step, list(spent)] for id, (step, spent) in stepper.joined.items()],
        "busy": list(stepper.busy.buckets),
        "drafted": stepper.drafted,
        "accepted": stepper.accepted,
        **({} if stepper.usage is None else {"usage": dump_usage(stepper.usage)}),
        **({"stood": list(stepper.stood), "stands": stepper.stands} if stepper.stands else {}),
    }


def load(stepper: Stepper, data: dict[str, Any]) -> None:
    """Take over what `dump` wrote."""
    scheduler = stepper.scheduler
    scheduler.waiting = deque(load_sequence(numbers) for numbers in data["waiting"])
    scheduler.prefilling = [load_sequence(numbers) for numbers in data["prefilling"]]
    scheduler.counter, scheduler.preemptions = data["counter"], data["preemptions"]
    for numbers in data["decoding"]:
        scheduler.rejoin(load_sequence(numbers))
    stepper.through = [load_sequence(numbers) for numbers in data["through"]]
    run = data["run"]
    if run is not None:
        by_id = {sequence.id: sequence for sequence in scheduler.prefilling}
        chunks = [Chunk(by_id[id], tokens, context) for id, tokens, context in run["chunks"]]
        stepper.run = Run(**{**run, "chunks": chunks})
    stepper.last_end_ps, stepper.spent = data["last_end_ps"], data["spent"]
    stepper.pauses.steps, stepper.pauses.gaps_ps = data["pauses"]["steps"], data["pauses"]["gaps_ps"]
    stepper.joined = {id: (step, spent) for id, step, spent in data["joined"]}
    stepper.busy.buckets = data["busy"]
    stepper.drafted, stepper.accepted = data["drafted"], data["accepted"]
    if stepper.usage is not None:
        stepper.usage = load_usage(data["usage"])
    stepper.stood, stepper.stands = data.get("stood", []), data.get("stands", 0)
