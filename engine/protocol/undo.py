"""Undo and redo: layouts to go back to. Going back is a new command at the present time, so a replay needs no stack.

The stacks are kept for every state of the list of commands, because a rewind cuts that list.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import msgpack
from attrs import frozen

from engine.errors import EngineError
from engine.floor.layout import MAX_JSON_BYTES, layout_to_data
from engine.protocol.commands import COMMAND_VERSION, give
from engine.simulation import Simulation

MOST = 500
"""How many changes can be undone."""


@frozen
class Stacks:
    """What could be undone and redone at a time."""

    commands: int
    """As many commands had been given."""
    undo: tuple[bytes, ...] = ()
    """Layouts, packed; the last is the one before the last change."""
    redo: tuple[bytes, ...] = ()


class Undo:
    """What can be undone and redone in one game."""

    def __init__(self, states: list[Stacks] | None = None) -> None:
        self._states = states or [Stacks(0)]

    @property
    def states(self) -> list[Stacks]:
        """For every change of a layout, the stacks after it; for saves."""
        return list(self._states)

    @property
    def undos(self) -> int:
        """How many changes can be undone."""
        return len(self._states[-1].undo)

    @property
    def redos(self) -> int:
        """How many changes can be redone."""
        return len(self._states[-1].redo)

    def give(self, simulation: Simulation, message: Any) -> dict[str, Any]:
        """Give a command, and remember the layout before it if it changes it; what the player is told."""
        return self._change(simulation, lambda: give(simulation, message), lambda now, before: (now.undo + before, ()))

    def undo(self, simulation: Simulation) -> dict[str, Any]:
        """Take the last change back; EngineError when there is none."""
        if not self.undos:
            raise EngineError("undo.nothing")
        return self._go(simulation, self._states[-1].undo[-1], lambda now, before: (now.undo[:-1], now.redo + before))

    def redo(self, simulation: Simulation) -> dict[str, Any]:
        """Make the change again that was undone last; EngineError when there is none."""
        if not self.redos:
            raise EngineError("redo.nothing")
        return self._go(simulation, self._states[-1].redo[-1], lambda now, before: (now.undo + before, now.redo[:-1]))

    def cut(self, commands: int) -> Undo:
        """As it was when `commands` commands had been given: for a game that was rewound to there."""
        known = [state for state in self._states if state.commands <= commands]
        return Undo(known or [Stacks(0)])

    def again(self, simulation: Simulation) -> Undo:
        """For `simulation`, a new game with the same layout."""
        last = self._states[-1]
        return Undo([Stacks(len(simulation.commands), last.undo, last.redo)])

    def _go(self, simulation: Simulation, packed: bytes, stacks: _NewStacks) -> dict[str, Any]:
        message = {"v": COMMAND_VERSION, "do": "layout", "layout": _unpacked(packed)}
        return self._change(simulation, lambda: give(simulation, message), stacks)

    def _change(
        self, simulation: Simulation, command: Callable[[], dict[str, Any]], stacks: _NewStacks
    ) -> dict[str, Any]:
        before = _packed(simulation)
        told = command()
        if _packed(simulation) != before:
            undo, redo = stacks(self._states[-1], (before,))
            self._states.append(Stacks(len(simulation.commands), undo[-MOST:], redo[-MOST:]))
        return told


_NewStacks = Callable[[Stacks, tuple[bytes, ...]], tuple[tuple[bytes, ...], tuple[bytes, ...]]]


def _packed(simulation: Simulation) -> bytes:
    return zlib.compress(msgpack.packb(layout_to_data(simulation.site.layout()), use_bin_type=True), 1)


def _unpacked(packed: bytes) -> Any:
    """What is in a save may come from anywhere; `give` checks the layout itself."""
    try:
        stream = zlib.decompressobj()
        plain = stream.decompress(packed, MAX_JSON_BYTES)
        if not stream.eof:
            raise EngineError("layout.malformed", detail="it is cut off, or far too large")
        return msgpack.unpackb(plain)
    except EngineError:
        raise
    except Exception as error:  # zlib's and msgpack's
        raise EngineError("layout.malformed", detail=str(error)[:100]) from error
