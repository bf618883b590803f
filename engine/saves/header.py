"""What can be read of a save or a recording without its game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgpack
from attrs import frozen

from engine.errors import EngineError
from engine.floor.layout import Layout, layout_from_data, layout_hash, layout_to_data, strict_converter
from engine.metrics.seconds import recent
from engine.results.stars import stars
from engine.simulation import BUILD, ENDED, MAX_SEED, RUNNING, Simulation
from engine.units import PS_PER_S
from engine.version import VERSION

_CONVERTER = strict_converter()
_DATE = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}")
_TEXT = re.compile(r"[^\x00-\x1f\x7f]{0,200}")
_MOST = 100
_MOST_DRAWN_BYTES = 20_000
"""Of a layout that lies in the header, to be drawn."""


@frozen
class SavedGoal:
    """A goal and whether it was met."""

    code: str
    met: bool


@frozen
class SavedMod:
    """A mod that the level comes from."""

    id: str
    version: str
    hash: str


@frozen
class Header:
    """Which game, and how far it is; of the tab that was shown."""

    game: str
    """The version that wrote it."""
    date: str
    """As the host says it: YYYY-MM-DD HH:MM."""
    level: str
    """Its key: an id of the game's own, `<mod>/<id>`, or the id of a level that lies in the file."""
    level_hash: str
    number: int
    titles: dict[str, str]
    """Language -> text, of a level that is none of the game's own."""
    mods: list[SavedMod]
    seed: int
    t_ps: int
    end_ps: int
    phase: str
    tps: float | None
    """Tokens per second over the last ten seconds; None before the start."""
    goals: list[SavedGoal]
    stars: list[str]
    """Those reached, of a run that has ended."""
    tabs: int
    layout_hash: str
    state_hash: str
    layout: dict[str, Any] | None = None
    """What stood there, for a picture of it; None where that is much."""


def header_of(
    simulation: Simulation, key: str, level_hash: str, own: bool, mods: Sequence[SavedMod], tabs: int, date: str
) -> Header:
    """That of a game; `own`: its level is one of the game's own."""
    level, ended = simulation.level, simulation.phase == ENDED
    layout: Layout = simulation.site.layout()
    first_s, window_ps = recent(simulation.now)
    delivered = simulation.floor.ledger.delivered
    tokens = delivered.total(first_s, len(delivered.buckets))
    title = f"level.{level.id}.title"
    texts = {} if own else level.texts
    return Header(
        game=VERSION,
        date=checked_time(date),
        level=key,
        level_hash=level_hash,
        number=level.number,
        titles={language: told[title] for language, told in texts.items() if title in told},
        mods=list(mods),
        seed=simulation.seed,
        t_ps=simulation.now,
        end_ps=simulation.end_ps,
        phase=simulation.phase,
        tps=None if simulation.phase == BUILD else tokens * PS_PER_S / window_ps,
        goals=[SavedGoal(f"goal.{judgement.goal.metric}", judgement.met) for judgement in simulation.judge()],
        stars=[star.name for star in stars(simulation) if star.reached] if ended else [],
        tabs=tabs,
        layout_hash=layout_hash(layout),
        state_hash=simulation.state_hash(),
        layout=_drawn(layout),
    )


def _drawn(layout: Layout) -> dict[str, Any] | None:
    data = layout_to_data(layout)
    return data if len(msgpack.packb(data)) <= _MOST_DRAWN_BYTES else None


def to_data(header: Header) -> dict[str, Any]:
    """As plain data."""
    data: dict[str, Any] = _CONVERTER.unstructure(header)
    return data


def from_data(data: dict[str, Any], file: str) -> Header:
    """Checked; EngineError `save.damaged`."""
    try:
        header = _CONVERTER.structure(data, Header)
    except Exception as error:  # cattrs raises what its hooks raise
        raise EngineError("save.damaged", file=file) from error
    texts = [header.game, header.level, header.level_hash, header.layout_hash, header.state_hash, *header.stars]
    texts += [goal.code for goal in header.goals] + [*header.titles, *header.titles.values()]
    texts += [text for mod in header.mods for text in (mod.id, mod.version, mod.hash)]
    fits = (
        len(texts) <= _MOST * 3
        and all(_TEXT.fullmatch(text) for text in texts)
        and (not header.date or _DATE.fullmatch(header.date) is not None)
        and 0 <= header.seed <= MAX_SEED
        and 0 <= header.t_ps <= header.end_ps < 2**63
        and abs(header.number) < 2**31
        and header.phase in (BUILD, RUNNING, ENDED)
    )
    if not fits:
        raise EngineError("save.damaged", file=file)
    try:
        if header.layout is not None:
            layout_from_data(header.layout)
    except EngineError as error:
        raise EngineError("save.damaged", file=file) from error
    return header


def checked_time(date: str) -> str:
    """A time as the host says it, or ""; EngineError unless it has the form YYYY-MM-DD HH:MM."""
    if date and not _DATE.fullmatch(date):
        raise EngineError("message.malformed", detail="a date is YYYY-MM-DD HH:MM")
    return date
