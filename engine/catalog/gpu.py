"""A GPU: datasheet figures, and how much of them is reached."""

from __future__ import annotations

from attrs import evolve, frozen

from engine.catalog.costs import Costs
from engine.catalog.figure import Figure
from engine.catalog.host import Host
from engine.units import MIB


@frozen
class GpuFigures:
    """One entry of `data/gpus.json`. Two constants say how far the card falls short of its datasheet."""

    name: str
    vram_mib: Figure
    bandwidth_gb_per_s: Figure
    tflops: Figure
    """Dense, 16-bit (fp32 where a card has no faster 16-bit arithmetic), accumulated in 32 bits."""
    watts: Figure
    overhead_mib: Figure
    bandwidth_efficiency: Figure
    compute_efficiency: Figure
    price_usd: Figure | None = None
    rent_usd_per_hour: Figure | None = None
    """On demand."""
    rent_spot_usd_per_hour: Figure | None = None
    fp8_tflops: Figure | None = None
    """Dense; absent where a card has no 8-bit floating point arithmetic."""


@frozen
class Gpu:
    """A card as the physics sees it, in base units, with the host time of what serves on it."""

    id: str
    name: str
    vram_bytes: int
    bandwidth_bytes_per_s: float
    flops: float
    rent_usd_per_hour: float
    """On demand; where nobody rents the card out, what owning it costs (purchase and electricity)."""
    rent_spot_usd_per_hour: float | None
    price_usd: float | None
    peak_watts: float
    busy_watts: float
    idle_watts: float
    bandwidth_efficiency: float
    """Share of the bandwidth that reading weights and KV reaches."""
    compute_efficiency: float
    """Share of the arithmetic that large matrix products reach."""
    s_per_layer: float
    """What small kernels and the ends of large ones take per layer, whatever the batch: a matter of the software."""
    host_s_per_step: float
    host_s_per_sequence: float
    overhead_bytes: int
    """Memory that the driver, the context and the activations take."""
    fp8_speed_up: float = 1.0
    """How many times faster products of FP8 numbers are than of 16-bit ones; 1 where the card widens them first."""

    @classmethod
    def of(cls, id: str, figures: GpuFigures, host: Host, costs: Costs) -> Gpu:
        """The card in base units."""
        peak = figures.watts.value
        price = None if figures.price_usd is None else figures.price_usd.value
        spot = figures.rent_spot_usd_per_hour
        if figures.rent_usd_per_hour is not None:
            rent = figures.rent_usd_per_hour.value
        else:
            rent = costs.owned_usd_per_hour(price or 0.0, peak)
        return cls(
            id=id,
            name=figures.name,
            vram_bytes=round(figures.vram_mib.value * MIB),
            bandwidth_bytes_per_s=figures.bandwidth_gb_per_s.value * 1e9,
            flops=figures.tflops.value * 1e12,
            rent_usd_per_hour=rent,
            rent_spot_usd_per_hour=None if spot is None else spot.value,
            price_usd=price,
            peak_watts=peak,
            busy_watts=peak * costs.busy_power_share,
            idle_watts=peak * costs.idle_power_share,
            bandwidth_efficiency=figures.bandwidth_efficiency.value,
            compute_efficiency=figures.compute_efficiency.value,
            s_per_layer=host.s_per_layer,
            host_s_per_step=host.host_s_per_step,
            host_s_per_sequence=host.host_s_per_sequence,
            overhead_bytes=round(figures.overhead_mib.value * MIB),
            fp8_speed_up=1.0 if figures.fp8_tflops is None else figures.fp8_tflops.value / figures.tflops.value,
        )

    def on(self, host: Host) -> Gpu:
        """The same card under another host."""
        return evolve(
            self,
            s_per_layer=host.s_per_layer,
            host_s_per_step=host.host_s_per_step,
            host_s_per_sequence=host.host_s_per_sequence,
        )
