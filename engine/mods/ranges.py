"""Versions, and ranges of them as mods write them: `>=1.2,<2`."""

from __future__ import annotations

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from engine.errors import EngineError

LONGEST = 60
"""Characters of a version or a range."""


def version(text: str) -> Version:
    """A version as `1.2.3`; EngineError `mod.version`."""
    try:
        if len(text) > LONGEST or not text.isascii():
            raise InvalidVersion(text)
        return Version(text)
    except InvalidVersion as error:
        raise EngineError("mod.version", version=text[:LONGEST]) from error


def version_range(text: str) -> SpecifierSet:
    """A range; "" is every version. EngineError `mod.range`."""
    try:
        if len(text) > LONGEST or not text.isascii():
            raise InvalidSpecifier(text)
        return SpecifierSet(text)
    except InvalidSpecifier as error:
        raise EngineError("mod.range", range=text[:LONGEST]) from error


def within(text: str, wanted: str) -> bool:
    """Whether a version lies in a range. A pre-release is one, too: `1.3rc1` is in
    `>=1.2`, and not in `>=1.3`.
    """
    return version_range(wanted).contains(version(text), prereleases=True)
