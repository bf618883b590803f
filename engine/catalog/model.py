"""A language model: what its shape means for memory and time."""

from __future__ import annotations

from typing import Any

from attrs import evolve, field, frozen, validators

from engine.catalog.config import shape_of
from engine.catalog.figure import Figure
from engine.catalog.shape import Shape

_KV_BYTES_PER_ELEMENT = 2
_ACTIVATION_BYTES = 2
SIXTEEN_BIT, FP8 = "16-bit", "fp8"


@frozen
class ConfigFigures:
    """The lines of a published `config.json` that say a model's shape, where and when they were read."""

    values: dict[str, Any]
    source: str = field(validator=validators.min_len(3))
    date: str = field(validator=validators.matches_re(r"\d{4}-\d{2}(-\d{2})?"))


@frozen
class VariantFigures:
    """The same model with its weights in another format."""

    name: str
    size_gb: Figure
    table_bytes_per_weight: Figure | None = None
    """Of the embedding table; absent: what all weights take on average."""
    multiplies_in: str = field(default=SIXTEEN_BIT, validator=validators.in_((SIXTEEN_BIT, FP8)))
    """What the layers multiply in. Weights of fewer bits than that are widened first, and save memory alone."""


@frozen
class ModelFigures:
    """One entry of `data/models.json`."""

    name: str
    config: ConfigFigures
    variants: dict[str, VariantFigures] = field(factory=dict)


@frozen
class Model:
    """A model as the physics sees it."""

    id: str
    name: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    kv_elements: int
    """Elements of KV cache per token and layer."""
    kv_bytes_per_element: int
    activation_bytes: int
    """Per element of what layers hand on."""
    parameters: int
    weight_bytes: int
    """All weights, as they lie in memory."""
    weight_bytes_read: int
    """Weights that a step reads at most: all but the input embedding table, which is only looked up (unless it is the
    output head too)."""
    multiplied_parameters: int
    """Parameters that each token multiplies: without embedding table and output head, of the experts only its own."""
    head_parameters: int
    """Parameters of the output head, which only tokens that are sampled multiply."""
    expert_bytes: int = 0
    """Of `weight_bytes_read`, those of routed experts; 0 without experts."""
    experts: int = 1
    experts_per_token: int = 1
    kv_by_head: bool = True
    """KV is split by heads under tensor parallelism; latent KV is not: each GPU keeps all of it."""
    fp8: bool = False
    """The layers multiply FP8 numbers."""

    @classmethod
    def of(cls, id: str, figures: ModelFigures) -> Model:
        """The model with the weights as published."""
        shape = shape_of(figures.config.values, id)
        return cls.of_shape(id, figures.name, shape, shape.bytes_per_weight)

    @classmethod
    def of_variant(cls, id: str, figures: ModelFigures, variant: VariantFigures) -> Model:
        """The model in another format."""
        shape = shape_of(figures.config.values, id)
        size = variant.size_gb.value * 1e9
        name = f"{figures.name.split(' (')[0]} ({variant.name})"
        model = evolve(cls.of_shape(id, name, shape, size / shape.parameters), fp8=variant.multiplies_in == FP8)
        if variant.table_bytes_per_weight is None:
            return model
        return evolve(model, weight_bytes_read=round(size - shape.looked_up * variant.table_bytes_per_weight.value))

    @classmethod
    def of_shape(cls, id: str, name: str, shape: Shape, bytes_per_weight: float) -> Model:
        """What follows from a shape."""
        return cls(
            id=id,
            name=name,
            layers=shape.layers,
            hidden=shape.hidden,
            heads=shape.heads,
            kv_heads=shape.kv_heads,
            head_dim=shape.head_dim,
            kv_elements=shape.kv_elements,
            kv_bytes_per_element=_KV_BYTES_PER_ELEMENT,
            activation_bytes=_ACTIVATION_BYTES,
            parameters=shape.parameters,
            weight_bytes=round(shape.parameters * bytes_per_weight),
            weight_bytes_read=round((shape.parameters - shape.looked_up) * bytes_per_weight),
            multiplied_parameters=shape.multiplied,
            head_parameters=shape.table,
            expert_bytes=round(shape.expert_parameters * bytes_per_weight),
            experts=1 if shape.experts is None else shape.experts.count,
            experts_per_token=1 if shape.experts is None else shape.experts.per_token,
            kv_by_head=shape.latent is None,
        )

    def weight_bytes_read_by(self, tokens: int) -> float:
        """Weights that a step over `tokens` tokens reads, on average: experts that no token goes to are not read.

        With the router taken as even, a share `1 - (1 - k / n) ** tokens` of the experts is touched.
        """
        if not self.expert_bytes:
            return self.weight_bytes_read
        untouched: float = (1 - self.experts_per_token / self.experts) ** tokens
        return self.weight_bytes_read - self.expert_bytes * untouched

    def kv_share(self, tensor_parallel: int) -> float:
        """The share of KV that each of `tensor_parallel` GPUs keeps; heads are copied where there are too few."""
        return max(1 / tensor_parallel, 1 / self.kv_heads) if self.kv_by_head else 1.0
