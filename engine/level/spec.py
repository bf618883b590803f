"""A level, declared: floor, hardware, traffic, what may be built, goals, and a layout that wins."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from engine.traffic.arrivals import Traffic


@frozen
class PadSpec:
    """A GPU of the floor: a card of the catalog on a rectangle of tiles."""

    gpu: str
    x: int
    y: int
    width: int
    height: int


@frozen
class Dock:
    """A dock that the level places."""

    kind: str
    x: int
    y: int
    rotation: int = 0


@frozen
class Setting:
    """A setting of a machine kind; fixed where `low == high`."""

    value: int
    low: int
    high: int


@frozen
class Goal:
    """A metric and its bar: `tps` (tokens per second), `ttft_p95` or `pause_p95` (seconds)."""

    metric: str
    target: float
    at_least: bool = False


@frozen
class Level:
    """Everything about a level. Texts are codes: `level.<id>.title` and so on in the translations."""

    number: int
    id: str
    width: int
    height: int
    model: str
    link: str
    pads: list[PadSpec]
    docks: list[Dock]
    traffic: Traffic
    allowed: dict[str, int]
    """How many of each machine kind the player may place."""
    settings: dict[str, dict[str, Setting]]
    goals: list[Goal]
    warmup_s: int
    """Goals are judged from here, in simulated seconds ..."""
    end_s: int
    """... to here, where the run ends."""
    memory_utilization: float = 0.9
    """Share of a card's memory that may be used (vLLM's `gpu_memory_utilization`)."""
    reference: dict[str, Any] = field(factory=dict)
    """A layout that passes, as data."""
