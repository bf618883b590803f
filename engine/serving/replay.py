"""Serving a trace from its first arrival to its last token, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from engine.errors import EngineError
from engine.memory.paged import PagedPool
from engine.physics.roofline import Deployment
from engine.scheduling.scheduler import Scheduler
from engine.serving.records import Records
from engine.serving.server import Server
from engine.serving.settings import Settings, num_gpu_blocks
from engine.serving.trace import Trace
from engine.slices import Slices, whole
from engine.traffic.request import Request


@frozen
class Replay:
    """A trace that was served."""

    records: Records
    num_gpu_blocks: int
    refused: int
    """Requests longer than all KV memory, which were never taken in."""
    preemptions: int
    steps: int
    busy_ps: int
    """The length of all steps together."""


def replay(trace: Trace, deployment: Deployment, settings: Settings, measured: bool = False) -> Replay:
    """Serve a trace, as `replay_slices` does."""
    return whole(replay_slices(trace, deployment, settings, measured))


def replay_slices(trace: Trace, deployment: Deployment, settings: Settings, measured: bool = False) -> Slices[Replay]:
    """Serve a trace.

    A request longer than all KV memory could never end. It is left out and counted. A trace of `measured` requests was
    served once: there such a request is an EngineError `serving.too_long`, and times count from `queued_ts`.
    """
    blocks = num_gpu_blocks(deployment, settings)
    pool = PagedPool(blocks - 1, settings.block_size)  # vLLM keeps block 0 for itself, for padding
    scheduler = Scheduler(settings.max_num_seqs, settings.max_num_batched_tokens, pool)
    records = Records()
    refused = 0

    def arrivals() -> Iterator[Request]:
        nonlocal refused
        for request in trace.requests():
            longest = request.prompt_tokens + request.output_tokens - 1  # the last token's KV is not needed
            if pool.blocks(longest) <= pool.total:
                yield request
            elif not measured:
                refused += 1
            else:
                raise EngineError("serving.too_long", tokens=longest, capacity=pool.total * settings.block_size)

    server = Server(scheduler, deployment, arrivals(), records, settings.async_scheduling, from_queued=measured)
    yield from server.run_slices()
    assert not records.open, "every request that is taken in is served"
    stepper = server.stepper
    busy_ps = stepper.busy.total(0, len(stepper.busy.buckets))
    return Replay(records, blocks, refused, scheduler.preemptions, stepper.steps, busy_ps)
