"""The mods of a player: which there are, how they stand, and their levels. Loading goes on in slices of a frame."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import define, field

from engine.errors import EngineError
from engine.level.spec import Level
from engine.mods.hooks import ModCallers
from engine.mods.mod import Mod
from engine.mods.order import incompatible, order
from engine.mods.package import SCRATCH, UNPACKED, ZIP, Load, ModLevel, Package, Work
from engine.mods.problem import LoadProblem
from engine.mods.runner import load_level
from engine.mods.sandbox import missing
from engine.mods.states import ASKING, DISABLED, ENABLED, FAILED, LOADING, MISSING, AtWork, Choices

FOLDER, CACHE, AT_WORK = "mods", "mods-cache", "at-work"
MOST_MODS = 200
_MOST_NAMES = 2_000
_OLD_S = 86_400
"""What a game that was killed while unpacking left behind is swept away after a day."""


@define
class Entry:
    """A mod, and how it stands."""

    package: Package
    state: str
    code: str = ""
    """Why; "": nothing to say."""
    params: dict[str, Any] = field(factory=dict)

    @property
    def id(self) -> str:
        """The mod's."""
        return self.package.id

    def turn(self, state: str, code: str = "", **params: Any) -> None:
        """It stands otherwise now."""
        self.state, self.code, self.params = state, code, params


class Library:
    """The mods in `<player's folder>/mods`. Call `work` each frame."""

    def __init__(self, folder: Path, load: Load = load_level, walls: Callable[[], Sequence[str]] = missing) -> None:
        self.folder, self.cache = folder / FOLDER, folder / CACHE
        self._load, self._walls = load, walls
        self._choices = Choices(folder)
        self._at_work = AtWork(self.cache / AT_WORK)
        self._entries: list[Entry] = []
        self._order: list[str] = []
        self._known: dict[str, Package] = {}
        self._off = False
        self._open = self._loading = ""
        self._crashed = self._at_work.left()
        for id in self._crashed:
            with suppress(EngineError):  # a folder that cannot be written: it is off in this game at least
                self._choices.disable(id, crashed=True)
        self._job: Work | None = self._go()

    # -- what the player wants ---------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Look at the folder again, and load what has changed."""
        if self._job is not None:
            self._job.close()
        self._off, self._job = False, self._go()

    def off(self) -> None:
        """Do without mods: nothing is read, nothing loads."""
        self.reload()
        self._off = True

    def enable(self, id: str) -> None:
        """Turn a mod on; EngineError `mod.unknown`, or it could not be written down."""
        self._choices.enable(self._entry(id).id)
        self._crashed = [other for other in self._crashed if other != id]
        self.reload()

    def disable(self, id: str) -> None:
        """Turn a mod off."""
        self._choices.disable(self._entry(id).id)
        self.reload()

    def allow(self, id: str) -> None:
        """Let a mod run as it is now, although this system cannot hold it back from everything."""
        entry = self._entry(id)
        self._choices.allow(entry.id, entry.package.digest)
        self.reload()

    def _entry(self, id: str) -> Entry:
        for entry in self._entries:
            if entry.id == id:
                return entry
        raise EngineError("mod.unknown", id=id[:40])

    # -- what there is -----------------------------------------------------------------------------------------------

    @property
    def loading(self) -> bool:
        """Whether there is work left."""
        return self._job is not None

    @property
    def notes(self) -> list[tuple[str, dict[str, Any]]]:
        """What the player should know: about the file with his choices, and which mods were turned off."""
        return [*self._choices.notes, *(("mod.turned_off", {"id": id}) for id in self._crashed)]

    def entries(self) -> list[Entry]:
        """All mods: those that load in their order, then the others by id."""
        place = {id: number for number, id in enumerate(self._order)}
        return sorted(self._entries, key=lambda entry: (place.get(entry.id, len(place)), entry.id))

    def levels(self) -> list[tuple[Mod, ModLevel]]:
        """The levels that can be played."""
        return [
            (entry.package.mod, level)
            for entry in self.entries()
            if entry.state == ENABLED and entry.package.mod is not None
            for level in entry.package.levels
        ]

    def level(self, key: str) -> Level:
        """A level by `<mod>/<level>`; EngineError `level.unknown`, or `mod.loading` while it may still come."""
        for _, level in self.levels():
            if level.level.id == key:
                return level.level
        if any(entry.state == LOADING for entry in self._entries) or (self.loading and not self._off):
            raise EngineError("mod.loading")
        raise EngineError(
            "level.unknown", level=key[:80], known=", ".join(each.level.id for _, each in self.levels())[:300]
        )

    def callers(self, level: Level) -> ModCallers | None:
        """Who calls the hooks of a level; None for one that is not just as one of these."""
        for entry in self._entries:
            for known in entry.package.levels:
                if known.level == level and entry.package.folder is not None:
                    return ModCallers(entry.package.folder, known.script, self.cache / SCRATCH)
        return None

    def saved(self, key: str) -> list[tuple[str, str, str]]:
        """The mods that a level comes from: id, version, hash."""
        found = [entry.package for entry in self._entries if key.startswith(f"{entry.id}/")]
        return [(package.mod.id, package.mod.version, package.digest) for package in found if package.mod]

    def texts(self, language: str) -> dict[str, str]:
        """The texts of all levels, in a language or, where a mod has not that one, in English."""
        found = dict[str, str]()
        for _, level in self.levels():
            found |= told_in(level.level, language)
        return found

    # -- markers -----------------------------------------------------------------------------------------------------

    def opened(self, key: str) -> None:
        """A level is open now; "" for none of a mod."""
        self._open = key.partition("/")[0] if "/" in key else ""
        self._mark()

    def close(self) -> None:
        """The game ends in peace."""
        if self._job is not None:
            self._job.close()
        self._job, self._open, self._loading = None, "", ""
        self._mark()

    def _mark(self) -> None:
        self._at_work.now({self._open, self._loading} - {""})

    # -- work --------------------------------------------------------------------------------------------------------

    def work(self, overdue: Callable[[], bool] = lambda: False) -> None:
        """Go on with loading, one piece at least, until it is `overdue` or a worker has to be waited for."""
        while self._job is not None:
            waits = next(self._job, None)
            if waits is None:
                self._job = None
            if waits or overdue():
                return

    def finish(self) -> None:
        """Load all at once, as the command line does."""
        while self.loading:
            self.work()
            time.sleep(0.002)

    def _go(self) -> Work:
        entries = yield from self._find()
        self._judge(entries)
        self._entries = entries
        for id in self._order:
            yield from self._load_one(self._entry(id))
        self._known = {entry.package.digest: entry.package for entry in entries if entry.state == ENABLED}

    def _find(self) -> Generator[bool, None, list[Entry]]:
        """Everything in the folder, looked through; a folder goes before a zip of its name."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
        names = list[str]()
        with suppress(OSError), os.scandir(self.folder) as inside:
            names = sorted(each.name for each in islice(inside, _MOST_NAMES) if _may_be_mod(each))
        paths = [self.folder / name for name in names[:MOST_MODS]]
        entries, seen = list[Entry](), set[str]()
        for path in paths:
            package = Package.at(path)
            if not self._off and not self._has_crashed(package.name):
                yield from self._at(package.name, package.read(self.cache))
                package = self._known.get(package.digest, package) if not package.problems else package
                yield False
            if package.name in seen:
                package.problems.append(LoadProblem("", 0, "", "mod.twice", {"id": package.name[:40]}))
            seen.add(package.name)
            entries.append(Entry(package, LOADING))
        if not self._off:
            self._sweep({entry.package.digest for entry in entries})
        return entries

    def _judge(self, entries: list[Entry]) -> None:
        """How each stands before any of its scripts was run, and in which order they will be."""
        mods, others, walls = dict[str, Mod](), dict[str, Mod](), self._walls()
        for entry in entries:
            self._first_look(entry, walls)
            if entry.package.mod is not None:
                (mods if entry.state == LOADING else others).setdefault(entry.id, entry.package.mod)
        self._order, reasons = order(mods, others)
        for entry in entries:
            if entry.state == LOADING and entry.id in reasons:
                state, code, params = reasons[entry.id]
                entry.turn(state, code, **params)

    def _first_look(self, entry: Entry, walls: Sequence[str]) -> None:
        package, choice = entry.package, self._choices.of(entry.id)
        if self._off:
            entry.turn(DISABLED, "mod.off")
        elif self._has_crashed(package.name):
            entry.turn(DISABLED, "mod.crashed")
        elif package.problems or package.mod is None:
            entry.turn(FAILED, "mod.failed", count=len(package.problems))
        elif choice.disabled:
            entry.turn(DISABLED, "mod.disabled")
        elif reason := incompatible(package.mod):
            entry.turn(reason[0], reason[1], **reason[2])
        elif walls and choice.allowed != package.digest:
            entry.turn(ASKING, "mod.walls", walls=[wall.removeprefix("wall.") for wall in walls])

    def _has_crashed(self, id: str) -> bool:
        """Whether a game died over it: then not even its files are read, until the player wants it."""
        return id in self._crashed or self._choices.of(id).crashed

    def _at(self, id: str, work: Work) -> Work:
        """Work on a mod, with a marker for as long as it takes."""
        self._loading = id
        self._mark()
        try:
            yield from work
        finally:
            self._loading = ""
            self._mark()

    def _load_one(self, entry: Entry) -> Work:
        package = entry.package
        assert package.mod is not None
        standing = {other.id: other.state for other in self._entries}
        for needed in sorted(package.mod.needs):
            if standing.get(needed) != ENABLED:
                entry.turn(MISSING, "mod.needs_state", id=needed)
                return
        if not package.levels:
            yield from self._at(entry.id, package.load(self.cache, self._load))
        if package.problems:
            entry.turn(FAILED, "mod.failed", count=len(package.problems))
        else:
            entry.turn(ENABLED)

    def _sweep(self, digests: set[str]) -> None:
        """Remove unpacked zips that are gone. First out of the way, so that none stays there in halves."""
        unpacked = self.cache / UNPACKED
        for path in sorted(unpacked.glob("*")):
            with suppress(OSError):
                if "-" not in path.name and path.name not in digests:
                    path = path.rename(unpacked / f"removing-{path.name}")
                elif path.name in digests or time.time() - path.stat().st_mtime < _OLD_S:
                    continue
                shutil.rmtree(path, ignore_errors=True)


def _may_be_mod(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and (entry.is_dir() or entry.is_symlink() or entry.name.endswith(ZIP))


def told_in(level: Level, language: str) -> dict[str, str]:
    """A level's texts in a language; what it does not say there, it says in English."""
    return {**level.texts.get("en", {}), **level.texts.get(language, {})}
