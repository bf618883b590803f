"""A link between machines: its bandwidth and its latency per tile of belt."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure
from engine.units import PS_PER_MS, PS_PER_S


@frozen
class LinkFigures:
    """One entry of `data/links.json`."""

    name: str
    bandwidth_gb_per_s: Figure
    ms_per_tile: Figure


@frozen
class Link:
    """A link in base units."""

    id: str
    name: str
    bytes_per_s: int
    ps_per_tile: int

    @classmethod
    def of(cls, id: str, figures: LinkFigures) -> Link:
        """The link in base units."""
        return cls(
            id=id,
            name=figures.name,
            bytes_per_s=round(figures.bandwidth_gb_per_s.value * 1e9),
            ps_per_tile=round(figures.ms_per_tile.value * PS_PER_MS),
        )

    def wire_ps(self, payload_bytes: int) -> int:
        """Time that `payload_bytes` keep the wire busy."""
        return payload_bytes * PS_PER_S // self.bytes_per_s
