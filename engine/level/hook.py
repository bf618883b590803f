"""Hooks, declared: when a level's own code is called, what it is told, and what it may answer.

A hook is a function `do(run: Run) -> list[Effect] | None`. It is called at whole simulated seconds, only while somebody
plays; what it answers is recorded as a command, so that a replay never runs it. It sees figures and changes nothing by
itself: what it wants to happen, it returns as effects. Between calls it keeps nothing but `run.memory`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from engine.traffic.kinds import AnyTraffic

EVENTS = ("start", "crash", "goal_met", "goal_lost", "built", "end")
"""What a hook may wait for: the requests begin to come; a core ran out of memory; a goal was reached, or is no longer;
the player built something after the start; the run ends. Goals are judged from the end of the warm-up on.
"""
START, CRASH, GOAL_MET, GOAL_LOST, BUILT, END = EVENTS


# -- what a hook may answer --------------------------------------------------------------------------------------------


@frozen
class Message:
    """Tell the player something: a code of the level's `texts`, or words by language. `{name}` is filled from
    `params`.
    """

    text: str | dict[str, str]
    params: dict[str, int | float | str] = field(factory=dict)


@frozen
class ChangeTraffic:
    """From now on requests come so, at every Prompt Dock; a trace begins now."""

    traffic: AnyTraffic
    tenant: str = ""
    """Whose, where the level has tenants."""


@frozen
class BreakPad:
    """A card fails: its cores stop, and what they held loses its KV and goes back to its dock."""

    pad: int
    """Its index in the level's `pads`."""


@frozen
class RepairPad:
    """A card works again, empty."""

    pad: int
    """Its index in the level's `pads`."""


@frozen
class Grant:
    """The player may place more machines of a kind."""

    kind: str
    count: int = 1


@frozen
class Take:
    """The player may place fewer machines of a kind, at least none. What stands, stays."""

    kind: str
    count: int = 1


Effect = Message | ChangeTraffic | BreakPad | RepairPad | Grant | Take


# -- what a hook is told -----------------------------------------------------------------------------------------------


@frozen
class PadFigures:
    """A card, in the order of the level's `pads`."""

    vram: float
    """Share of its memory that is taken, 0 to 1."""
    broken: bool


@frozen
class GoalFigures:
    """A goal and how it stands."""

    metric: str
    value: float | None
    """None while nothing can be said."""
    met: bool
    tenant: str = ""
    """Whose requests it is about; "": all."""


@frozen
class MachineFigures:
    """A machine that stands on the floor, docks included."""

    kind: str
    x: int
    y: int
    pad: int
    """Its card; -1: none."""
    state: str
    """What it does or waits for: `idle`, `working`, `waiting_pad`, `waiting_memory`, `blocked`, `unconnected`,
    `crashed`, `broken`.
    """
    queue: int
    """Requests that wait in it."""
    settings: dict[str, int]


@frozen
class Happened:
    """Something that has happened in the last second."""

    event: str
    """One of `EVENTS`."""
    metric: str = ""
    """The goal, where it is one ..."""
    tenant: str = ""
    """... and whose requests that is about."""


@define
class Run:
    """The game at a whole simulated second. Plain data: reading is all that can be done, but for `memory`."""

    t_s: int
    """Simulated seconds since the start."""
    tps: float
    """Tokens per second delivered, over the last ten seconds."""
    ttft_p95_s: float | None
    """95th percentile of the time to first token over the last thirty seconds, in seconds; None: none yet."""
    queue: int
    """Requests that wait in front of a machine."""
    delivered: int
    """Tokens delivered so far."""
    pads: list[PadFigures]
    machines: list[MachineFigures]
    """In the order of their places."""
    left: dict[str, int]
    """How many more of each kind the player may place."""
    goals: list[GoalFigures]
    happened: list[Happened]
    memory: dict[str, Any] = field(factory=dict)
    """The hook's own, and the only thing that survives between calls: None, bool, int, float, str, and lists and maps
    (by str) of them, at most 4,000 characters as JSON. It may be changed in place.
    """

    def count(self, kind: str) -> int:
        """How many machines of a kind stand on the floor."""
        return [machine.kind for machine in self.machines].count(kind)


# -- when a hook is called ---------------------------------------------------------------------------------------------

Do = Callable[[Run], list[Effect] | None]


def _name(do: Any) -> str:
    return str(getattr(do, "__name__", ""))


@frozen
class Every:
    """Call a hook each time so many simulated seconds have passed."""

    seconds: int
    do: Do | None = field(default=None, eq=False)
    """None: its code is elsewhere (`engine.level.data`)."""
    name: str = ""
    """The function's name, if nothing else is given; unique in a level."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or _name(self.do))


@frozen
class At:
    """Call a hook once, at a simulated second (0: as the requests begin to come)."""

    second: int
    do: Do | None = field(default=None, eq=False)
    """None: its code is elsewhere (`engine.level.data`)."""
    name: str = ""
    """The function's name, if nothing else is given; unique in a level."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or _name(self.do))


@frozen
class On:
    """Call a hook at the next whole second after something has happened: one of `EVENTS`."""

    event: str
    do: Do | None = field(default=None, eq=False)
    """None: its code is elsewhere (`engine.level.data`)."""
    name: str = ""
    """The function's name, if nothing else is given; unique in a level."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or _name(self.do))


Hook = Every | At | On
