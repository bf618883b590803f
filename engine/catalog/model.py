"""A language model: its shape, from which weights and KV bytes follow."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure


@frozen
class ModelFigures:
    """One entry of `data/models.json`."""

    name: str
    parameters: Figure
    vocabulary: Figure
    hidden: Figure
    layers: Figure
    heads: Figure
    kv_heads: Figure
    head_dim: Figure
    tied_embeddings: bool
    bytes_per_weight: Figure
    kv_bytes_per_element: Figure


@frozen
class Model:
    """A model as the physics sees it."""

    id: str
    name: str
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    kv_bytes_per_element: int
    weight_bytes: int
    """All weights, as they lie in memory."""
    weight_bytes_read: int
    """Weights that a step reads: all but the input embedding table, which is only looked up (unless it is the output
    head too)."""
    multiplied_parameters: int
    """Parameters that each token multiplies: without embedding table and output head."""

    @classmethod
    def of(cls, id: str, figures: ModelFigures) -> Model:
        """The model with what follows from its shape."""
        parameters = int(figures.parameters.value)
        table = int(figures.vocabulary.value) * int(figures.hidden.value)
        tied = figures.tied_embeddings
        return cls(
            id=id,
            name=figures.name,
            layers=int(figures.layers.value),
            heads=int(figures.heads.value),
            kv_heads=int(figures.kv_heads.value),
            head_dim=int(figures.head_dim.value),
            kv_bytes_per_element=int(figures.kv_bytes_per_element.value),
            weight_bytes=round(parameters * figures.bytes_per_weight.value),
            weight_bytes_read=round((parameters if tied else parameters - table) * figures.bytes_per_weight.value),
            multiplied_parameters=parameters - (table if tied else 2 * table),
        )
