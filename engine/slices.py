"""Work that is done a slice at a time, so that a game goes on meanwhile: a generator that yields after each slice and
returns what it has found.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
Slices = Generator[None, None, T]


def whole(slices: Slices[T]) -> T:
    """All slices at once."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            found: T = end.value
            return found


def kept(work: Callable[P, Slices[T]]) -> Callable[P, Slices[T]]:
    """As `functools.cache` does: what has been found is not looked for again, and there without a slice."""
    found: dict[tuple[object, ...], T] = {}

    def slices(*args: P.args, **kwargs: P.kwargs) -> Slices[T]:
        key = (*args, *kwargs.items())
        if key not in found:
            found[key] = yield from work(*args, **kwargs)
        return found[key]

    return slices
