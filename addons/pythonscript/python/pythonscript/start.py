"""Start-up: from the address of the C library's bridge to a script language."""

import ctypes
import os
import sys
from typing import Any

from . import api
from .bridge import CALLBACKS, Bridge

_kept: list[Any] = []  # Godot holds the addresses of the callbacks until the process ends.


def start(address: int) -> bool:
    """Load Godot's API, apply the project's settings, and fill the bridge's callbacks."""
    bridge = Bridge.from_address(address)
    if bridge.size != ctypes.sizeof(Bridge):
        raise RuntimeError("the plugin's library and its Python are of different versions")
    api.load(bridge.core)

    # In an embedded interpreter it names some other Python.
    sys.executable = bridge.launcher.decode() if bridge.launcher else ""

    # These read the API when they are imported.
    from . import output
    from .language import Language
    from .lifetime import script_instances_count
    from .objects import find_singleton

    settings = find_singleton("ProjectSettings")
    _set_paths(bridge.project.decode(), _setting(settings, "python_script/path", "res://"))
    if _setting(settings, "python_script/io_streams_capture", True):
        output.capture_streams()

    language = Language(bool(bridge.in_editor))
    for name, prototype in CALLBACKS.items():
        if name.startswith("refcount_") and not script_instances_count():
            continue
        callback = prototype(getattr(language, name))
        _kept.append(callback)
        setattr(bridge, name, callback)
    return True


def _setting(settings: Any, name: str, default: Any) -> Any:
    return settings.get_setting(name) if settings.has_setting(name) else default


def _set_paths(project: str, paths: str) -> None:
    """Put the project's folders first on `sys.path`; of `res://;res://lib` the last is searched first."""
    for path in paths.split(";"):
        if path:
            folder = f"{project}/{path[len('res://') :]}" if path.startswith("res://") else path
            sys.path.insert(0, os.path.normpath(folder))
