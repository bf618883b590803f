"""Signals out and in."""

from typing import Any

from godot import Node, exposed, signal


@exposed
class Signals(Node):
    finished = signal()
    renamed_here = signal("other_name")

    def _ready(self) -> None:
        self.heard: list[Any] = []
        self.connect("finished", self, "on_finished")

    def emit_finished(self, number: int, text: str) -> None:
        self.call("emit_signal", "finished", number, text)

    def emit_shortly(self) -> None:
        self.emit_signal("finished", 1, "short")

    def on_finished(self, number: int, text: str) -> None:
        self.heard.append([number, text])

    def what_was_heard(self) -> Any:
        return self.heard
