"""Writing while the game goes on: a disk may take longer than a frame."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from engine.errors import EngineError


class Background:
    """One thing is written at a time."""

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._failure: EngineError | None = None

    def write(self, write: Callable[[], None]) -> None:
        """Begin to; what fails is told by `take_failure`."""
        self.wait()
        self._thread = Thread(target=self._write, args=(write,), daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Until all is written."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def take_failure(self) -> EngineError | None:
        """Why the last thing was not written, once that is known."""
        failure, self._failure = self._failure, None
        return failure

    def _write(self, write: Callable[[], None]) -> None:
        try:
            write()
        except EngineError as error:
            self._failure = error
