"""The settings of a serving engine, by vLLM's names, and how many KV blocks follow from them."""

from __future__ import annotations

from attrs import frozen

from engine import catalog
from engine.errors import EngineError
from engine.memory.paged import DEFAULT_BLOCK_SIZE
from engine.physics.kv_cache import kv_bytes_per_token
from engine.physics.roofline import Deployment

MAX_NUM_SEQS = 65_536
MAX_NUM_BATCHED_TOKENS = 1_048_576
MAX_BLOCK_SIZE = 1_024
MAX_NUM_GPU_BLOCKS = 10**9
MAX_TENSOR_PARALLEL = 64
_BOARD_LINKS = {
    "a100-40gb": "nvlink3",
    "a100-80gb": "nvlink3",
    "h100-80gb": "nvlink4",
    "h200": "nvlink4",
    "b200": "nvlink5",
    "rtx-pro-6000": "pcie5",
}
"""What joins these cards on their usual boards; others have PCIe 4."""


@frozen
class Settings:
    """What vLLM calls engine arguments; the defaults are its own."""

    max_num_seqs: int = 256
    max_num_batched_tokens: int = 2_048
    block_size: int = DEFAULT_BLOCK_SIZE
    gpu_memory_utilization: float = 0.9
    num_gpu_blocks: int | None = None
    """None: as many as fit beside weights and overhead."""
    async_scheduling: bool = True
    """Whether a step is planned while the one before it runs."""

    def __attrs_post_init__(self) -> None:
        _check("max_num_seqs", self.max_num_seqs, MAX_NUM_SEQS)
        _check("max_num_batched_tokens", self.max_num_batched_tokens, MAX_NUM_BATCHED_TOKENS)
        _check("block_size", self.block_size, MAX_BLOCK_SIZE)
        if self.num_gpu_blocks is not None:
            _check("num_gpu_blocks", self.num_gpu_blocks, MAX_NUM_GPU_BLOCKS, low=2)
        if not 0 < self.gpu_memory_utilization <= 1:
            raise EngineError("serving.share", name="gpu_memory_utilization")
        if self.max_num_batched_tokens < self.max_num_seqs:
            raise EngineError("serving.budget", tokens=self.max_num_batched_tokens, seqs=self.max_num_seqs)


def deploy(gpu: str, model: str, tensor_parallel: int = 1, link: str | None = None) -> Deployment:
    """A model of the catalog on cards of it; EngineError where they cannot go together.

    Several cards are joined by `link`, or else by the one that their boards have.
    """
    _check("tensor_parallel_size", tensor_parallel, MAX_TENSOR_PARALLEL)
    card, shape = catalog.gpu(gpu), catalog.model(model)
    if shape.heads % tensor_parallel:
        raise EngineError("serving.split", model=model, tensor_parallel=tensor_parallel, heads=shape.heads)
    joined = catalog.link(link or _BOARD_LINKS.get(gpu, "pcie4")) if tensor_parallel > 1 else None
    return Deployment(card, shape, tensor_parallel, joined)


def num_gpu_blocks(deployment: Deployment, settings: Settings) -> int:
    """KV blocks: those that the settings name, else what the used share of a card leaves beside weights and overhead.

    Under tensor parallelism each card holds its share of the weights and of every token's KV. EngineError
    `serving.no_memory` when fewer than two blocks are left: vLLM keeps one for itself.
    """
    if settings.num_gpu_blocks is not None:
        return settings.num_gpu_blocks
    card, model, cards = deployment.gpu, deployment.model, deployment.tensor_parallel
    usable = round(card.vram_bytes * settings.gpu_memory_utilization)
    taken = model.weight_bytes // cards + card.overhead_bytes
    block = kv_bytes_per_token(model) * model.kv_share(cards) * settings.block_size
    blocks = int((usable - taken) / block)
    if blocks < 2:
        gib = 2**30
        raise EngineError(
            "serving.no_memory",
            model=model.id,
            gpu=card.id,
            need=f"{taken / gib:.1f}",
            have=f"{usable / gib:.1f}",
        )
    return blocks


def _check(name: str, value: int, high: int, low: int = 1) -> None:
    if not low <= value <= high:
        raise EngineError("serving.range", name=name, low=low, high=high)
