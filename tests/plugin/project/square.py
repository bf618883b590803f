"""Inherits from another script's class."""

from godot import exposed
from shape import Shape


@exposed
class Square(Shape):
    def kind(self) -> str:
        return "square, a " + super().kind()
