"""How many bytes the KV cache takes."""

from __future__ import annotations

from engine.catalog.model import Model


def kv_bytes_per_token(model: Model) -> int:
    """Bytes of KV cache per token: `2 * layers * kv_heads * head_dim * bytes per element` (keys and values).

    With latent attention `layers * (kv_rank + rope_dim) * bytes per element`. Sources: Kwon et al., PagedAttention,
    SOSP 2023, section 3; DeepSeek-AI, DeepSeek-V2, 2024, section 2.1.
    """
    return model.layers * model.kv_elements * model.kv_bytes_per_element


def layer_kv_bytes(model: Model, tokens: int) -> int:
    """Bytes of one layer's KV for `tokens` tokens: what a link stores before it forwards it."""
    return kv_bytes_per_token(model) * tokens // model.layers
