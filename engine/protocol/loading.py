"""Loading a save or a recording: read, checked and played in slices, while the game that was open waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import evolve, frozen

from engine.errors import EngineError
from engine.level.data import level_to_data
from engine.level.spec import Level
from engine.protocol.branches import Course
from engine.protocol.tabs import MOST_TABS, Tab
from engine.saves import format as outer
from engine.saves import header as headers
from engine.saves import trust
from engine.saves.content import Content, Reader, TabContent
from engine.saves.format import Form, Parts
from engine.saves.header import Header
from engine.saves.levels import Levels, level_hash, level_of
from engine.saves.migrations import SAVE, upgraded_header, upgraded_record
from engine.simulation import ENDED
from engine.units import PS_PER_S

_READING = 0.1
"""Share of the way that reading is shown as."""
Note = tuple[str, dict[str, Any]]


@frozen
class Source:
    """A file that may be loaded."""

    file: str
    """Its name."""
    parts: Parts
    notes: tuple[Note, ...] = ()
    """What the player should know if it is this one."""

    def header(self, form: Form) -> Header:
        """What can be read of it alone."""
        return headers.from_data(upgraded_header(form, self.parts.version, self.parts.header), self.file)


class Loading:
    """`tabs` are there when `work` is done: those of the first of `sources` that can be loaded."""

    def __init__(self, form: Form, sources: Sequence[Source], key: bytes | None, levels: Levels) -> None:
        self.form, self.header = form, sources[0].header(form)
        self.share = 0.0
        self.notes: list[Note] = []
        """What the player should know once it is there."""
        self.equal = False
        """Whether it came out as it was saved."""
        self.tabs: list[Tab] = []
        self.hashes: list[str] = []
        """What the file says that they are, by their state."""
        self._sources, self._key, self._levels = sources, key, levels
        self._slices = self._run()

    @property
    def to_ps(self) -> int:
        """The moment that is loaded, of the tab that was shown."""
        return self.header.t_ps

    def work(self, overdue: Callable[[], bool]) -> bool:
        """Go on until it is `overdue`, at least one slice; whether it is there. EngineError if it cannot be loaded."""
        for share in self._slices:
            self.share = share
            if overdue():
                return False
        return True

    def _run(self) -> Iterator[float]:
        refusals: list[EngineError] = []
        for source in self._sources:
            try:
                yield from self._load(source)
            except EngineError as error:
                refusals.append(error)
            else:
                return
        raise refusals[0]

    def _load(self, source: Source) -> Iterator[float]:
        self.header = source.header(self.form)
        parts = source.parts
        own = self._key is not None and trust.is_own(self._key, parts.sealed, parts.seal)
        reader = Reader(source.file, own, self.header.seed, MOST_TABS)
        for record, share in outer.records(parts.body, source.file):
            for each in upgraded_record(self.form, parts.version, record):
                reader.take(each)
            yield share * _READING
        content = reader.finished()
        level = level_of(self._levels, self.header.level, content.level)
        _check(content, self.header, level, source.file)
        self.notes = [*source.notes]
        same = level_hash(level_to_data(level)) == self.header.level_hash
        if not own and self.form is SAVE:
            self.notes.append(("save.elsewhere", {}))
        if own and same:
            try:
                yield from self._play(level, content.tabs)
            except Exception:  # states that another version of the game has written
                self.equal = False
        if not self.equal:
            yield from self._play(level, [_without_states(tab) for tab in content.tabs])
        for tab in self.tabs:
            tab.borrowed = not own and tab.simulation.phase == ENDED
        if not self.equal and not same:
            self.notes.append(("save.changed", {}))

    def _play(self, level: Level, contents: Sequence[TabContent]) -> Iterator[float]:
        """Bring the tabs to their moments; `equal` says whether they came out as they were saved."""
        self.tabs = [
            Tab.resumed(level, self.header.seed, one.course, one.branches, one.longest_belt) for one in contents
        ]
        refused = 0
        for index, tab in enumerate(self.tabs):
            while tab.replay is not None:
                replay = tab.replay
                tab.work(lambda: True)
                refused += replay.refused if tab.replay is None else 0
                yield _READING + (1 - _READING) * (index + replay.share) / len(self.tabs)
        self.hashes = [one.state_hash for one in contents]
        self.equal = not refused and [tab.simulation.state_hash() for tab in self.tabs] == self.hashes


def _check(content: Content, header: Header, level: Level, file: str) -> None:
    """Whether the parts fit together."""
    courses = [course for tab in content.tabs for course in (tab.course, *tab.branches)]
    end_ps = level.end_s * PS_PER_S
    pads = len(level.pads)
    fits = (
        all(course.reached_ps <= end_ps for course in courses)
        and all(len(second.vram_bytes) == pads for course in courses for second in course.seconds)
        and header.tabs == len(content.tabs)
        and header.t_ps == content.tabs[0].course.reached_ps
        and header.state_hash == content.tabs[0].state_hash
    )
    if not fits:
        raise EngineError("save.damaged", file=file)


def _without_states(tab: TabContent) -> TabContent:
    return evolve(tab, course=_commands_only(tab.course), branches=[_commands_only(each) for each in tab.branches])


def _commands_only(course: Course) -> Course:
    return evolve(course, checkpoints=[], seconds=[], marks=[])
