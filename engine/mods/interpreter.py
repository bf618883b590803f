"""Which Python runs a mod's process."""

from __future__ import annotations

import os
import sys

from engine.errors import EngineError

NAMED_BY = "TOKEN_FACTORY_PYTHON"
"""An environment variable that names another than the running one."""


def interpreter() -> str:
    """The program of the Python that runs this, or the one that was named; EngineError `worker.no_python`.

    Inside Godot the plugin sets `sys.executable` to its launcher, or to "" where that is missing.
    """
    path = os.environ.get(NAMED_BY) or sys.executable
    if not path or not os.access(path, os.X_OK):
        raise EngineError("worker.no_python", path=path or "-")
    return path
