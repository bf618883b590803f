"""All plans of a small level: every number of machines, card, setting and hand-off, with at most one belt between two
machines; plans that differ only in the numbers of equal machines once.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb, prod

from engine.level.spec import Ban, Level
from engine.proof.plan import Part, Plan, Wires, allowed, carried, kinds_of, pads_for, sound, values, ways

_MOST_PAIRS = 12
"""Pairs of machines that could be connected; each doubles the number of choices."""


def all_plans(level: Level, ban: Ban | None, most: int) -> list[Plan] | None:
    """Every plan that `ban` or None when there are more than `most`."""
    found: dict[Plan, None] = {}
    wires: dict[tuple[str, ...], list[Wires] | None] = {}
    choices = _choices(level, ban, most)
    if choices is None:
        return None
    for groups in product(*choices):
        parts = tuple(part for group in groups for part in group)
        kinds = tuple(part.kind for part in parts)
        if kinds not in wires:
            wires[kinds] = _all_wires(level, parts)
        ways_to_connect = wires[kinds]
        if ways_to_connect is None:
            return None
        for connected, way in product(ways_to_connect, ways(ban)):
            found.setdefault(Plan(parts, connected, way).key(len(level.docks)))
        if len(found) > most:
            return None
    return list(found)


def _choices(level: Level, ban: Ban | None, most: int) -> list[list[tuple[Part, ...]]] | None:
    """Per kind, every choice of machines; None when there are too many."""
    singles: list[tuple[list[Part], int]] = []
    counts = []
    for kind, limit in allowed(level, ban).items():
        settings = level.settings.get(kind, {})
        options = [values(setting) for setting in settings.values()]
        different = len(pads_for(level, kind)) * prod(len(option) for option in options)
        counts.append(sum(comb(different + count - 1, count) for count in range(limit + 1)))
        if prod(counts) > most:
            return None
        parts = [
            Part(kind, pad, tuple(zip(settings, chosen, strict=True)))
            for pad in pads_for(level, kind)
            for chosen in product(*options)
        ]
        singles.append((parts, limit))
    return [
        [group for count in range(limit + 1) for group in combinations_with_replacement(parts, count)]
        for parts, limit in singles
    ]


def _all_wires(level: Level, parts: tuple[Part, ...]) -> list[Wires] | None:
    """Every sound choice of belts, which depends on the kinds alone; None when there are too many."""
    kinds = kinds_of(level, parts)
    pairs = [
        (source, target)
        for source, kind in enumerate(kinds)
        for target, other in enumerate(kinds)
        if source != target and carried(kind, other)
    ]
    if len(pairs) > _MOST_PAIRS:
        return None
    chosen = [tuple(pair for number, pair in enumerate(pairs) if mask >> number & 1) for mask in range(2 ** len(pairs))]
    return [wires for wires in chosen if sound(level, Plan(parts, wires))]
