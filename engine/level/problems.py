"""What is wrong with a level: all of it, each with the field at fault."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sized
from typing import Any

from attrs import frozen

MOST = 100
"""Enough to work on."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Characters that nobody sees, or that turn round what others say."""


@frozen
class Problem:
    """Something that is wrong with a level."""

    field: str
    """Where: `pads[0].x`; "": the level as a whole."""
    code: str
    params: dict[str, Any]


class Problems:
    """Collects them."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, field: str, code: str, **params: Any) -> None:
        """One more."""
        if len(self.found) < MOST:
            self.found.append(Problem(field, code, params))

    def number(self, field: str, value: float, low: float, high: float) -> bool:
        """Whether a number lies in `low..high`."""
        fits = low <= value <= high
        if not fits:
            self.add(field, "check.range", value=_short(value), low=low, high=high)
        return fits

    def known(self, field: str, value: str, names: Iterable[str]) -> bool:
        """Whether a name is one of those that there are."""
        known = list(names)
        if value not in known:
            self.add(field, "check.unknown", value=_short(value), known=", ".join(known)[:300])
        return value in known

    def count(self, field: str, things: Sized, least: int, most: int) -> bool:
        """Whether there are enough, and not too many."""
        fits = least <= len(things) <= most
        if not fits:
            self.add(field, "check.count", count=len(things), low=least, high=most)
        return fits

    def once(self, field: str, value: Any, before: set[Any]) -> None:
        """Nothing may be there twice; `before` is what has been."""
        if value in before:
            self.add(field, "check.twice", value=_short(value))
        before.add(value)

    def name(self, field: str, value: str) -> bool:
        """Whether something can be the name of a thing."""
        fits = bool(_NAME.fullmatch(value))
        if not fits:
            self.add(field, "check.name", value=_short(value))
        return fits

    def key(self, field: str, value: str) -> bool:
        """As `name`, or `<mod>/<name>`, which is what a mod's level is called in the game."""
        mod, _, name = value.rpartition("/")
        return self.name(field, name if mod and _NAME.fullmatch(mod) else value)

    def text(self, field: str, value: str, most: int) -> None:
        """Words that a player may see: not too long, nothing hidden in them."""
        if len(value) > most:
            self.add(field, "check.long", most=most)
        elif not is_plain(value):
            self.add(field, "check.characters")

    def one(self, field: str, value: str, names: Collection[str]) -> bool:
        """As `known`, but nothing ("") will do as well."""
        return value == "" or self.known(field, value, names)


def is_plain(text: str) -> bool:
    """Whether all of a text can be seen; line breaks may be in it."""
    if text.replace("\n", "").isprintable():  # most are, and this is fast
        return True
    return all(one == "\n" or unicodedata.category(one) not in _HIDDEN for one in text)


def _short(value: Any) -> str:
    try:
        text = str(value)
    except ValueError:  # a number of thousands of digits
        text = "?"
    return "".join(one if is_plain(one) and one != "\n" else "?" for one in text[:60])
