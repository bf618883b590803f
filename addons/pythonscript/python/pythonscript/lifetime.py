"""Frees a counted object when only its own script is left to hold it.

From 3.3 on, the script instance that Godot makes for a Reference counts as a use of it, so that the count never falls
to zero: Godot would keep every Reference with a Python script for ever. When the count falls to that one use, the
script is taken off the object, and then it is freed, both when the current frame's calls are over.
"""

from typing import Any

from .objects import find_class, find_singleton


class Keeper:
    """Holds unused objects until no call on them can be under way."""

    def __init__(self) -> None:
        self._holder = find_class("Reference").new()

    def release(self, instance: Any, handle: int) -> None:
        """Free the owner of a script's instance, which nothing else holds."""
        name = f"unused_{handle}"
        self._holder.set_meta(name, instance)
        instance.call_deferred("set_script", None)
        self._holder.call_deferred("remove_meta", name)


def script_instances_count() -> bool:
    """Tell whether this Godot counts a script instance as a use of its owner."""
    version = find_singleton("Engine").get_version_info()
    return bool((version["major"], version["minor"]) >= (3, 3))
