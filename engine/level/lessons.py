"""What a level teaches, declared: the steps of its tutorial, and questions to answer before and after.

Texts are codes: `tutorial.<level>.<step>`, `question.<level>.<question>` with `.a`, `.b`, ... for its answers, and
`hint.<level>.<number>` in the translations. Conditions are the few kinds below and nothing else, so that a level stays
data; `engine.learning` knows how they stand.
"""

from __future__ import annotations

from attrs import field, frozen

ANY_PAD = -1


@frozen
class Placed:
    """A machine of a kind stands on a pad, or anywhere."""

    kind: str
    pad: int = ANY_PAD
    """`ANY_PAD`: anywhere."""
    apart: str = ""
    """A kind that must not stand on the same pad ..."""
    beside: str = ""
    """... and one that must."""
    at: tuple[int, int] = (-1, -1)
    """A good place for it, while it is free."""
    least: int = 1
    """How many there have to be."""


@frozen
class Linked:
    """A belt leads from a machine of a kind, which has its own input, to one of another."""

    source: str
    target: str
    apart: bool = False
    """Whether the two have to stand on different pads."""
    least: int = 1
    """How many such belts there have to be, each between two other machines."""


@frozen
class NotLinked:
    """No belt leads from a machine of a kind to one of another."""

    source: str
    target: str
    together: bool = False
    """Whether only belts between machines on the same pad matter."""


@frozen
class SettingAtLeast:
    """A machine of a kind has a setting of at least a value."""

    kind: str
    name: str
    value: int


@frozen
class SettingIs:
    """Every machine of a kind has a setting with just this value, and there is one."""

    kind: str
    name: str
    value: int


@frozen
class SettingOfOne:
    """A machine of a kind, whichever it is, has a setting with just this value."""

    kind: str
    name: str
    value: int
    at: tuple[int, int] = (-1, -1)
    """The one there should have it, while there is one."""


@frozen
class WayTo:
    """A Router's setting that names a way (`way_0`, ..., `fallback`) names one that leads to a machine of a kind."""

    setting: str
    target: str
    name: str = ""
    """A setting of that machine ..."""
    values: list[int] = field(factory=list)
    """... which has one of these values."""


@frozen
class Running:
    """The requests come, or the run is over."""


@frozen
class Elapsed:
    """So many simulated seconds have passed."""

    seconds: int


@frozen
class Crashed:
    """A core ran out of memory in this run."""


@frozen
class NotCrashed:
    """No core ran out of memory in this run, or the run has not begun."""


@frozen
class Unchanged:
    """Nothing was built since the run began: all of it counts for the factory as it stands."""


@frozen
class GoalMet:
    """A goal of the level, by its metric, is met by now."""

    metric: str


@frozen
class Told:
    """The view has told a fact: `panel:NAME` (open), `selected:KIND`, `tool:KIND` (in hand), `codex:PAGE` (open)."""

    fact: str


@frozen
class Won:
    """The run is over, and every goal is met."""


@frozen
class AnyOf:
    """One of several; the player is led to the first."""

    conditions: list[Condition]


@frozen
class AllOf:
    """All of several; the player is led to the first that does not hold yet."""

    conditions: list[Condition]


Condition = (
    Placed
    | Linked
    | NotLinked
    | SettingAtLeast
    | SettingIs
    | SettingOfOne
    | WayTo
    | Running
    | Elapsed
    | Crashed
    | NotCrashed
    | Unchanged
    | GoalMet
    | Told
    | Won
    | AnyOf
    | AllOf
)


@frozen
class Step:
    """One idea, and the player's own action that makes use of it."""

    id: str
    done: Condition
    params: list[str] = field(factory=list)
    """Figures of this factory (`engine.codex.figures`) that its text names."""


@frozen
class Question:
    """A question with a few answers, put before the level and again after it."""

    id: str
    answers: int
    """How many: a, b, c, ..."""
    right: int
    """The index of the right one."""
