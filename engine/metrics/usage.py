"""Whose work a card's time goes into.

A step serves several tenants at once: its time is shared out by the tokens that each has in it, prompt tokens and new
ones alike. What is shared out adds up to the whole, to the picosecond, however often somebody looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field


def share_out(total: int, parts: Mapping[int, int]) -> dict[int, int]:
    """`total` in proportion to `parts`, in whole numbers that add up to it; nothing where there are no parts."""
    whole, upto, given = 0, 0, 0
    for part in parts.values():
        whole += part
    shares = {}
    for name, part in parts.items() if whole else ():
        upto += part
        until = total * upto // whole
        shares[name] = until - given
        given = until
    return shares


@define
class Usage:
    """The time of one core's steps by tenant."""

    past: dict[int, int] = field(factory=dict)
    """Tenant -> picoseconds of the runs before this one."""
    tokens: dict[int, int] = field(factory=dict)
    """Tenant -> tokens that it has in each step of the present run."""
    open_ps: int = 0
    """How long the present run has worked by now."""

    def begin(self, tokens: dict[int, int]) -> None:
        """A run of equal steps begins."""
        self.past, self.tokens, self.open_ps = self.by_tenant(), dict(sorted(tokens.items())), 0

    def worked(self, ps: int) -> None:
        """More of the present run is over."""
        self.open_ps += ps

    def by_tenant(self) -> dict[int, int]:
        """Picoseconds of all steps that are over."""
        sums = dict(self.past)
        for tenant, ps in share_out(self.open_ps, self.tokens).items():
            sums[tenant] = sums.get(tenant, 0) + ps
        return dict(sorted(sums.items()))


def dump_usage(usage: Usage) -> list[Any]:
    """As plain data, names as numbers."""
    return [
        [list(entry) for entry in usage.past.items()],
        [list(entry) for entry in usage.tokens.items()],
        usage.open_ps,
    ]


def load_usage(data: list[Any]) -> Usage:
    """What `dump_usage` wrote."""
    past, tokens, open_ps = data
    return Usage(dict(past), dict(tokens), open_ps)
