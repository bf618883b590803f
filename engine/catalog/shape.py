"""The shape of a transformer, and what follows from it by counting: parameters, and KV elements per token.

Counted tensor by tensor, so that the sums are exact; the tests hold them against the published totals.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Latent:
    """Multi-head latent attention (DeepSeek-AI, DeepSeek-V2, 2024): keys and values are kept compressed."""

    kv_rank: int
    query_rank: int
    """0: queries are not compressed."""
    rope_dim: int
    plain_dim: int
    """Part of a key without position."""
    value_dim: int


@frozen
class Experts:
    """A mixture of experts: a token goes through `per_token` of `count`, and through the shared ones."""

    count: int
    per_token: int
    width: int
    shared: int = 0
    dense_layers: int = 0
    """The first layers, which have an ordinary feed-forward part instead."""


@frozen
class Shape:
    """Sizes as in a model's `config.json`."""

    vocabulary: int
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    width: int
    """Of the dense feed-forward part."""
    tied: bool
    """The output head is the embedding table."""
    gated: bool = True
    """Three matrices a feed-forward part (SwiGLU), not two."""
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    norm_bias: bool = False
    head_norms: bool = False
    """Queries and keys are normalised per head."""
    positions: int = 0
    """Rows of a table of learned positions."""
    experts: Experts | None = None
    latent: Latent | None = None
    bytes_per_weight: float = 2

    @property
    def table(self) -> int:
        """Parameters of the embedding table; the output head has as many."""
        return self.vocabulary * self.hidden

    @property
    def looked_up(self) -> int:
        """Parameters that a step only looks up, and need not read: input embeddings, positions."""
        return (0 if self.tied else self.table) + self.positions * self.hidden

    @property
    def attention(self) -> int:
        """Parameters of one layer's attention."""
        if self.latent is not None:
            return self._latent_attention(self.latent)
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        weights = self.hidden * (queries + 2 * keys) + queries * self.hidden
        biases = (queries + 2 * keys) * self.qkv_bias + self.hidden * self.output_bias
        return weights + biases + 2 * self.head_dim * self.head_norms

    def _latent_attention(self, latent: Latent) -> int:
        key = latent.plain_dim + latent.rope_dim
        if latent.query_rank:
            queries = latent.query_rank * (self.hidden + 1 + self.heads * key)
        else:
            queries = self.hidden * self.heads * key
        down = self.hidden * (latent.kv_rank + latent.rope_dim) + latent.kv_rank
        up = latent.kv_rank * self.heads * (latent.plain_dim + latent.value_dim)
        return queries + down + up + self.heads * latent.value_dim * self.hidden

    def feed_forward(self, width: int) -> int:
        """Parameters of a feed-forward part, or an expert, of this width."""
        inward = 2 if self.gated else 1
        return (inward + 1) * self.hidden * width + (inward * width + self.hidden) * self.mlp_bias

    @property
    def expert_layers(self) -> int:
        """Layers with a mixture of experts."""
        return 0 if self.experts is None else self.layers - self.experts.dense_layers

    @property
    def expert_parameters(self) -> int:
        """Parameters of all routed experts of all layers."""
        if self.experts is None:
            return 0
        return self.expert_layers * self.experts.count * self.feed_forward(self.experts.width)

    @property
    def parameters(self) -> int:
        """All of them."""
        norms = self.hidden * (2 if self.norm_bias else 1)
        total = self.table * (1 if self.tied else 2) + self.positions * self.hidden + norms
        total += self.layers * (self.attention + 2 * norms)
        total += (self.layers - self.expert_layers) * self.feed_forward(self.width)
        if self.experts is not None:
            router = self.hidden * self.experts.count
            shared = self.feed_forward(self.experts.shared * self.experts.width) if self.experts.shared else 0
            total += self.expert_layers * (router + shared) + self.expert_parameters
        return total

    @property
    def multiplied(self) -> int:
        """Parameters that each token multiplies: no table, no output head, and of the experts only its own."""
        dense = self.parameters - self.looked_up - self.table - self.expert_parameters
        if self.experts is None:
            return dense
        return dense + self.expert_parameters * self.experts.per_token // self.experts.count

    @property
    def kv_elements(self) -> int:
        """Elements of KV cache per token and layer."""
        if self.latent is not None:
            return self.latent.kv_rank + self.latent.rope_dim
        return 2 * self.kv_heads * self.head_dim
