"""A GPU: datasheet figures, and how much of them is reached."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure
from engine.units import MIB


@frozen
class GpuFigures:
    """One entry of `data/gpus.json`."""

    name: str
    vram_mib: Figure
    bandwidth_gb_per_s: Figure
    tflops: Figure
    watts: Figure
    rent_usd_per_hour: Figure
    bandwidth_efficiency: Figure
    compute_efficiency: Figure
    half_efficiency_tokens: Figure
    host_ms_per_step: Figure
    host_us_per_sequence: Figure
    overhead_mib: Figure


@frozen
class Gpu:
    """A card as the physics sees it, in base units."""

    id: str
    name: str
    vram_bytes: int
    bandwidth_bytes_per_s: float
    flops: float
    rent_usd_per_hour: float
    bandwidth_efficiency: float
    compute_efficiency: float
    half_efficiency_tokens: float
    host_s_per_step: float
    host_s_per_sequence: float
    overhead_bytes: int
    """Memory that the driver, the context and the activations take."""

    @classmethod
    def of(cls, id: str, figures: GpuFigures) -> Gpu:
        """The card in base units."""
        return cls(
            id=id,
            name=figures.name,
            vram_bytes=round(figures.vram_mib.value * MIB),
            bandwidth_bytes_per_s=figures.bandwidth_gb_per_s.value * 1e9,
            flops=figures.tflops.value * 1e12,
            rent_usd_per_hour=figures.rent_usd_per_hour.value,
            bandwidth_efficiency=figures.bandwidth_efficiency.value,
            compute_efficiency=figures.compute_efficiency.value,
            half_efficiency_tokens=figures.half_efficiency_tokens.value,
            host_s_per_step=figures.host_ms_per_step.value / 1e3,
            host_s_per_sequence=figures.host_us_per_sequence.value / 1e6,
            overhead_bytes=round(figures.overhead_mib.value * MIB),
        )
