"""The processor time of the game's thread: for benchmarks, which other programs of a computer shall not blur."""

import time

from godot import Node, exposed


@exposed
class ProcessorClock(Node):
    """Stands still while others have the processor."""

    def now_ms(self) -> float:
        """Milliseconds since some moment."""
        return time.thread_time() * 1e3
