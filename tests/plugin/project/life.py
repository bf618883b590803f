"""Records the calls that the engine makes."""

from typing import Any

from godot import Node, exposed

LOG: list[str] = []


@exposed
class Life(Node):
    frames = 0

    def __init__(self) -> None:
        LOG.append("__init__")

    def _enter_tree(self) -> None:
        LOG.append("_enter_tree")

    def _ready(self) -> None:
        LOG.append("_ready")

    def _process(self, delta: float) -> None:
        assert isinstance(delta, float)
        self.frames += 1
        if self.frames == 1:
            LOG.append("_process")

    def _notification(self, what: int) -> None:
        if what == Node.NOTIFICATION_PAUSED:
            LOG.append("paused")

    def _exit_tree(self) -> None:
        LOG.append("_exit_tree")

    def log(self) -> Any:
        return list(LOG)
