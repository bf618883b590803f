"""How many bytes the KV cache takes."""

from __future__ import annotations

from engine.catalog.model import Model


def kv_bytes_per_token(model: Model) -> int:
    """Bytes of KV cache per token: `2 * layers * kv_heads * head_dim * bytes per element` (keys and values).

    Source: Kwon et al., PagedAttention, SOSP 2023, section 3.
    """
    return 2 * model.layers * model.kv_heads * model.head_dim * model.kv_bytes_per_element


def layer_kv_bytes(model: Model, tokens: int) -> int:
    """Bytes of one layer's KV for `tokens` tokens: what a link stores before it forwards it."""
    return kv_bytes_per_token(model) * tokens // model.layers
