"""Members that a scene sets."""

from typing import Any

from godot import Color, Node, Vector2, export, exposed


@exposed
class Exports(Node):
    number = export(int, default=3)
    ratio = export(float, default=0.5)
    title = export(str, default="untitled")
    flag = export(bool)
    data = export(bytes)
    place = export(Vector2, default=Vector2(1, 2))
    tint = export(Color, default=Color(1, 0, 0))
    items = export(list, default=[])
    plain = 5

    @export(int)
    @property
    def doubled(self) -> int:
        return self.number * 2

    @doubled.setter
    def doubled(self, value: int) -> None:
        self.number = value // 2

    def _ready(self) -> None:
        self.seen = [
            self.number,
            self.ratio,
            self.title,
            self.flag,
            list(self.data or b""),
            tuple(self.place),
            tuple(self.tint),
        ]

    def as_ready_saw(self) -> Any:
        return self.seen

    def add_item(self, item: int) -> Any:
        self.items.append(item)
        return self.items
