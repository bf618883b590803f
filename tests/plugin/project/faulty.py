"""Fails wherever the engine calls."""

from typing import Any

from godot import Node, exposed


def fail() -> Any:
    raise RuntimeError("on purpose")


@exposed
class Faulty(Node):
    calls = 0

    def _enter_tree(self) -> None:
        fail()

    def _ready(self) -> None:
        fail()

    def _process(self, _delta: float) -> None:
        fail()

    def _notification(self, what: int) -> None:
        if what == Node.NOTIFICATION_READY:
            fail()

    @property
    def trap(self) -> Any:
        return fail()

    @trap.setter
    def trap(self, _value: Any) -> None:
        fail()
