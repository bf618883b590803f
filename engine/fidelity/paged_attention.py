"""The memory figures of the PagedAttention paper (Kwon et al., SOSP 2023), from our allocators and scheduler.

OPT-13B on an A100 with 40 GB has room for the KV of 15.7K tokens. Orca gets each request a piece of it from a buddy
allocator: of the longest length that there is (Max), of the prompt and the answer's length rounded up to a power of two
(Pow2), or of the true length, which nobody can know (Oracle). vLLM hands out blocks of 16.

ShareGPT's lengths are not at hand: they are drawn log-normally, with the means that the paper states. The spread of the
answers is ours, from between 0.8 (which suits the batched requests of Orca) and 0.9 (which suits those of vLLM); that
of the prompts changes little. Requests always wait, as they do in the paper at two requests per second.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np

from engine.memory.arena import BuddyArena
from engine.memory.paged import PagedPool
from engine.memory.pool import KvPool
from engine.scheduling.scheduler import Scheduler
from engine.scheduling.sequence import Sequence

SLOTS = 15_700
LONGEST = 2_048
MEAN_PROMPT, MEAN_OUTPUT = 161.31, 337.99
SPREAD_PROMPT, SPREAD_OUTPUT = 1.3, 0.84
"""Of the logarithms."""
PAPER = {
    "orca-max": (7.00, 20.4, 8.9),
    "orca-pow2": (9.81, 26.8, 41.6),
    "orca-oracle": (13.62, 38.2, 36.6),
    "vllm": (30.42, 96.3, 0.0),
}
"""Average batched requests; shares of KV memory in %: token states, external fragmentation."""

Lengths = list[tuple[int, int]]


def power_of_two(tokens: int) -> int:
    """The next power of two."""
    return 1 << (tokens - 1).bit_length()


RESERVES: dict[str, Callable[[int, int], int]] = {
    "orca-max": lambda prompt, output: LONGEST,
    "orca-pow2": lambda prompt, output: min(prompt + power_of_two(output), LONGEST),
    "orca-oracle": lambda prompt, output: prompt + output,
}


def sharegpt(requests: int, seed: int) -> Lengths:
    """Prompt and answer lengths of the paper's means; what would be too long for the model is left out."""
    random = np.random.default_rng(seed)
    prompts, outputs = random.standard_normal((2, requests * 2))
    means = np.array([MEAN_PROMPT, MEAN_OUTPUT])
    for _ in range(10):  # the means are those of what is left
        log_means = np.log(means) - np.array([SPREAD_PROMPT, SPREAD_OUTPUT]) ** 2 / 2
        drawn = np.exp(log_means[:, None] + np.stack([prompts * SPREAD_PROMPT, outputs * SPREAD_OUTPUT]))
        drawn = np.maximum(drawn.round(), 1)
        left = drawn[:, np.flatnonzero(drawn.sum(axis=0) <= LONGEST)[:requests]]
        means *= np.array([MEAN_PROMPT, MEAN_OUTPUT]) / left.mean(axis=1)
    return [(int(prompt), int(output)) for prompt, output in left.T]


@attrs.define
class OrcaPool:
    """KV memory as Orca would have it: one piece of the buddy allocator for each request, by its policy."""

    lengths: Lengths
    reserve: Callable[[int, int], int]
    total: int = SLOTS
    block_size: int = 1
    grows: bool = False
    arena: BuddyArena = attrs.field(factory=lambda: BuddyArena(SLOTS))
    starts: dict[int, int] = attrs.field(factory=dict)

    @property
    def used(self) -> int:
        """Slots that requests have asked for, what the allocator adds to them left out."""
        used = 0
        for id in self.starts:
            used += self.reserve(*self.lengths[id])
        return used

    @property
    def free(self) -> int:
        """Only the allocator knows what still fits."""
        return SLOTS

    def blocks(self, tokens: int) -> int:
        """A block is a token."""
        return tokens

    def take(self, blocks: int, owner: int) -> bool:
        """One piece, by the policy."""
        if not blocks:
            return True
        start = self.arena.take(self.reserve(*self.lengths[owner]))
        if start is None:
            return False
        self.starts[owner] = start
        return True

    def give_back(self, blocks: int, owner: int, again: bool = False) -> None:
        """Free the piece."""
        if blocks:
            self.arena.give_back(self.starts.pop(owner))

    def take_back(self, owner: int) -> int:
        """Never anything."""
        return 0


def memory(policy: str, requests: int, seed: int = 1) -> tuple[float, float, float]:
    """Batched requests, and shares (%) of token states and of external fragmentation, on average over steps."""
    lengths = sharegpt(requests, seed)
    pool: KvPool
    if policy == "vllm":
        pool = PagedPool(SLOTS // 16)
    else:
        pool = OrcaPool(lengths, RESERVES[policy])
    scheduler = Scheduler(256, 2_560, pool)
    for id, (prompt, output) in enumerate(lengths):
        scheduler.add(Sequence(id, output, prompt))
    steps = batched = tokens = outside = 0.0
    while scheduler.waiting:  # from then on memory would empty
        step = scheduler.plan()
        assert step is not None
        weight, kv_tokens = step.repeats, step.kv_tokens + step.batch * (step.repeats - 1) / 2
        for chunk in step.chunks:
            kv_tokens += chunk.context + chunk.tokens
        steps += weight
        batched += weight * scheduler.running
        tokens += weight * kv_tokens
        outside += weight * (SLOTS - pool.used if policy != "vllm" else 0)
        scheduler.decoded(step.repeats)
        scheduler.prefilled(step.chunks)
    return batched / steps, 100 * tokens / steps / SLOTS, 100 * outside / steps / SLOTS
