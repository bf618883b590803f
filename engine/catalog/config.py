"""Reading a model's shape from a Hugging Face `config.json`, strictly.

A field that is missing, of a wrong type or out of bounds is refused by name, and so is an architecture whose parameters
could not be counted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.catalog.shape import Experts, Latent, Shape
from engine.errors import EngineError

MAX_BYTES = 256 * 1024
_MOST = 10_000_000
"""No size of a model is larger."""
_BYTES = {"bfloat16": 2, "float16": 2, "float32": 4}
KNOWN = ("deepseek_v2", "llama", "mistral", "mixtral", "opt", "qwen2", "qwen3", "qwen3_moe")


class _Fields:
    """Typed access to a config."""

    def __init__(self, raw: Mapping[str, Any], source: str) -> None:
        self.raw, self.source = raw, source

    def size(self, name: str, default: int | None = None, least: int = 1) -> int:
        """A whole number of at least `least`; absent or null: the default, if there is one."""
        value = self.raw.get(name)
        if value is None and default is not None:
            return default
        if type(value) is not int or not least <= value <= _MOST:
            raise EngineError("catalog.config_field", path=self.source, field=name)
        return value

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.raw.get(name, default)
        if type(value) is not bool:
            raise EngineError("catalog.config_field", path=self.source, field=name)
        return value


def read_config(path: Path) -> Shape:
    """The shape in a file; EngineError `catalog.config_*` when it cannot be used."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise EngineError("catalog.config_missing", path=str(path), detail=error.strerror or "") from error
    if len(data) > MAX_BYTES:
        raise EngineError("catalog.config_malformed", path=str(path), detail=f"larger than {MAX_BYTES} bytes")
    try:
        raw = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise EngineError("catalog.config_malformed", path=str(path), detail=str(error)[:200]) from error
    if not isinstance(raw, dict):
        raise EngineError("catalog.config_malformed", path=str(path), detail="not an object")
    return shape_of(raw, str(path))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def shape_of(raw: Mapping[str, Any], source: str) -> Shape:
    """The shape that a config describes; `source` is named in what is refused."""
    kind = raw.get("model_type")
    if kind not in KNOWN:
        raise EngineError("catalog.config_type", path=source, type=str(kind)[:40], known=", ".join(KNOWN))
    if raw.get("quantization_config") is not None:
        raise EngineError("catalog.config_quantized", path=source)
    fields = _Fields(raw, source)
    shape = _opt(fields) if kind == "opt" else _llama(fields, kind)
    if shape.heads % shape.kv_heads:
        raise EngineError("catalog.config_field", path=source, field="num_key_value_heads")
    return shape


def _bytes_per_weight(fields: _Fields) -> int:
    name = "dtype" if "dtype" in fields.raw else "torch_dtype"
    dtype = fields.raw.get(name)
    if not isinstance(dtype, str) or dtype not in _BYTES:
        raise EngineError("catalog.config_field", path=fields.source, field=name)
    return _BYTES[dtype]


def _head_dim(fields: _Fields, hidden: int, heads: int) -> int:
    if fields.raw.get("head_dim") is None and hidden % heads:
        raise EngineError("catalog.config_field", path=fields.source, field="num_attention_heads")
    return fields.size("head_dim", hidden // heads)


def _opt(fields: _Fields) -> Shape:
    """OPT: biases everywhere, learned positions (two more than there are tokens), the head is the table."""
    hidden, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    if fields.size("word_embed_proj_dim", hidden) != hidden:
        raise EngineError("catalog.config_field", path=fields.source, field="word_embed_proj_dim")
    return Shape(
        vocabulary=fields.size("vocab_size"),
        hidden=hidden,
        layers=fields.size("num_hidden_layers"),
        heads=heads,
        kv_heads=heads,
        head_dim=_head_dim(fields, hidden, heads),
        width=fields.size("ffn_dim"),
        tied=fields.flag("tie_word_embeddings", True),
        gated=False,
        qkv_bias=True,
        output_bias=True,
        mlp_bias=True,
        norm_bias=True,
        positions=fields.size("max_position_embeddings") + 2,
        bytes_per_weight=_bytes_per_weight(fields),
    )


def _llama(fields: _Fields, kind: str) -> Shape:
    hidden, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    bias = kind == "qwen2" or fields.flag("attention_bias", False)
    latent = _latent(fields) if kind == "deepseek_v2" else None
    return Shape(
        vocabulary=fields.size("vocab_size"),
        hidden=hidden,
        layers=fields.size("num_hidden_layers"),
        heads=heads,
        kv_heads=fields.size("num_key_value_heads", heads),
        # keys and values differ in width with latent attention; attention's work goes by their mean
        head_dim=_latent_dim(latent) if latent else _head_dim(fields, hidden, heads),
        width=fields.size("intermediate_size"),
        tied=fields.flag("tie_word_embeddings", False),
        qkv_bias=bias,
        output_bias=bias and kind != "qwen2",
        mlp_bias=kind == "llama" and fields.flag("mlp_bias", False),
        head_norms=kind in ("qwen3", "qwen3_moe"),
        experts=_experts(fields, kind),
        latent=latent,
        bytes_per_weight=_bytes_per_weight(fields),
    )


def _latent(fields: _Fields) -> Latent:
    return Latent(
        kv_rank=fields.size("kv_lora_rank"),
        query_rank=fields.size("q_lora_rank", 0),
        rope_dim=fields.size("qk_rope_head_dim"),
        plain_dim=fields.size("qk_nope_head_dim"),
        value_dim=fields.size("v_head_dim"),
    )


def _latent_dim(latent: Latent) -> int:
    return (latent.plain_dim + latent.rope_dim + latent.value_dim) // 2


def _experts(fields: _Fields, kind: str) -> Experts | None:
    if kind == "mixtral":
        experts = Experts(
            count=fields.size("num_local_experts"),
            per_token=fields.size("num_experts_per_tok"),
            width=fields.size("intermediate_size"),
        )
    elif kind == "qwen3_moe":
        if fields.raw.get("mlp_only_layers") or fields.size("decoder_sparse_step", 1) != 1:
            raise EngineError("catalog.config_field", path=fields.source, field="decoder_sparse_step")
        experts = Experts(
            count=fields.size("num_experts"),
            per_token=fields.size("num_experts_per_tok"),
            width=fields.size("moe_intermediate_size"),
        )
    elif kind == "deepseek_v2":
        if fields.size("moe_layer_freq", 1) != 1:
            raise EngineError("catalog.config_field", path=fields.source, field="moe_layer_freq")
        experts = Experts(
            count=fields.size("n_routed_experts"),
            per_token=fields.size("num_experts_per_tok"),
            width=fields.size("moe_intermediate_size"),
            shared=fields.size("n_shared_experts", 0),
            dense_layers=fields.size("first_k_dense_replace", 0, least=0),
        )
    else:
        return None
    if experts.per_token > experts.count:
        raise EngineError("catalog.config_field", path=fields.source, field="num_experts_per_tok")
    if experts.dense_layers > fields.size("num_hidden_layers"):
        raise EngineError("catalog.config_field", path=fields.source, field="first_k_dense_replace")
    return experts
