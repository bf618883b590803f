"""`mod.json`: who a mod is, what it needs, and what lies in it. Everything that is wrong with it is told at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any

import cattrs
from attrs import field, fields, frozen
from cattrs import transform_error

from engine.errors import EngineError
from engine.floor.layout import strict_converter
from engine.level.rules import MAX_TEXT
from engine.mods.files import checked_name, device_name
from engine.mods.problem import LoadProblem
from engine.mods.ranges import version, version_range
from engine.mods.texts import language, plain, read_json

FILE = "mod.json"
MAX_BYTES = 65_536
MOST_LEVELS, MOST_NEEDS, MOST_AUTHORS = 50, 20, 20
LONGEST_TITLE, LONGEST_NAME = 60, 80
OWN = "own"
"""No mod: what stands before the ids of the player's own levels (`engine.sandbox.own`)."""
ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
SCRIPT, PICTURE = ".py", ".png"


@frozen
class Mod:
    """What `mod.json` says. Paths are inside the mod, with `/`; ranges are as `>=1.2,<2`, "" for any version."""

    id: str
    """Also the name of its folder or zip."""
    version: str
    title: dict[str, str]
    """By language; `en` is what other languages fall back to."""
    levels: list[str] = field(factory=list)
    """Level scripts, in the order in which they are shown."""
    about: dict[str, str] = field(factory=dict)
    """A few sentences by language."""
    game: str = ""
    """Versions of the game that it is made for."""
    interface: str = ""
    """Versions of the level interface that it is made for."""
    needs: dict[str, str] = field(factory=dict)
    """Other mods by id, and the versions of them that do."""
    authors: list[str] = field(factory=list)
    licence: str = ""
    picture: str = ""
    """Of the mod: a PNG."""
    pictures: dict[str, str] = field(factory=dict)
    """Of its levels, by level id: PNGs."""


def _converter() -> cattrs.Converter:
    """Of texts that are lists of letters, and lists of pairs that are maps, it makes neither."""
    converter = strict_converter()
    for origin, kind in ((list, list[str]), (dict, dict[str, str])):
        structure = _of_kind(origin, converter.get_structure_hook(kind))
        converter.register_structure_hook_func(partial(eq, kind), structure)
    return converter


def _of_kind(kind: type, inner: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def structure(value: Any, wanted: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
        return inner(value, wanted)

    return structure


_CONVERTER = _converter()


def read_mod(content: bytes, name: str) -> tuple[Mod | None, list[LoadProblem]]:
    """The mod that a `mod.json` tells of, None if it cannot be made out, and all that is wrong with it.

    `name` is that of the folder or zip.
    """
    if len(content) > MAX_BYTES:
        return None, [LoadProblem(FILE, 0, "", "mod.file_large", {"most": MAX_BYTES, "name": FILE})]
    data, problems = read_json(content, FILE)
    if data is None:
        return None, problems
    text = content.decode()
    try:
        mod = _CONVERTER.structure(data, Mod)
    except Exception as error:  # cattrs raises what its hooks raise
        return None, list(_misfits(error, data, text))
    return mod, [
        LoadProblem.of(error, FILE, line_of(text, where), where) for where, error in (*_faults(mod), *_named(mod, name))
    ]


def _misfits(error: Exception, data: dict[str, Any], text: str) -> Iterator[LoadProblem]:
    """Fields that are missing, unknown, or of another kind."""
    known = {each.name: each for each in fields(Mod)}
    for name in data:
        if name not in known:
            yield LoadProblem(FILE, line_of(text, name), name[:LONGEST_NAME], "mod.field_unknown", {})
    for name in ("id", "version", "title"):
        if name not in data:
            yield LoadProblem(FILE, 0, name, "mod.field_missing", {})
    for told in transform_error(error):
        detail, _, place = told.rpartition(" @ $")
        if place.startswith("."):
            where = re.sub(r"\['(.*?)'\]", r".\1", place.removeprefix("."))[: 2 * LONGEST_NAME]
            if where in known and where not in data:
                continue
            yield LoadProblem(FILE, line_of(text, where), where, "mod.field_kind", {"detail": detail[:200]})


def _faults(mod: Mod) -> Iterator[tuple[str, EngineError]]:
    """What is wrong, by field."""
    if not is_id(mod.id) or mod.id == OWN:
        yield "id", EngineError("mod.id")
    checks: list[tuple[str, Any, str]] = [
        ("version", version, mod.version),
        ("game", version_range, mod.game),
        ("interface", version_range, mod.interface),
        *((f"needs.{id}", version_range, needed) for id, needed in mod.needs.items()),
    ]
    for where, check, text in checks:
        try:
            check(text)
        except EngineError as error:
            yield where, error
    yield from _counts(mod)
    yield from _texts(mod)
    for id in mod.needs:
        if not is_id(id):
            yield f"needs.{id}"[:LONGEST_NAME], EngineError("mod.id")
        elif id == mod.id:
            yield f"needs.{id}", EngineError("mod.needs_itself")
    for number, path in enumerate(mod.levels):
        yield from _path(f"levels[{number}]", path, SCRIPT)
        if path in mod.levels[:number]:
            yield f"levels[{number}]", EngineError("mod.level_twice", level=path[:LONGEST_NAME])
    for where, path in [("picture", mod.picture), *((f"pictures.{id}", path) for id, path in mod.pictures.items())]:
        if path:
            yield from _path(where[:LONGEST_NAME], path, PICTURE)


def _counts(mod: Mod) -> Iterator[tuple[str, EngineError]]:
    for where, count, most in (
        ("levels", len(mod.levels), MOST_LEVELS),
        ("needs", len(mod.needs), MOST_NEEDS),
        ("authors", len(mod.authors), MOST_AUTHORS),
        ("pictures", len(mod.pictures), MOST_LEVELS),
    ):
        if count > most:
            yield where, EngineError("mod.count", most=most)
    if not mod.levels:
        yield "levels", EngineError("mod.levels_none")


def _texts(mod: Mod) -> Iterator[tuple[str, EngineError]]:
    if "en" not in mod.title:
        yield "title", EngineError("mod.title_english")
    lines = [(f"authors[{number}]", name, LONGEST_NAME) for number, name in enumerate(mod.authors)]
    lines.append(("licence", mod.licence, LONGEST_NAME))
    for name, told, most in (("title", mod.title, LONGEST_TITLE), ("about", mod.about, MAX_TEXT)):
        for tongue, text in told.items():
            where = f"{name}.{tongue}"[:LONGEST_NAME]
            lines.append((where, text, most))
            if not language(tongue):
                yield where, EngineError("text.language", language=tongue[:LONGEST_NAME])
    for where, text, most in lines:
        try:
            plain(text, most)
        except EngineError as error:
            yield where, error


def _path(where: str, path: str, ending: str) -> Iterator[tuple[str, EngineError]]:
    try:
        checked_name(path)
        if not path.endswith(ending):
            raise EngineError("mod.ending", name=path[:LONGEST_NAME], ending=ending)
    except EngineError as error:
        yield where, error


def _named(mod: Mod, name: str) -> Iterator[tuple[str, EngineError]]:
    if is_id(mod.id) and name != mod.id:
        yield "id", EngineError("mod.id_folder", id=mod.id)


def is_id(text: str) -> bool:
    """Whether a text may name a mod."""
    return ID.fullmatch(text) is not None and not device_name(text)


def line_of(text: str, where: str) -> int:
    """The line of a field in the file; 0 if it is not found."""
    at = 0
    for name in re.findall(r"[^.\[\]]+", where):
        found = None if name.isdigit() else re.compile(rf'"{re.escape(name)}"\s*:').search(text, at)
        at = found.end() if found else at
    return text.count("\n", 0, at) + 1 if at else 0


def read_mod_in(folder: Path, name: str) -> tuple[Mod | None, list[LoadProblem]]:
    """As `read_mod`, from a folder that was looked through; also tells of files that it names and that are missing."""
    path = folder / FILE
    if not path.is_file():
        return None, [LoadProblem(FILE, 0, "", "mod.json_missing", {})]
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    mod, problems = read_mod(content, name)
    if mod is None:
        return None, problems
    named = [(f"levels[{number}]", level) for number, level in enumerate(mod.levels)]
    named += [("picture", mod.picture)] if mod.picture else []
    named += [(f"pictures.{id}", picture) for id, picture in mod.pictures.items()]
    wrong = {problem.field for problem in problems}
    text = content.decode()
    for where, inside in named:
        if where not in wrong and not (folder / inside).is_file():
            params = {"name": inside[:LONGEST_NAME]}
            problems.append(LoadProblem(FILE, line_of(text, where), where, "mod.file_missing", params))
    return mod, problems
