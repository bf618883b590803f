"""The engine as the view sees it: three calls, bytes in and bytes out. Bad input gets an answer, never an exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import msgpack
from attrs import frozen

from engine.errors import EngineError
from engine.level.hooks import CallerOf, local_hooks
from engine.level.load import load
from engine.level.spec import Level
from engine.protocol import comparing
from engine.protocol.asks import answer, diagnosis
from engine.protocol.commands import FROM_HOOKS, read_fields, read_message
from engine.protocol.keeping import COMMANDS as KEEPING
from engine.protocol.keeping import QUESTIONS as KEPT
from engine.protocol.keeping import Keeping
from engine.protocol.mods import COMMANDS as MOD_COMMANDS
from engine.protocol.mods import QUESTIONS as MOD_QUESTIONS
from engine.protocol.mods import Mods
from engine.protocol.sandbox import COMMANDS as SANDBOX
from engine.protocol.sandbox import OPEN as SANDBOX_OPEN
from engine.protocol.sandbox import QUESTIONS as SANDBOXED
from engine.protocol.sandbox import Sandbox
from engine.protocol.saving import COMMANDS as SAVING
from engine.protocol.saving import QUESTIONS as SAVED
from engine.protocol.saving import WHILE_LOADING, Saving
from engine.protocol.tabs import MOST_TABS, QUESTIONS, Tab, tabs
from engine.sandbox.own import is_own_level
from engine.simulation import Simulation
from engine.units import PS_PER_S, seconds

MAX_MESSAGE_BYTES = 2_000_000
_SLICE_PS = PS_PER_S // 50
"""Simulated between two looks at the clock: a frame at single speed is one slice, though some come late."""
DEFAULT_SEED = 1


@frozen
class _Open:
    level: str
    seed: int = DEFAULT_SEED


@frozen
class _View:
    xx: float
    yx: float
    xy: float
    yy: float


@frozen
class _Nothing:
    pass


@frozen
class _Rewind:
    t_ps: int


@frozen
class _Branch:
    index: int
    t_ps: int | None = None


@frozen
class _Index:
    index: int


_SCHEMAS: dict[str, type[Any]] = {
    "open": _Open,
    "restart": _Nothing,
    "view": _View,
    "undo": _Nothing,
    "redo": _Nothing,
    "single_step": _Nothing,
    "watch": _Nothing,
    "take_over": _Nothing,
    "rewind": _Rewind,
    "branch": _Branch,
    "tab_open": _Nothing,
    "tab": _Index,
    "tab_close": _Index,
}
_QUESTIONS = {**QUESTIONS, **diagnosis.QUESTIONS, **comparing.QUESTIONS}
_WHILE_REWINDING = ("restart", "rewind", "branch", "tab_open", "tab", "tab_close")


class Session:
    """Holds the open level, in a tab or more. `overdue`, asked between slices of a frame, says when the frame's share
    of real time is used up.
    """

    def __init__(self, levels: Callable[[str], Level] = load, callers: CallerOf = local_hooks) -> None:
        self._mods = Mods()
        self._callers: CallerOf = lambda level: self._mods.callers(level) or callers(level)
        self._levels: Callable[[str], Level] = lambda key: (
            self._sandbox.level(key) or self._mods.level(key) or levels(key)
        )
        self._tabs: list[Tab] = []
        self._shown = 0
        self._sandbox = Sandbox(lambda: self._keeping.player.folder if self._keeping.player else None)
        self._keeping = Keeping(self._mods, self._sandbox)
        self._saving = Saving(self._keeping, self._levels)
        self._saving.mods_of = self._mods.saved
        self._saving.called = self._mods.called
        self._basis = (1.0, 0.0, 0.0, 1.0)

    @property
    def tab(self) -> Tab | None:
        """The tab that is shown; None while no level is open."""
        return self._tabs[self._shown] if self._tabs else None

    @property
    def simulation(self) -> Simulation | None:
        """What is shown."""
        return self.tab.simulation if self.tab else None

    @property
    def rewinding(self) -> bool:
        """Whether the picture stands because the way to another moment is being simulated."""
        return self._saving.loading is not None or (self.tab is not None and self.tab.replay is not None)

    def step(self, delta_s: float, overdue: Callable[[], bool] = lambda: False) -> bytes:
        """Simulate up to `delta_s` seconds and take a snapshot; a map with only `v` when no level is open."""
        loaded = self._saving.work(overdue)
        if loaded:
            self._replace(loaded)
            delta_s = 0.0
            self._show(0)
        if self._saving.loading is not None:
            loading = self._saving.loading
            return _pack({"v": 1, "rewinding": {"t_ps": loading.to_ps, "share": loading.share}})
        for each in self._tabs:
            each.work(overdue)
        lag = self._advance(delta_s, overdue) if 0 < delta_s < 3600 else False
        for each in self._tabs:
            each.trail.forget(each.simulation.now)
        self._mods.work(overdue)
        tab = self.tab
        if tab is None:
            events = self._saving.take_events(0)
            return _pack({"v": 1, "events": events} if events else {"v": 1})
        if tab.replay is not None:
            return _pack({"v": 1, "rewinding": {"t_ps": tab.replay.to_ps, "share": tab.replay.share}})
        snapshot = tab.snapshots.take(lag)
        if "structure" in snapshot:
            snapshot["structure"].update(tab=self._shown, tabs=len(self._tabs))
        snapshot["events"] += self._saving.take_events(tab.simulation.now)
        snapshot["following"] = tab.following and tab.following.to_data()
        snapshot.update(tab.diagnosis.news(tab.simulation, "structure" in snapshot))
        return _pack(snapshot)

    def think(self, overdue: Callable[[], bool]) -> None:
        """Compare what was asked for and simulate ahead what might help, in the time that a frame leaves over. Has no
        effect on the game.
        """
        tab = self.tab
        if tab is not None and tab.replay is None:
            tab.comparing.work(overdue)
            if not tab.comparing.awaited:
                tab.diagnosis.think(tab.simulation, overdue)

    @property
    def awaited(self) -> bool:
        """Whether somebody waits for what `think` finds, so that it may take more of a frame."""
        return self.tab is not None and self.tab.comparing.awaited

    def close(self) -> None:
        """The game ends in peace."""
        self._saving.close()
        for each in self._tabs:
            each.close()
        self._mods.close()

    def command(self, packed: bytes) -> bytes:
        """Give a command."""
        return _answered(self._command, packed)

    def ask(self, packed: bytes) -> bytes:
        """Answer a question."""
        return _answered(self._answer, packed)

    def _advance(self, delta_s: float, overdue: Callable[[], bool]) -> bool:
        """All tabs that run go on together; whether one of them could not go all the way."""
        targets = [(tab, tab.simulation.now + seconds(delta_s)) for tab in self._tabs if tab.replay is None]
        for tab in self._tabs:
            tab.call_hooks(self._callers)
        for tab, _ in targets:
            if tab.simulation.waits:
                tab.simulation.advance(tab.simulation.now)
        while True:
            late = [(tab, target) for tab, target in targets if not tab.stands and tab.simulation.now < target]
            if not late or overdue():
                return bool(late)
            for tab, target in late:
                tab.advance(min(tab.simulation.now + _SLICE_PS, target))

    def _answer(self, message: Any) -> dict[str, Any]:
        name, fields = read_message(message, "ask")
        if name in SAVED:
            return self._saving.ask(name, fields)
        if name in SANDBOXED:
            return self._sandbox.ask(name, fields)
        if name in MOD_QUESTIONS:
            return self._mods.ask(name, fields, self.simulation, self._sandbox.texts)
        if name in KEPT:
            return self._keeping.ask(name, fields, self.simulation)
        if self.tab is not None and name == "tabs":
            read_fields(fields, _Nothing)
            return tabs(self._tabs, self._shown)
        if self.tab is not None and name in _QUESTIONS:
            schema, reply = _QUESTIONS[name]
            return reply(self.tab, read_fields(fields, schema))
        return answer(self.simulation, message)

    def _command(self, message: Any) -> dict[str, Any]:
        name, fields = read_message(message, "do")
        if name in FROM_HOOKS:
            raise EngineError("message.unknown", name=name)
        if name in MOD_COMMANDS:
            return self._mods.command(name, fields)
        if name in KEEPING:
            return self._keeping.command(name, fields, self.simulation, self.tab is not None and self.tab.borrowed)
        if name in SAVING and (name in WHILE_LOADING or self._saving.loading is None or name == "kept_write"):
            return self._saving.command(name, fields, self._tabs, self._shown)
        if self._saving.loading is not None and name not in ("open", "view", SANDBOX_OPEN):
            raise EngineError("run.rewinding")
        if name == SANDBOX_OPEN:
            return self._open(*self._sandbox.opened(fields))
        if name in SANDBOX:
            return self._sandbox.command(name, fields, self.simulation)
        if name == "open":
            fields["level"] = str(fields.get("level", ""))  # its number does as well
        wanted = read_fields(fields, _SCHEMAS[name]) if name in _SCHEMAS else None
        match wanted:
            case _Open():
                return self._open(self._levels(wanted.level), wanted.seed)
            case _View():
                self._basis = (wanted.xx, wanted.yx, wanted.xy, wanted.yy)
                for each in self._tabs:
                    each.trail.basis = self._basis
                    each.snapshots.begin()
                return {}
        tab = self.tab
        if tab is None:
            raise EngineError("level.none_open")
        if tab.replay is not None and name not in _WHILE_REWINDING:
            raise EngineError("run.rewinding")
        match wanted:
            case None:
                told = tab.undo.give(tab.simulation, message)
                tab.take_over()
                return told
            case _Rewind():
                tab.rewind(wanted.t_ps)
                return {}
            case _Branch():
                tab.branch(wanted.index, wanted.t_ps)
                return {}
            case _Index():
                return self._close(wanted.index) if name == "tab_close" else self._show(wanted.index)
        match name:
            case "undo":
                return tab.undo.undo(tab.simulation)
            case "redo":
                return tab.undo.redo(tab.simulation)
            case "watch":
                tab.watch()
                return {}
            case "take_over":
                tab.take_over()
                return {}
            case "single_step":
                tab.call_hooks(self._callers)
                tab.single_step()
                return {"t_ps": tab.simulation.now}
            case "restart":
                self._tabs[self._shown] = Tab.again(tab)
                self._tabs[self._shown].take_hooks(tab)
                return self._show(self._shown)
        if len(self._tabs) >= MOST_TABS:
            raise EngineError("tab.most", most=MOST_TABS)
        self._tabs.append(Tab.again(tab))
        return {"tab": len(self._tabs) - 1, **self._show(len(self._tabs) - 1)}

    def _open(self, level: Level, seed: int) -> dict[str, Any]:
        """A fresh game; in a level of the player's own, what he has built there stands already."""
        tab = Tab(Simulation(level, seed))
        if is_own_level(level) and level.reference:
            tab.undo.give(tab.simulation, {"v": 1, "do": "layout", "layout": level.reference})
        self._replace([tab])
        self._saving.loading = None
        return self._show(0)

    def _replace(self, tabs: list[Tab]) -> None:
        for each in self._tabs:
            each.close()
        self._tabs = tabs
        level = tabs[0].simulation.level
        self._mods.opened("" if is_own_level(level) else level.id)

    def _close(self, index: int) -> dict[str, Any]:
        self._check_tab(index)
        if len(self._tabs) == 1:
            raise EngineError("tab.last")
        self._tabs.pop(index).close()
        return self._show(self._shown - 1 if self._shown > index or self._shown == len(self._tabs) else self._shown)

    def _show(self, index: int) -> dict[str, Any]:
        self._check_tab(index)
        self._shown = index
        tab = self._tabs[index]
        tab.trail.basis = self._basis
        tab.snapshots.begin()
        return {"rev": tab.simulation.site.revision}

    def _check_tab(self, index: int) -> None:
        if not 0 <= index < len(self._tabs):
            raise EngineError("tab.unknown", index=index)


def schema() -> dict[str, list[str]]:
    """Names and fields of the commands that are no part of a game's record, for the documentation."""
    schemas = {**_SCHEMAS, **KEEPING, **SAVING, **SANDBOX, **MOD_COMMANDS}
    return {name: [field.name for field in attrs.fields(command)] for name, command in schemas.items()}


def _pack(data: Any) -> bytes:
    packed: bytes = msgpack.packb(data, use_bin_type=True)
    return packed


def _answered(reply: Callable[[Any], dict[str, Any]], packed: bytes) -> bytes:
    try:
        return _pack({"ok": True, **reply(_unpack(packed))})
    except EngineError as error:
        return _pack({"ok": False, "code": error.code, "params": error.params})


def _unpack(packed: bytes) -> Any:
    if len(packed) > MAX_MESSAGE_BYTES:
        raise EngineError("message.malformed", detail="too long")
    try:
        return msgpack.unpackb(packed, strict_map_key=True)
    except Exception as error:
        raise EngineError("message.malformed", detail=f"no MessagePack: {error}"[:200]) from error
