"""What is in a save, as records: tabs, the courses of their games (the present one first, then its branches), and of
each course the commands, figures, marks, states and what can be undone. Courses share their beginnings; files do too.

Everything is checked as it is read. Of a file that is not this player's own only the commands are taken; the rest comes
out of simulating them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from attrs import define, field, frozen

from engine.errors import EngineError
from engine.floor.layout import MAX_TILES, strict_converter
from engine.metrics.history import Mark, Second
from engine.player.kept import checked
from engine.protocol.branches import MOST_BRANCHES, Course, GivenCommand
from engine.protocol.undo import MOST as MOST_UNDO
from engine.protocol.undo import Stacks, Undo
from engine.simulation import Checkpoint
from engine.units import PS_PER_S

MOST_COMMANDS = 100_000
MOST_SECONDS = 100_000
MOST_MARKS = 100_000
MOST_LAYOUTS = 20_000
MOST_LAYOUT_BYTES = 200_000
MOST_CHANGES = 10_000
"""Of the layout in a course that can be undone after going back to them; the last ones are kept."""
MOST_CHECKPOINT_BYTES = 100_000_000
"""Unpacked; what is larger is not saved, but simulated again."""
MOST_ITEMS = 10_000_000
"""In all lists together: courses and stacks may share their beginnings, so that a short file could ask for much."""
_CONVERTER = strict_converter()
_CONVERTER.register_unstructure_hook_func(
    lambda kind: getattr(kind, "__origin__", kind) is frozenset, lambda items: sorted(items)
)
_T = TypeVar("_T")


@frozen
class TabContent:
    """A tab as it is saved: where its game is, and the courses that were left."""

    course: Course
    branches: list[Course]
    state_hash: str
    longest_belt: int
    """In tiles: what is drawn depends on the time that a packet takes for it."""


@define
class Content:
    """All of a save but its header."""

    level: dict[str, Any] | None = None
    """The level itself, where it is none of the game's own."""
    tabs: list[TabContent] = field(factory=list)


def records_of(content: Content) -> Iterator[list[Any]]:
    """The records of a save."""
    if content.level is not None:
        yield ["level", content.level]
    layouts: dict[bytes, int] = {}
    for tab in content.tabs:
        yield ["tab", tab.state_hash, tab.longest_belt]
        earlier: list[Course] = []
        for course in (tab.course, *tab.branches):
            yield from _course_records(course, earlier, layouts)
            earlier.append(course)


def _course_records(course: Course, earlier: Sequence[Course], layouts: dict[bytes, int]) -> Iterator[list[Any]]:
    like, kept = -1, [0, 0, 0, 0]
    checkpoints = thinned(course)
    for index, other in enumerate(earlier):
        common = [
            _common(course.commands, other.commands),
            _common(course.seconds, other.seconds),
            _common(course.marks, other.marks),
            _common(checkpoints, thinned(other)),
        ]
        if sum(common) > sum(kept):
            like, kept = index, common
    yield ["course", like, *kept, course.reached_ps]
    for at, message in course.commands[kept[0] :]:
        yield ["command", at, message]
    for second in course.seconds[kept[1] :]:
        yield ["second", _CONVERTER.unstructure(second)]
    for mark in course.marks[kept[2] :]:
        yield ["mark", _CONVERTER.unstructure(mark)]
    for checkpoint in checkpoints[kept[3] :]:
        packed = zlib.compress(checkpoint.packed, 1)
        yield ["checkpoint", checkpoint.time_ps, checkpoint.commands, packed]
    yield from _undo_records(course.undo, layouts)


def _undo_records(undo: Undo, layouts: dict[bytes, int]) -> Iterator[list[Any]]:
    before = Stacks(0)
    for state in undo.states[-MOST_CHANGES:]:
        for packed in (*state.undo, *state.redo):
            if packed not in layouts:
                layouts[packed] = len(layouts)
                yield ["layout", packed]
        parts: list[Any] = []
        for now, then in ((state.undo, before.undo), (state.redo, before.redo)):
            kept = _common(now, then)
            parts += [kept, [layouts[packed] for packed in now[kept:]]]
        yield ["stacks", state.commands, *parts]
        before = state


def thinned(course: Course) -> list[Checkpoint]:
    """Of the course's states those worth their room: the last two, and others about twice as far from the end each.

    So the end is reached at once, and any other moment in at most half of its way.
    """
    kept: list[Checkpoint] = []
    least_ps = 0
    for checkpoint in reversed(course.checkpoints):
        age_ps = course.reached_ps - checkpoint.time_ps
        if age_ps >= least_ps and len(checkpoint.packed) <= MOST_CHECKPOINT_BYTES:
            kept.append(checkpoint)
            if len(kept) > 1:
                least_ps = 2 * age_ps
    return kept[::-1]


# -- reading -----------------------------------------------------------------------------------------------------------


class Reader:
    """Takes records in their order; EngineError `save.damaged` for any that does not fit."""

    def __init__(self, file: str, own: bool, seed: int, most_tabs: int) -> None:
        self.content = Content()
        self._file, self._own, self._seed, self._most_tabs = file, own, seed, most_tabs
        self._tabs: list[_TabDraft] = []
        self._layouts: list[bytes] = []
        self._items = 0

    def take(self, record: list[Any]) -> None:
        """One record more."""
        takes: dict[str, Callable[..., None]] = {
            "level": self._level,
            "tab": self._tab,
            "course": self._course,
            "command": self._command,
            "second": self._second,
            "mark": self._mark,
            "checkpoint": self._checkpoint,
            "layout": self._layout,
            "stacks": self._stacks,
        }
        name, *values = record
        try:
            takes[name](*values)
        except Exception as error:  # cattrs raises what its hooks raise
            raise self._damaged() from error

    def finished(self) -> Content:
        """What was read; EngineError unless it is a whole game."""
        self._need(bool(self._tabs) and all(tab.courses for tab in self._tabs))
        for tab in self._tabs:
            courses = [draft.course() for draft in tab.courses]
            self.content.tabs.append(TabContent(courses[0], courses[1:], tab.state_hash, tab.longest_belt))
        return self.content

    def _level(self, data: Any) -> None:
        self._need(isinstance(data, dict) and self.content.level is None and not self._tabs)
        self.content.level = data

    def _tab(self, state_hash: Any, longest_belt: Any) -> None:
        _whole(longest_belt)
        self._need(isinstance(state_hash, str) and len(state_hash) <= 64 and len(self._tabs) < self._most_tabs)
        self._tabs.append(_TabDraft(state_hash, min(longest_belt, MAX_TILES)))

    def _course(self, like: Any, commands: Any, seconds: Any, marks: Any, checkpoints: Any, reached_ps: Any) -> None:
        courses = self._tabs[-1].courses
        kept = _whole(commands, seconds, marks, checkpoints)
        self._need(_whole(reached_ps) == [reached_ps] and type(like) is int and -1 <= like < len(courses))
        self._need(len(courses) <= MOST_BRANCHES)
        self._count(sum(kept))
        draft = _CourseDraft(reached_ps)
        if like >= 0:
            other = courses[like]
            self._need(kept[0] <= len(other.commands))
            draft.commands = other.commands[: kept[0]]
            if self._own:
                parts = (other.seconds, other.marks, other.checkpoints)
                self._need(all(count <= len(part) for count, part in zip(kept[1:], parts, strict=True)))
                draft.seconds, draft.marks = other.seconds[: kept[1]], other.marks[: kept[2]]
                draft.checkpoints = other.checkpoints[: kept[3]]
        else:
            self._need(kept[0] == 0)
        courses.append(draft)

    @property
    def _draft(self) -> _CourseDraft:
        return self._tabs[-1].courses[-1]

    def _command(self, at: Any, message: Any) -> None:
        draft = self._draft
        last = draft.commands[-1][0] if draft.commands else 0
        self._need(type(at) is int and last <= at <= draft.reached_ps and isinstance(message, dict))
        self._need(len(draft.commands) < MOST_COMMANDS)
        draft.commands.append((at, message))

    def _second(self, data: Any) -> None:
        draft = self._draft
        self._need(len(draft.seconds) < min(MOST_SECONDS, draft.reached_ps // PS_PER_S))
        if self._own:
            draft.seconds.append(_CONVERTER.structure(data, Second))

    def _mark(self, data: Any) -> None:
        self._need(len(self._draft.marks) < MOST_MARKS)
        if self._own:
            mark = _CONVERTER.structure(data, Mark)
            checked(mark.params)
            self._draft.marks.append(mark)

    def _checkpoint(self, time_ps: Any, commands: Any, packed: Any) -> None:
        draft = self._draft
        _whole(time_ps, commands)
        self._need(isinstance(packed, bytes))
        if not self._own:
            return
        last = draft.checkpoints[-1].time_ps if draft.checkpoints else 0
        self._need(last <= time_ps <= draft.reached_ps and commands <= len(draft.commands))
        stream = zlib.decompressobj()
        plain = stream.decompress(packed, MOST_CHECKPOINT_BYTES)
        self._need(stream.eof)
        draft.checkpoints.append(Checkpoint(self._seed, time_ps, commands, plain))

    def _layout(self, packed: Any) -> None:
        self._need(isinstance(packed, bytes) and len(packed) <= MOST_LAYOUT_BYTES)
        self._need(len(self._layouts) < MOST_LAYOUTS)
        self._layouts.append(packed)

    def _stacks(self, commands: Any, keep_undo: Any, undo: Any, keep_redo: Any, redo: Any) -> None:
        draft = self._draft
        before = draft.stacks[-1] if draft.stacks else Stacks(0)
        _whole(commands, keep_undo, keep_redo, *undo, *redo)
        self._need(before.commands <= commands <= len(draft.commands))
        self._need(len(draft.stacks) < MOST_CHANGES)
        now = []
        for keep, more, then in ((keep_undo, undo, before.undo), (keep_redo, redo, before.redo)):
            stack = (*then[:keep], *(self._layouts[index] for index in more))
            self._need(keep <= len(then) and len(stack) <= MOST_UNDO)
            self._count(len(stack))
            now.append(stack)
        draft.stacks.append(Stacks(commands, now[0], now[1]))

    def _count(self, items: int) -> None:
        self._items += items
        self._need(self._items <= MOST_ITEMS)

    def _need(self, fits: bool) -> None:
        if not fits:
            raise self._damaged()

    def _damaged(self) -> EngineError:
        return EngineError("save.damaged", file=self._file)


@define
class _CourseDraft:
    reached_ps: int
    commands: list[GivenCommand] = field(factory=list)
    seconds: list[Second] = field(factory=list)
    marks: list[Mark] = field(factory=list)
    checkpoints: list[Checkpoint] = field(factory=list)
    stacks: list[Stacks] = field(factory=list)

    def course(self) -> Course:
        undo = Undo(self.stacks)
        return Course(self.commands, self.checkpoints, self.seconds, self.marks, undo, self.reached_ps)


@define
class _TabDraft:
    state_hash: str
    longest_belt: int
    courses: list[_CourseDraft] = field(factory=list)


def _common(one: Sequence[_T], other: Sequence[_T]) -> int:
    """How long the common beginning is."""
    count = 0
    for mine, others in zip(one, other, strict=False):
        if mine is not others and mine != others:
            break
        count += 1
    return count


def _whole(*values: Any) -> list[int]:
    """Counts and times; ValueError for anything else."""
    if not all(type(value) is int and 0 <= value < 2**63 for value in values):
        raise ValueError
    return list(values)
