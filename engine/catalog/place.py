"""A place: what a kilowatt-hour costs a business there."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure


@frozen
class PlaceFigures:
    """One entry of `data/places.json`."""

    name: str
    usd_per_kwh: Figure


@frozen
class Place:
    """A place and its price of electricity."""

    id: str
    name: str
    usd_per_kwh: float

    @classmethod
    def of(cls, id: str, figures: PlaceFigures) -> Place:
        """The figures' values."""
        return cls(id, figures.name, figures.usd_per_kwh.value)
