"""Prints, and imports by the project's path setting."""

import sys

import settings
from godot import Node, exposed


@exposed
class Speech(Node):
    def _ready(self) -> None:
        print("printed in", end=" ")
        print("two parts")
        print("warned", file=sys.stderr)
        print("held back until the end", end="")

    def where(self) -> str:
        return settings.WHERE
