"""An autoload: one instance for the whole run."""

from godot import Node, exposed


@exposed
class Keeper(Node):
    count = 0

    def add(self, number: int) -> int:
        self.count += number
        return self.count
