"""A figure of the catalog: never a number without where it comes from."""

from __future__ import annotations

from attrs import field, frozen, validators


@frozen
class Figure:
    """A value, its source and the date (ISO, year and month at least) at which it was read."""

    value: float = field(validator=validators.ge(0))
    source: str = field(validator=validators.min_len(3))
    date: str = field(validator=validators.matches_re(r"\d{4}-\d{2}(-\d{2})?"))
