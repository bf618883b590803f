"""A counted object with a Python script."""

from godot import Reference, exposed


@exposed
class Counter(Reference):
    value = 42
