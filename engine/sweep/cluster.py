"""The runs of a sweep on dask.distributed: on all cores of this computer, or on the workers of a scheduler."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.errors import EngineError
from engine.sweep.grid import Point
from engine.sweep.job import Job, Row, engine_hash, run_point
from engine.what_if.extra import package

EXTRA = "sweep"
_IN_FLIGHT = 4
"""Runs that a core has before it, so that none waits for us."""
_CONNECT_S = 10


def run_all(
    job: Job, points: Sequence[Point], done: Callable[[Point, Row], None], address: str | None, workers: int | None
) -> None:
    """Run all points, in no order; `done` is told of each in this process.

    EngineError `sweep.scheduler` and `sweep.engine` when the cluster is of no use, `sweep.lost` when a run is lost to
    it again and again.
    """
    distributed = package("distributed", EXTRA)
    with _client(distributed, address, workers) as client:
        theirs = client.scatter(job, broadcast=True)
        waiting = iter(points)
        cores = sum(client.ncores().values())
        running = {}

        def submit() -> list[Any]:
            point = next(waiting, None)
            if point is None:
                return []
            future = client.submit(run_point, theirs, point, pure=False)
            running[future.key] = point
            return [future]

        finished = distributed.as_completed([future for _ in range(cores * _IN_FLIGHT) for future in submit()])
        for future in finished:
            if future.status != "finished":
                raise EngineError("sweep.lost", detail=_told(future.exception()))
            done(running.pop(future.key), future.result())
            for another in submit():
                finished.add(another)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _client(distributed: Any, address: str | None, workers: int | None) -> Iterator[Any]:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if address is None:
        with _not_interrupted():
            cluster = distributed.LocalCluster(
                n_workers=workers or cores(),
                threads_per_worker=1,
                dashboard_address=None,
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
        with cluster, distributed.Client(cluster) as client:
            yield client
        return
    try:
        client = distributed.Client(address, timeout=_CONNECT_S)
        client.wait_for_workers(1, timeout=_CONNECT_S)
    except (OSError, ValueError, TimeoutError) as error:
        raise EngineError("sweep.scheduler", address=address[:80], detail=_told(error)) from error
    with client:
        try:
            versions = set(client.run(engine_hash).values())
        except Exception as error:  # whatever a worker without our sources answers
            raise EngineError("sweep.engine", address=address[:80]) from error
        if versions != {engine_hash()}:
            raise EngineError("sweep.engine", address=address[:80])
        yield client


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl+C: whoever started them ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _told(error: BaseException | None) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
