"""The player's own levels: files of plain data in his folder, a level each, that are checked and never run.

A level is `<id>.json`: the data of `engine.level.data`, its layout as `reference`. In the game its id is `own/<id>`.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
from attrs import field, frozen

from engine.errors import EngineError
from engine.level.check import check_level
from engine.level.data import Malformed, level_from_data, level_to_data
from engine.level.problems import Problem, is_plain
from engine.level.spec import Level
from engine.mods.files import device_name
from engine.mods.mod import OWN
from engine.mods.problem import LoadProblem
from engine.mods.texts import of_mod, read_json
from engine.player.whole_file import locked, write_whole

FOLDER, ENDING = "levels", ".json"
MOST, MOST_TITLE = 200, 60
MAX_BYTES = 5_000_000
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)


@frozen
class OwnLevel:
    """A file of the folder."""

    key: str
    """`own/<id>`, what opens it."""
    level: Level | None
    """None: it is refused ..."""
    problems: list[LoadProblem] = field(factory=list)
    """... for these reasons."""


class OwnLevels:
    """The levels in `<player's folder>/levels`; files that have not changed are not read again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER
        self._known: dict[str, tuple[tuple[int, int], OwnLevel]] = {}

    def all(self) -> list[OwnLevel]:
        """All of them, by id."""
        return list(self._all())

    def level(self, key: str) -> Level | None:
        """The level of a key; None for what is none of these, EngineError `level.unknown` or why it is refused."""
        mod, _, id = key.partition("/")
        if mod != OWN:
            return None
        for own in self._all():
            if own.key == key and own.level is not None:
                return own.level
            if own.key == key:
                raise EngineError(own.problems[0].code, **own.problems[0].params)
        raise EngineError("level.unknown", level=id[:80], known=", ".join(own.key for own in self._all())[:300])

    def save(self, level: Level, layout: dict[str, Any], title: str) -> str:
        """Keep a level with what was built there, in the place of one with the same title; its key."""
        title = title.strip()
        if not title or len(title) > MOST_TITLE or not is_plain(title) or "\n" in title:
            raise EngineError("own.title", most=MOST_TITLE)
        id = id_of(title)
        texts = {"en": {f"level.{id}.title": title}}
        kept = attrs.evolve(level, id=id, texts=texts, reference=layout, naive={}, naive_fails="", bans=[])
        content = json.dumps(level_to_data(kept), ensure_ascii=False, indent=1).encode()
        if len(content) > MAX_BYTES:
            raise EngineError("own.large", most=MAX_BYTES)
        path = self.folder / f"{id}{ENDING}"
        if not path.exists() and len(self.all()) >= MOST:
            raise EngineError("own.most", most=MOST)
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise EngineError("player.not_saved", file=FOLDER, detail=error.strerror or "") from error
        with locked(self.folder, path.name):
            write_whole(path, content, keep_previous=True)
        return f"{OWN}/{id}"

    def delete(self, key: str) -> None:
        """Delete a level's file."""
        mod, _, id = key.partition("/")
        if mod != OWN or not _ID.fullmatch(id):
            raise EngineError("level.unknown", level=key[:80], known="")
        path = self.folder / f"{id}{ENDING}"
        try:
            with locked(self.folder, path.name):
                path.unlink()
        except OSError as error:
            raise EngineError("player.not_saved", file=path.name, detail=error.strerror or "") from error

    def _all(self) -> Iterator[OwnLevel]:
        names = list[str]()
        with suppress(OSError), os.scandir(self.folder) as inside:
            names = sorted(each.name for each in islice(inside, 10 * MOST) if each.name.endswith(ENDING))
        for name in names[:MOST]:
            path = self.folder / name
            with suppress(OSError):
                about = path.stat()
                stamp = about.st_mtime_ns, about.st_size
                if name not in self._known or self._known[name][0] != stamp:
                    self._known[name] = stamp, _read(path)
                yield self._known[name][1]


def is_own_level(level: Level) -> bool:
    """Whether it is one of the player's own."""
    return level.id.startswith(f"{OWN}/")


def read_level(path: Path) -> tuple[Level | None, list[LoadProblem]]:
    """The level of a file of data, None where it is refused, and all that is wrong with it."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        return None, [
            LoadProblem(path.name, 0, "", "level.missing", {"path": path.name, "detail": error.strerror or ""})
        ]
    if len(content) > MAX_BYTES:
        return None, [LoadProblem(path.name, 0, "", "mod.file_large", {"most": MAX_BYTES, "name": path.name})]
    data, problems = read_json(content, path.name)
    if data is None:
        return None, problems
    level, found = _checked(data)
    text = content.decode()
    problems = [LoadProblem(path.name, _line(text, one.field), one.field, one.code, one.params) for one in found]
    return (None if problems else level), problems


def id_of(title: str) -> str:
    """The name of the file that a level with this title lies in."""
    plain = unicodedata.normalize("NFKD", title.lower()).replace("ß", "ss")
    words = re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode())
    id = "_".join(words)[:40].rstrip("_")
    if not _ID.fullmatch(id) or device_name(id):
        id = f"level_{id}"[:40].rstrip("_")
    return id


def _read(path: Path) -> OwnLevel:
    id = path.name.removesuffix(ENDING)
    level, problems = read_level(path)
    if level is None:
        return OwnLevel(f"{OWN}/{id}", None, problems)
    texts = {tongue: {of_mod(code, OWN): text for code, text in told.items()} for tongue, told in level.texts.items()}
    return OwnLevel(f"{OWN}/{id}", attrs.evolve(level, id=f"{OWN}/{level.id}", texts=texts))


def _checked(data: dict[str, Any]) -> tuple[Level | None, list[Problem]]:
    try:
        level = level_from_data(data)
    except Malformed as error:
        return None, error.problems
    except EngineError as error:
        return None, [Problem("interface", error.code, error.params)]
    if level.hooks:
        return None, [Problem("hooks", "own.hooks", {})]
    return level, check_level(level)


def _line(text: str, where: str) -> int:
    """The line of the field's first name in the file; 0 if it is not found."""
    name = re.match(r"\w+", where)
    found = re.search(rf'^ "{re.escape(name[0])}"\s*:', text, re.MULTILINE) if name else None
    return text.count("\n", 0, found.end()) + 1 if found else 0
