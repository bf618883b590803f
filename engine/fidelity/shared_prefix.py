"""What sharing a prefix gains in the PagedAttention paper (Kwon et al., SOSP 2023, section 6.4), from our memory,
scheduler and step times.

LLaMA-13B on an A100 with 40 GB translates sentences (WMT16, English to German); each prompt begins with the same
instruction and one example (80 tokens) or five (341). vLLM keeps them once and computes only the sentence; Orca
(Oracle) computes and keeps them for each request, in a piece of the true length. The paper's gains are 1.67 and 3.58
times the requests.

OPT-13B stands in for LLaMA-13B: as many layers, as wide. The paper does not state the sentences' lengths: 30 tokens,
and 45 in German, which the tokenizer knows less well, are ours. Requests always wait.

How much of real prompts is found again is counted on a trace that names the blocks of its prompts (Mooncake).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine import catalog
from engine.fidelity.paged_attention import RESERVES, SLOTS, OrcaPool
from engine.memory.pool import KvPool
from engine.memory.shared import SharedPool
from engine.physics.roofline import Deployment
from engine.scheduling.scheduler import SEVERAL, Scheduler
from engine.scheduling.sequence import Sequence
from engine.units import PS_PER_S

PAPER = {80: 1.67, 341: 3.58}
"""Prefix tokens -> requests of vLLM for each one of Orca (Oracle)."""
SENTENCE, TRANSLATION = 30, 45
_REQUESTS = 1_200
TRACE_BLOCK = 512
"""Tokens of a block in the trace."""


def requests_per_s(prefix_tokens: int, shared: bool) -> float:
    """Requests that are served in a second while there are always some that wait."""
    prompt = prefix_tokens + SENTENCE
    pool: KvPool
    if shared:
        pool = SharedPool(SLOTS // 16)
    else:
        pool = OrcaPool([(prompt, TRANSLATION)] * _REQUESTS, RESERVES["orca-oracle"])
    scheduler = Scheduler(256, 2_560, pool)
    for id in range(_REQUESTS):
        scheduler.add(Sequence(id, TRANSLATION, prompt, prefix=0, prefix_tokens=prefix_tokens))
    deployment = Deployment(catalog.gpu("a100-40gb"), catalog.model("opt-13b"))
    ps = 0
    while scheduler.waiting:
        step = scheduler.plan()
        assert step is not None
        if step.chunks:
            chunks = [(chunk.tokens, chunk.context, chunk.last) for chunk in step.chunks]
            ps += deployment.mixed(step.batch, step.kv_tokens, chunks).step_ps
        else:
            ps += deployment.decode(step.batch).steps_ps(step.repeats, step.kv_tokens, step.batch)
        scheduler.decoded(step.repeats)
        scheduler.prefilled(step.chunks)
    return (_REQUESTS - scheduler.running) * PS_PER_S / ps


def gain(prefix_tokens: int) -> float:
    """How many times as many requests are served when the prefix is shared."""
    return requests_per_s(prefix_tokens, shared=True) / requests_per_s(prefix_tokens, shared=False)


def hit_ratio(requests: Iterable[Mapping[str, str]], blocks: int) -> float:
    """The share of prompt tokens that a memory of so many blocks finds again, one request after the other."""
    pool, asked, found = SharedPool(blocks, TRACE_BLOCK), 0, 0
    for request in requests:
        keys = [1 << 40 | key for run in request["hash_ids_rle"].split() for key in _run(run)]
        hit = pool.hold(keys)
        if not pool.take(len(keys) - hit, SEVERAL):
            raise MemoryError(f"a prompt of {len(keys)} blocks in a memory of {blocks}")
        pool.publish(keys[hit:], SEVERAL)
        pool.let_go(keys)
        asked += int(request["input_length"])
        found += min(hit * TRACE_BLOCK, int(request["input_length"]))
    return found / asked


def _run(run: str) -> Iterator[int]:
    """The block ids that `first-last` or a single number stands for."""
    first, _, last = run.partition("-")
    yield from range(int(first), int(last or first) + 1)
