"""Reads life.py's record after its node was freed."""

from typing import Any

import life
from godot import Reference, exposed


@exposed
class LifeLog(Reference):
    def log(self) -> Any:
        return life.LOG
