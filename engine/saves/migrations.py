"""From older versions of the files to the one that is written now. A fixture of each version stays in the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import frozen

from engine.saves.format import Form

SAVE = Form(b"TFSAVE\r\n", version=1)
"""The line ends show whether something took the file for text."""
RUN = Form(b"TFRUN\r\n\x1a", version=1)


@frozen
class Migration:
    """The way from a version to the next."""

    header: Callable[[dict[str, Any]], dict[str, Any]] = lambda header: header
    record: Callable[[list[Any]], Iterable[list[Any]]] = lambda record: [record]
    """Each record becomes none, one or more."""


MIGRATIONS: dict[Form, dict[int, Migration]] = {SAVE: {}, RUN: {}}
"""Per kind of file: version -> the way to the one after it."""


def upgraded_header(form: Form, version: int, header: dict[str, Any]) -> dict[str, Any]:
    """The header as this version of the game writes it."""
    for number in range(version, form.version):
        header = MIGRATIONS[form][number].header(header)
    return header


def upgraded_record(form: Form, version: int, record: list[Any]) -> Iterator[list[Any]]:
    """The record as this version of the game writes it."""
    if version == form.version:
        yield record
        return
    for each in MIGRATIONS[form][version].record(record):
        yield from upgraded_record(form, version + 1, each)
