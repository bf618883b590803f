"""The host: the software that serves a model and the CPU it runs on.

What a step takes beside large kernels is theirs, not the card's: one set of values fits cards of three generations.
"""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure


@frozen
class HostFigures:
    """One entry of `data/hosts.json`."""

    name: str
    us_per_layer: Figure
    host_ms_per_step: Figure
    host_us_per_sequence: Figure
    launch_us_per_layer: Figure


@frozen
class Host:
    """Host time, in seconds."""

    id: str
    name: str
    s_per_layer: float
    """What small kernels and the ends of large ones take per layer, on the GPU."""
    host_s_per_step: float
    host_s_per_sequence: float
    launch_s_per_layer: float
    """Launching a layer's kernels one by one; 0 where a CUDA graph does it. The GPU works meanwhile."""

    @classmethod
    def of(cls, id: str, figures: HostFigures) -> Host:
        """The host in base units."""
        return cls(
            id=id,
            name=figures.name,
            s_per_layer=figures.us_per_layer.value / 1e6,
            host_s_per_step=figures.host_ms_per_step.value / 1e3,
            host_s_per_sequence=figures.host_us_per_sequence.value / 1e6,
            launch_s_per_layer=figures.launch_us_per_layer.value / 1e6,
        )
