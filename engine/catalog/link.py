"""A link between machines or GPUs: its bandwidth, its latency, and its latency per tile of belt."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure
from engine.units import PS_PER_MS, PS_PER_S


@frozen
class LinkFigures:
    """One entry of `data/links.json`."""

    name: str
    bandwidth_gb_per_s: Figure
    """One way."""
    latency_us: Figure
    all_reduce_efficiency: Figure
    ms_per_tile: Figure


@frozen
class Link:
    """A link in base units."""

    id: str
    name: str
    bytes_per_s: int
    """One way."""
    ps_per_tile: int
    latency_s: float
    """From one end to the other, without the payload."""
    all_reduce_efficiency: float
    """Share of the bandwidth that an all-reduce reaches."""

    @classmethod
    def of(cls, id: str, figures: LinkFigures) -> Link:
        """The link in base units."""
        return cls(
            id=id,
            name=figures.name,
            bytes_per_s=round(figures.bandwidth_gb_per_s.value * 1e9),
            ps_per_tile=round(figures.ms_per_tile.value * PS_PER_MS),
            latency_s=figures.latency_us.value / 1e6,
            all_reduce_efficiency=figures.all_reduce_efficiency.value,
        )

    def wire_ps(self, payload_bytes: int) -> int:
        """Time that `payload_bytes` keep the wire busy."""
        return payload_bytes * PS_PER_S // self.bytes_per_s

    def all_reduce_s(self, payload_bytes: float, members: int) -> float:
        """Seconds of a ring all-reduce of `payload_bytes` among `members` GPUs; 0 for one alone.

        A ring sends `2 (n - 1) / n` of the payload through each link (Patarasu and Yuan, JPDC 2009); small payloads
        are exchanged at once and take the latency.
        """
        if members == 1:
            return 0.0
        sent = 2 * (members - 1) / members * payload_bytes
        return self.latency_s + sent / (self.bytes_per_s * self.all_reduce_efficiency)
