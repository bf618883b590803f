"""KV memory against what was published and measured."""

from __future__ import annotations

from engine import catalog
from engine.fidelity import data
from engine.fidelity.paged_attention import PAPER, SLOTS, memory
from engine.fidelity.served import RUNS
from engine.fidelity.shared_prefix import PAPER as GAINS
from engine.fidelity.shared_prefix import gain
from engine.fidelity.shared_prefix import hit_ratio as prefix_hits
from engine.fidelity.table import Row, Section, percent, points
from engine.physics.kv_cache import kv_bytes_per_token
from engine.serving.measured import read_meta
from engine.serving.settings import Settings, deploy, num_gpu_blocks

KIB_PER_TOKEN = {
    "llama-2-7b": 512,
    "llama-3.1-8b": 128,
    "llama-3.1-70b": 320,
    "qwen2.5-7b": 56,
    "qwen3-14b": 160,
    "qwen3-30b-a3b": 96,
    "mixtral-8x7b": 128,
    "mistral-nemo": 160,
    "codellama-34b": 192,
    "yi-34b": 240,
    "opt-13b": 800,
    "deepseek-v2-lite": 30.375,
}
"""Published for 16 bits."""
_REQUESTS = 1_500
CONVERSATIONS = "traces/mooncake_conversation_excerpt.csv"
_IDEAL = 36.6
"""Per cent of the prompts' tokens that a cache without end finds."""
_ENDLESS = 100_000
"""Blocks of 512 tokens: more than all of the trace."""
_NAMES = {"orca-max": "Orca (Max)", "orca-pow2": "Orca (Pow2)", "orca-oracle": "Orca (Oracle)", "vllm": "vLLM, pages"}


def capacity() -> tuple[int, int]:
    """KV blocks of 16 on the RTX 4090: derived, and measured."""
    settings = read_meta(data.path(RUNS[0].meta)).settings
    assert settings.num_gpu_blocks is not None
    deployment = deploy(RUNS[0].gpu, "llama-3.1-8b")
    derived = num_gpu_blocks(deployment, Settings(gpu_memory_utilization=settings.gpu_memory_utilization))
    return derived, settings.num_gpu_blocks


def exact_models() -> int:
    """Of how many models the KV bytes per token are those published."""
    return sum(kv_bytes_per_token(catalog.model(id)) == kib * 1024 for id, kib in KIB_PER_TOKEN.items())


def _capacity_rows() -> list[Row]:
    derived, measured = capacity()
    return [
        (
            "KV bytes per token, `2 * layers * kv_heads * head_dim * bytes`",
            f"{exact_models()} models exact",
            f"{len(KIB_PER_TOKEN)} models",
            "none",
            "published configurations",
        ),
        (
            "KV blocks of 16 that fit, Llama-3.1-8B on an RTX 4090",
            f"{derived:,}",
            f"{measured:,}",
            percent(derived, measured),
            "vLLM 0.19; the overhead of 1,180 MiB was derived from it, and is assumed on other cards",
        ),
    ]


def _paper_rows() -> list[Row]:
    lines: list[Row] = []
    for policy, (batched, tokens, external) in PAPER.items():
        ours = memory(policy, _REQUESTS)
        lines.append(
            (
                _NAMES[policy],
                f"{ours[0]:.2f} / {batched:.2f}",
                percent(ours[0], batched),
                f"{ours[1]:.1f} / {tokens:.1f} %",
                points(ours[1], tokens),
                f"{ours[2]:.1f} / {external:.1f} %",
                points(ours[2], external),
            )
        )
    return lines


def _shared_rows() -> list[Row]:
    source = "Kwon et al., SOSP 2023, section 6.4: requests, against Orca (Oracle)"
    lines: list[Row] = []
    for tokens, theirs in GAINS.items():
        ours = gain(tokens)
        times = f"{ours:.2f} times", f"{theirs:.2f} times", percent(ours, theirs)
        lines.append((f"A shared prefix of {tokens} tokens", *times, source))
    found = 100 * prefix_hits(data.rows(CONVERSATIONS), _ENDLESS)
    shares = f"{found:.1f} %", f"{_IDEAL:.1f} %", points(found, _IDEAL)
    return [
        *lines,
        ("Prompt tokens found again, endless memory", *shares, "Mooncake, Apache-2.0; theirs of the whole trace"),
    ]


CAPACITY = Section(
    id="capacity",
    title="What fits",
    header=("Rule", "ours", "measured", "error", "source"),
    rows=_capacity_rows,
    data=(RUNS[0].meta,),
    commands=("python -m engine catalog models",),
)
PAPER_FIGURES = Section(
    id="pages",
    title="Reservations and pages",
    text=f"OPT-13B on an A100 with 40 GB, room for {SLOTS:,} tokens, requests always waiting; ours / published. "
    "Source: Kwon et al., PagedAttention, SOSP 2023. ShareGPT's lengths are drawn log-normally "
    f"({_REQUESTS:,} requests) with the means that the paper states; their spread is ours, chosen between what suits "
    "Orca's and vLLM's figures.",
    header=("Memory", "batched requests", "error", "token states", "error", "external fragmentation", "error"),
    rows=_paper_rows,
)
SHARED = Section(
    id="sharing",
    title="Shared beginnings",
    text="A translator's prompts, each with the same instruction and examples, OPT-13B in place of LLaMA-13B on an "
    "A100 with 40 GB. The sentences' lengths (30 tokens, 45 in German) are ours, as the paper does not state them: "
    "with 20 and 30 the gains are 2.5 and 4.2, with 60 and 60 they are 1.5 and 2.5. Of Mooncake's conversations, the "
    "first 5,000 requests, of which the earliest find nothing.",
    header=("Rule", "ours", "published", "error", "source"),
    rows=_shared_rows,
    data=(CONVERSATIONS,),
)
