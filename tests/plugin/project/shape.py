"""Inherits from a Godot class with properties."""

from godot import Node2D, Vector2, exposed


@exposed
class Shape(Node2D):
    def kind(self) -> str:
        return "shape"

    def moved(self) -> list[float]:
        self.position = Vector2(3, 4)
        return [self.position.x, self.position.y, self.get_position().x, self.rotation]

    def checks(self) -> dict[str, object]:
        import godot

        return {
            "bases": [cls.__name__ for cls in type(self).__mro__[1:5]],
            "constant": Node2D.NOTIFICATION_READY,
            "missing": hasattr(self, "no_such_member"),
            "same_object": self.get_node(".") == self,
            "singleton": godot.Engine.get_version_info()["major"],
            "missing_class": hasattr(godot, "NoSuchClass"),
        }
