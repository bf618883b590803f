"""Gets input events, which are counted objects of Godot's."""

from typing import Any

from godot import Node, exposed


@exposed
class Listener(Node):
    def _ready(self) -> None:
        self.events: list[Any] = []

    def _input(self, event: Any) -> None:
        self.events.append(event)

    def summary(self) -> Any:
        kinds = {str(event.get_class()) for event in self.events}
        return [len(self.events), sorted(kinds), [event.scancode for event in self.events[:3]]]
