"""A mod as it lies in a folder or a zip: looked through, read, and its levels loaded by a worker. Work is done in small
pieces, so that no frame waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import attrs
from attrs import define, field, frozen

from engine.errors import EngineError
from engine.level.spec import Level
from engine.mods import archive, files, pictures, texts
from engine.mods.mod import FILE, LONGEST_NAME, Mod, is_id, read_mod_in
from engine.mods.problem import LoadProblem
from engine.mods.runner import Failed, Loading, load_level

ZIP = ".zip"
UNPACKED, PICTURES, SCRATCH = "unpacked", "pictures", "scratch"
"""Folders in the cache."""
Work = Generator[bool, None, None]
"""Work in small pieces; True: there is nothing to do but to wait for somebody else."""


class Load(Protocol):
    """Somebody who runs level scripts in a worker."""

    def __call__(self, folder_or_script: Path, which: Iterable[str], scratch: Path) -> Loading:
        """Begin to load scripts of a folder."""


@frozen
class ModLevel:
    """A level of a mod, as the game knows it: its id is `<mod>/<level>`, and so are its texts' codes."""

    level: Level
    script: str
    picture: str
    """A file; "": none."""


@define
class Package:
    """A mod, whole or with problems."""

    path: Path
    """The folder or zip."""
    name: str
    """Of it, without `.zip`."""
    folder: Path | None = None
    """Where its files lie; None while that is not known, or nowhere."""
    digest: str = ""
    """Equal for equal content."""
    mod: Mod | None = None
    picture: str = ""
    levels: list[ModLevel] = field(factory=list)
    problems: list[LoadProblem] = field(factory=list)

    @classmethod
    def at(cls, path: Path) -> Package:
        """Nothing of it has been read."""
        return cls(path, path.name.removesuffix(ZIP))

    @property
    def id(self) -> str:
        """Its id; the name of its folder while that is all that is known."""
        return self.mod.id if self.mod else self.name[:LONGEST_NAME]

    def read(self, cache: Path) -> Work:
        """Look through its files and read `mod.json`."""
        try:
            yield from self._read(cache)
        except EngineError as error:
            self.problems.append(LoadProblem.of(error))
        except OSError as error:
            self._unreadable(error)

    def load(self, cache: Path, load: Load = load_level) -> Work:
        """Run its level scripts, each in a worker, and read its texts and pictures."""
        if self.mod is None or self.folder is None:
            return
        try:
            levels = yield from self._run(self.mod, self.folder, load, cache / SCRATCH)
            if not levels:
                return
            found = yield from self._texts(self.folder, [level.id for _, level in levels])
            yield from self._finish(self.mod, self.folder, levels, found, cache / PICTURES)
        except EngineError as error:
            self.problems.append(LoadProblem.of(error))
        except OSError as error:
            self._unreadable(error)

    def _unreadable(self, error: OSError) -> None:
        name = Path(str(error.filename or self.path)).name
        params = {"name": name[:LONGEST_NAME], "detail": error.strerror or type(error).__name__}
        self.problems.append(LoadProblem("", 0, "", "mod.unreadable", params))

    def _read(self, cache: Path) -> Work:
        if self.path.suffix == ZIP:
            self.digest = yield from _quietly(archive.unpack(self.path, cache / UNPACKED))
            self.folder = cache / UNPACKED / self.digest
        elif self.path.is_symlink():
            raise EngineError("mod.link", name=self.path.name[:LONGEST_NAME])
        else:
            self.digest = yield from _quietly(files.look_through(self.path))
            self.folder = self.path
        self.mod, problems = read_mod_in(self.folder, self.name)
        self.problems += problems

    def _run(self, mod: Mod, folder: Path, load: Load, scratch: Path) -> Generator[bool, None, list[tuple[str, Level]]]:
        scratch.mkdir(parents=True, exist_ok=True)
        loading = load(folder, mod.levels, scratch)
        try:
            while (result := loading.poll()) is None:
                yield True
        finally:
            loading.stop()
        if isinstance(result, Failed):
            self.problems += result.problems
            return []
        ids = [level.id for level in result.levels]
        for number, (script, id) in enumerate(zip(mod.levels, ids, strict=True)):
            if not is_id(id):
                self.problems.append(LoadProblem(script, 0, "id", "check.name", {"value": id[:LONGEST_NAME]}))
            if id in ids[:number]:
                self.problems.append(LoadProblem(script, 0, "id", "mod.level_twice", {"level": id[:LONGEST_NAME]}))
        return list(zip(mod.levels, result.levels, strict=True))

    def _texts(self, folder: Path, levels: list[str]) -> Generator[bool, None, dict[str, dict[str, str]]]:
        found = dict[str, dict[str, str]]()
        for path in sorted((folder / texts.FOLDER).glob("*")):
            if files.ignored([path.name]):
                continue
            told, problems = texts.read_texts(path, levels)
            found[path.stem] = told
            self.problems += problems
            yield False
        return found

    def _finish(
        self,
        mod: Mod,
        folder: Path,
        levels: list[tuple[str, Level]],
        found: Mapping[str, Mapping[str, str]],
        cache: Path,
    ) -> Work:
        """Levels with their texts and pictures, if all is well."""
        for number, (script, level) in enumerate(levels, start=1):
            own = _own(level, found)
            for code in texts.needed(level):
                if code not in own.get("en", {}):
                    self.problems.append(LoadProblem(script, 0, "texts.en", "check.missing", {"name": code}))
            drawn = yield from self._draw(folder, mod.pictures.get(level.id, ""), cache)
            self.levels.append(ModLevel(_renamed(level, mod.id, number, own), script, drawn))
            yield False
        self.picture = yield from self._draw(folder, mod.picture, cache)
        ids = [level.id for _, level in levels]
        for id in mod.pictures:
            if id not in ids and not self.problems:
                params = {"level": id[:LONGEST_NAME]}
                self.problems.append(LoadProblem(FILE, 0, f"pictures.{id}"[:LONGEST_NAME], "mod.picture_level", params))
        if self.problems:
            self.levels = []

    def _draw(self, folder: Path, picture: str, cache: Path) -> Generator[bool, None, str]:
        """In a thread, since it takes longer than a frame may."""
        if not picture:
            return ""
        with ThreadPoolExecutor(1) as pool:
            drawing = pool.submit(pictures.redraw, folder / picture, cache)
            while not drawing.done():
                yield True
        try:
            return str(drawing.result())
        except EngineError as error:
            self.problems.append(LoadProblem.of(error, picture))
            return ""


def _own(level: Level, found: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """A level's texts: those of its script, and over them those of the mod's files, which translators write."""
    own = {language: dict(told) for language, told in level.texts.items()}
    for language, told in found.items():
        mine = {code: text for code, text in told.items() if texts.owner(code) == level.id}
        if mine:
            own[language] = {**own.get(language, {}), **mine}
    return own


def _renamed(level: Level, mod: str, number: int, own: Mapping[str, Mapping[str, str]]) -> Level:
    known = {language: {texts.of_mod(code, mod): text for code, text in told.items()} for language, told in own.items()}
    return attrs.evolve(level, id=f"{mod}/{level.id}", number=number, texts=known)


def _quietly(work: files.Slow) -> Generator[bool, None, str]:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return str(end.value)
        yield False


def finish(work: Work, rest: Callable[[], Any]) -> None:
    """Do all of some work at once; `rest` is called while there is nothing to do but to wait."""
    for waits in work:
        if waits:
            rest()
