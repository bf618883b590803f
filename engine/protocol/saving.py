"""Saves, recordings and what the view keeps, across the bridge. No part of a game's record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from engine.errors import EngineError
from engine.level.data import level_to_data
from engine.level.spec import Level
from engine.player.kept import Kept
from engine.player.player import Player
from engine.player.whole_file import previous, write_whole
from engine.protocol.branches import Course
from engine.protocol.commands import read_fields
from engine.protocol.keeping import Keeping
from engine.protocol.loading import Loading, Source
from engine.protocol.tabs import Tab
from engine.protocol.undo import Undo
from engine.saves import content, recording, trust
from engine.saves import format as outer
from engine.saves import header as headers
from engine.saves.background import Background
from engine.saves.content import Content, TabContent
from engine.saves.header import SavedMod
from engine.saves.levels import Levels, is_own, level_hash
from engine.saves.migrations import RUN, SAVE
from engine.saves.slots import Slots, content_of, name_of, parts_of


@frozen
class _Save:
    slot: Any
    date: str
    later: bool = False
    """Whether it may be written while the game goes on."""


@frozen
class _Slot:
    slot: Any


@frozen
class _File:
    path: str


@frozen
class _Export:
    path: str = ""


@frozen
class _OpenRecording:
    path: str = ""
    text: str = ""


@frozen
class _KeptWrite:
    name: str
    data: dict[str, Any] = field(factory=dict)


@frozen
class _Name:
    name: str


@frozen
class _Nothing:
    pass


COMMANDS: dict[str, type[Any]] = {
    "kept_write": _KeptWrite,
    "save": _Save,
    "load": _Slot,
    "load_file": _File,
    "load_stop": _Nothing,
    "save_delete": _Slot,
    "recording_export": _Export,
    "recording_open": _OpenRecording,
}
QUESTIONS = {"kept": _Name, "saves": _Nothing}
WHILE_LOADING = ("load", "load_file", "load_stop", "recording_open")


class Saving:
    """Writes the game that is open, and holds one that is being loaded."""

    def __init__(self, keeping: Keeping, levels: Levels) -> None:
        self._keeping, self._levels = keeping, levels
        self.loading: Loading | None = None
        self._file = ""
        self._kept: dict[tuple[Path, str], Kept] = {}
        self._events: list[tuple[str, dict[str, Any]]] = []
        self._background = Background()
        self._known: tuple[Level, str, dict[str, Any] | None] | None = None
        """The level that was saved last, its hash, and its data if that lies in the file."""
        self.mods_of: Callable[[str], Sequence[SavedMod]] = lambda key: ()
        """The mods that a level of that id comes from."""
        self.called: Callable[[Level], bool] = lambda level: True
        """Whether there is somebody who calls a level's hooks, if it has any."""

    def command(self, name: str, fields: dict[str, Any], tabs: Sequence[Tab], shown: int) -> dict[str, Any]:
        """Give a command of `COMMANDS`."""
        match read_fields(fields, COMMANDS[name]):
            case _KeptWrite(name=kept, data=data):
                merged, changed = self._kept_file(kept).write(data)
                return {"merged": changed, "data": merged}
            case _Save() as wanted:
                return self._save(wanted, _shown(tabs, shown), tabs)
            case _Slot(slot=slot) if name == "save_delete":
                self._slots().delete(slot)
                return {}
            case _Slot(slot=slot):
                return self._load_slot(slot)
            case _File(path=path):
                found = recording.checked_path(path)
                return self._begin(SAVE, [Source(found.name, parts_of(found))])
            case _Export(path=path):
                return self._export(path, _shown(tabs, shown))
            case _OpenRecording(path=path, text=text):
                return self._open_recording(path, text)
        if self.loading is None:
            raise EngineError("save.not_loading")
        self.loading = None
        return {}

    def ask(self, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Answer a question of `QUESTIONS`."""
        asked: Any = read_fields(fields, QUESTIONS[name])
        if isinstance(asked, _Name):
            kept = self._kept_file(asked.name)
            return {"data": kept.read(), "notes": _told(kept.take_notes())}
        slots = self._slots()
        return {"folder": str(slots.folder), "saves": [self._row(slots, slot) for slot in slots.used()]}

    def work(self, overdue: Callable[[], bool]) -> list[Tab]:
        """Go on with what is being loaded; the tabs, once they are there."""
        loading = self.loading
        if loading is None:
            return []
        try:
            if not loading.work(overdue):
                return []
        except EngineError as error:
            self.loading = None
            self._events.append((error.code, error.params))
            return []
        self.loading = None
        self._events.append(("save.loaded", {"file": self._file}))
        self._events += loading.notes
        if not self.called(loading.tabs[0].simulation.level):
            self._events.append(("save.no_hooks", {}))
        if loading.form is RUN:
            loading.tabs[0].recorded = loading.header.state_hash
            self._events.append(("recording.equal" if loading.equal else "recording.differs", {}))
        elif not loading.equal:
            self._events.append(("save.differs", {}))
        return loading.tabs

    def take_events(self, t_ps: int) -> list[dict[str, Any]]:
        """What the player should know of a load that has ended, once."""
        events, self._events = self._events, []
        failure = self._background.take_failure()
        if failure is not None:
            events.append((failure.code, failure.params))
        return [{"t_ps": t_ps, "code": code, "params": params} for code, params in events]

    # -- saves ---------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """What is being written is waited for."""
        self._background.wait()

    def _save(self, wanted: _Save, tab: Tab, tabs: Sequence[Tab]) -> dict[str, Any]:
        slot = wanted.slot
        name_of(slot)
        if tab.following is not None:
            raise EngineError("recording.watched")
        slots = self._slots()
        pack = self._gathered(tab, tabs, wanted.date)
        if wanted.later:
            self._background.write(lambda: slots.write(slot, pack()))
            return {"slot": slot, "bytes": None}
        packed = pack()
        slots.write(slot, packed)
        return {"slot": slot, "bytes": len(packed)}

    def _gathered(self, tab: Tab, tabs: Sequence[Tab], date: str) -> Callable[[], bytes]:
        """All that there is to save now, of which the game changes nothing any more: to be packed now or later. The
        shown tab comes first.
        """
        key = trust.key_in(self._player().folder)
        header, level = self._header(tab, len(tabs), date)
        ordered = [tab, *(other for other in tabs if other is not tab)]
        contents = [
            TabContent(
                Course.of(one.simulation, Undo(one.undo.states)),
                list(one.branches.kept),
                header["state_hash"] if one is tab else one.simulation.state_hash(),
                one.longest_belt(),
            )
            for one in ordered
        ]

        def pack() -> bytes:
            whole = outer.write(SAVE, header, content.records_of(Content(level, contents)))
            return outer.sealed(whole, trust.seal(key, whole))

        return pack

    def _header(self, tab: Tab, tabs: int, date: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """The header, and the level's data where it has to lie in the file."""
        level = tab.simulation.level
        if self._known is None or self._known[0] is not level:
            data = level_to_data(level)
            self._known = level, level_hash(data), None if is_own(self._levels, level) else data
        _, known_hash, data_in_file = self._known
        own, mods = data_in_file is None, self.mods_of(level.id)
        header = headers.header_of(tab.simulation, level.id, known_hash, own, mods, tabs, date)
        return headers.to_data(header), data_in_file

    def _load_slot(self, slot: Any) -> dict[str, Any]:
        path = self._slots().path(slot)
        sources, refusals = [], []
        for file, notes in ((path, ()), (previous(path), (("save.previous", {"file": path.name}),))):
            try:
                source = Source(path.name, parts_of(file), notes)
                source.header(SAVE)
                sources.append(source)
            except EngineError as error:
                if error.code == "save.newer":
                    raise
                refusals.append(error)
        if not sources:
            raise refusals[0]
        return self._begin(SAVE, sources)

    def _begin(self, form: outer.Form, sources: Sequence[Source]) -> dict[str, Any]:
        player = self._keeping.player
        key = None if player is None else trust.key_in(player.folder)
        self.loading = Loading(form, sources, key, self._levels)
        self._file = sources[0].file
        self._events.clear()
        return {"notes": _told(sources[0].notes)}

    def _row(self, slots: Slots, slot: int | str) -> dict[str, Any]:
        path = slots.path(slot)
        refusals = []
        for file in (path, previous(path)):
            try:
                packed = content_of(file)
                source = Source(path.name, outer.read(SAVE, packed, path.name))
                told = headers.to_data(source.header(SAVE))
            except EngineError as error:
                refusals.append(error)
                if error.code == "save.newer":
                    break
            else:
                found: dict[str, Any] = {"code": None, "params": {}, "previous": file != path, "bytes": len(packed)}
                return {"slot": slot, "file": path.name, **found, **told}
        return {"slot": slot, "file": path.name, "code": refusals[0].code, "params": refusals[0].params}

    # -- recordings ----------------------------------------------------------------------------------------------------

    def _export(self, path: str, tab: Tab) -> dict[str, Any]:
        header, level = self._header(tab, 1, "")
        header["layout"] = None  # it comes out of the commands
        course = Course.of(tab.simulation, Undo())
        course = Course(course.commands, [], [], [], Undo(), course.reached_ps)
        header["layout"] = None  # it is among the commands
        whole = Content(level, [TabContent(course, [], header["state_hash"], tab.longest_belt())])
        packed = outer.sealed(outer.write(RUN, header, content.records_of(whole)), outer.NOBODY)
        target = recording.checked_path(path) if path else self._recordings() / self._recording_name(header)
        write_whole(target, packed)
        return {"path": str(target), "bytes": len(packed), "text": recording.to_text(packed)}

    def _recordings(self) -> Path:
        folder = self._player().folder / recording.FOLDER
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise EngineError("player.not_saved", file=folder.name, detail=error.strerror or "") from error
        return folder

    def _recording_name(self, header: dict[str, Any]) -> str:
        level = "".join(letter if letter.isalnum() else "-" for letter in header["level"])[:40]
        return f"{level}-{header['state_hash'][:8]}{recording.ENDING}"

    def _open_recording(self, path: str, text: str) -> dict[str, Any]:
        if bool(path) == bool(text):
            raise EngineError("message.malformed", detail="a path or a text")
        if text:
            return self._begin(RUN, [Source(recording.PREFIX, recording.from_text(text))])
        found = recording.checked_path(path)
        return self._begin(RUN, [Source(found.name, outer.read(RUN, content_of(found), found.name))])

    # -- the player's folder -------------------------------------------------------------------------------------------

    def _kept_file(self, name: str) -> Kept:
        folder = self._player().folder
        if (folder, name) not in self._kept:
            self._kept[folder, name] = Kept(folder, name)
        return self._kept[folder, name]

    def _slots(self) -> Slots:
        self._background.wait()
        return Slots(self._player().folder)

    def _player(self) -> Player:
        if self._keeping.player is None:
            raise EngineError("player.none")
        return self._keeping.player


def _shown(tabs: Sequence[Tab], shown: int) -> Tab:
    if not tabs:
        raise EngineError("level.none_open")
    if any(tab.replay is not None for tab in tabs):
        raise EngineError("run.rewinding")
    return tabs[shown]


def _told(notes: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [{"code": code, "params": params} for code, params in notes]
