"""How a model's memory follows from its shape: the equations, with their numbers."""

from __future__ import annotations

from engine.catalog.model import Model
from engine.catalog.shape import Shape

_GIB = 2**30


def equations(model: Model, shape: Shape) -> dict[str, str]:
    """Parameters, weights, what a step reads, KV bytes: each as an equation."""
    found = {
        "parameters": _parameters(shape),
        "weights": _weights(model),
        "read per step": _read(model, shape),
        "KV per token": _kv(model, shape),
    }
    if shape.experts is not None:
        found["experts read"] = _experts(model)
    return found


def _parameters(shape: Shape) -> str:
    tables = f"{'1' if shape.tied else '2'} x {shape.vocabulary:,} x {shape.hidden:,}"
    parts = [f"{tables} ({'table, also the head' if shape.tied else 'table and head'})"]
    parts.append(f"{shape.layers} layers x {shape.attention:,} (attention)")
    dense = shape.layers - shape.expert_layers
    if dense:
        parts.append(f"{dense} x {shape.feed_forward(shape.width):,} (feed forward)")
    if shape.experts is not None:
        each = shape.feed_forward(shape.experts.width)
        parts.append(f"{shape.expert_layers} x {shape.experts.count} experts x {each:,}")
        if shape.experts.shared:
            shared = shape.feed_forward(shape.experts.shared * shape.experts.width)
            parts.append(f"{shape.expert_layers} x {shared:,} (shared experts)")
        parts.append(f"{shape.expert_layers} x {shape.hidden * shape.experts.count:,} (router)")
    norm = shape.hidden * (2 if shape.norm_bias else 1)
    parts.append(f"{2 * shape.layers + 1} x {norm:,} (norms)")
    if shape.positions:
        parts.append(f"{shape.positions:,} x {shape.hidden:,} (positions)")
    return f"{' + '.join(parts)} = {shape.parameters:,}"


def _weights(model: Model) -> str:
    each = model.weight_bytes / model.parameters
    return (
        f"{model.parameters:,} x {each:.4g} bytes = {model.weight_bytes:,} bytes = {model.weight_bytes / _GIB:.2f} GiB"
    )


def _read(model: Model, shape: Shape) -> str:
    if not shape.looked_up:
        return f"all weights = {model.weight_bytes_read:,} bytes (the table is the head, too)"
    looked_up = model.weight_bytes - model.weight_bytes_read
    return f"weights - {looked_up:,} bytes only looked up (input embeddings) = {model.weight_bytes_read:,} bytes"


def _kv(model: Model, shape: Shape) -> str:
    if shape.latent is not None:
        elements = f"{shape.layers} layers x ({shape.latent.kv_rank} latent + {shape.latent.rope_dim} rotary)"
    else:
        elements = f"2 x {shape.layers} layers x {shape.kv_heads} KV heads x {shape.head_dim}"
    size = model.layers * model.kv_elements * model.kv_bytes_per_element
    return f"{elements} x {model.kv_bytes_per_element} bytes = {size:,} bytes = {size / 1024:.4g} KiB"


def _experts(model: Model) -> str:
    share = model.experts_per_token / model.experts
    shown = ", ".join(f"{1 - (1 - share) ** batch:.0%} at batch {batch}" for batch in (1, 16, 64))
    return f"1 - (1 - {model.experts_per_token}/{model.experts}) ^ batch = {shown}"
