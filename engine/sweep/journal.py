"""The runs of a sweep that are done, a line each, beside its results: what an interrupted sweep goes on from.

A line is written whole or is the last one: one that was cut off is taken away and its run made again.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from engine.errors import EngineError
from engine.sweep.job import Row

ENDING = ".runs.jsonl"
VERSION = 1
_MAX_LINE = 1_000_000


class Journal:
    """The file, open for more runs."""

    def __init__(self, path: Path, identity: str, points: int) -> None:
        self.path, self.identity, self.points = path, identity, points
        self.rows: dict[int, Row] = {}
        """Number of a point -> its run."""

    def read(self, fresh: bool) -> None:
        """Take over what is there. EngineError `sweep.other` when it is of another grid, `sweep.journal` when it is
        something else; `fresh` begins anew.
        """
        try:
            if fresh or not self.path.exists() or not self.path.stat().st_size:
                self.path.write_bytes(b"")
                self._append({"sweep": VERSION, "identity": self.identity, "points": self.points})
                return
            whole = 0
            with self.path.open("rb") as file:
                for number, text in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), start=1):
                    if not text.endswith(b"\n"):
                        break
                    self._take(number, text)
                    whole += len(text)
            os.truncate(self.path, whole)
            if not whole:  # not even the first line had been written
                self._append({"sweep": VERSION, "identity": self.identity, "points": self.points})
        except OSError as error:
            raise EngineError("sweep.written", path=str(self.path), detail=error.strerror or "") from error

    def add(self, number: int, row: Row) -> None:
        """One more run; it is on the disk when this returns."""
        self.rows[number] = row
        try:
            self._append({"point": number, "row": row})
        except OSError as error:
            raise EngineError("sweep.written", path=str(self.path), detail=error.strerror or "") from error

    def _append(self, data: dict[str, Any]) -> None:
        with self.path.open("ab") as file:
            file.write(json.dumps(data).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _take(self, line: int, text: bytes) -> None:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        if line == 1:
            if not isinstance(data, dict) or data.get("sweep") != VERSION:
                raise EngineError("sweep.journal", path=self.path.name, line=line)
            if data.get("identity") != self.identity:
                raise EngineError("sweep.other", path=self.path.name)
            return
        number, row = (data.get("point"), data.get("row")) if isinstance(data, dict) else (None, None)
        if type(number) is not int or not 0 <= number < self.points or not isinstance(row, dict):
            raise EngineError("sweep.journal", path=self.path.name, line=line)
        self.rows[number] = row


@contextmanager
def opened(out: Path, identity: str, points: int, fresh: bool) -> Iterator[Journal]:
    """The journal of a sweep whose results go to `out`, for this process alone; EngineError `sweep.*`."""
    path = out.with_name(out.name + ENDING)
    if not out.parent.is_dir():
        raise EngineError("sweep.written", path=str(path), detail=os.strerror(errno.ENOENT))
    lock = FileLock(path.with_name(path.name + ".lock"), timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise EngineError("sweep.busy", path=path.name) from error
    except OSError as error:
        raise EngineError("sweep.written", path=str(path), detail=error.strerror or "") from error
    try:
        journal = Journal(path, identity, points)
        journal.read(fresh)
        yield journal
    finally:
        lock.release()
