"""Static and continuous batches of the measured run; a long prompt in chunks."""

from __future__ import annotations

from collections.abc import Sequence

from engine import catalog
from engine.fidelity import data
from engine.fidelity.served import RUNS
from engine.fidelity.table import Row, Section, percent
from engine.memory.paged import PagedPool
from engine.physics.roofline import Deployment
from engine.scheduling.scheduler import Scheduler
from engine.serving.measured import read_meta, read_run
from engine.serving.records import Records
from engine.serving.server import Server
from engine.serving.settings import Settings, deploy, num_gpu_blocks
from engine.units import PS_PER_MS, PS_PER_S, as_seconds

RUN = RUNS[0]
_MODELS = "another small model of the same run (not measured)"
_MEASURED = "LLMServingSim's run of vLLM 0.19"
STREAMS, CONTEXT, PROMPT = 16, 900, 8_192


def tps(slots: int, static: bool, paged: bool, chunked: bool) -> float:
    """Tokens per second of the measured run by a server of the game, from the first arrival to the last token."""
    settings = read_meta(data.path(RUN.meta)).settings
    tokens = (settings.num_gpu_blocks or 0) * settings.block_size
    pool = PagedPool(tokens // 16, 16) if paged else PagedPool(tokens, 1, grows=False)
    scheduler = Scheduler(slots, settings.max_num_batched_tokens, pool, static=static, chunked=chunked)
    records = Records()
    trace = read_run(data.path(RUN.file)).trace
    Server(scheduler, deploy(RUN.gpu, "llama-3.1-8b"), trace.requests(), records, async_scheduling=False).run()
    return records.output_tokens * PS_PER_S / records.last_ps


def _batches() -> Sequence[Row]:
    rows = [
        (f"Static batches of {slots}", slots, (True, False, False), theirs, _MODELS)
        for slots, theirs in ((8, 332), (16, 582), (24, 765))
    ]
    rows.append(("Continuous, whole answers reserved", 256, (False, False, False), 0, "no such figure"))
    rows.append(("Continuous, in pages, prompts in chunks", 256, (False, True, True), 1_066, _MEASURED))
    found = []
    for what, slots, how, theirs, source in rows:
        ours = tps(slots, *how)
        told = (f"{theirs:,} tokens/s", percent(ours, theirs)) if theirs else ("-", "-")
        found.append((what, f"{ours:,.0f} tokens/s", *told, source))
    return found


def chunked(chunk: int) -> tuple[float, float]:
    """A long prompt beside streams that decode, in steps of so many tokens: the longest step (ms), and TTFT (s)."""
    deployment = Deployment(catalog.gpu(RUN.gpu), catalog.model("llama-3.1-8b"))
    done, whole, longest, kv_tokens = 0, 0, 0, STREAMS * CONTEXT
    while done < PROMPT:
        part = min(chunk - STREAMS, PROMPT - done)
        step = deployment.mixed(STREAMS, kv_tokens, [(part, done, done + part == PROMPT)]).step_ps
        done, whole, longest, kv_tokens = done + part, whole + step, max(longest, step), kv_tokens + STREAMS
    return longest / PS_PER_MS, as_seconds(whole)


def _chunks() -> Sequence[Row]:
    theirs = {8_192: (962, 0.96), 2_048: (276, 1.01), 1_024: (148, 1.07), 512: (83, 1.20), 256: (50, 1.46)}
    found = []
    for chunk, (their_ms, their_s) in theirs.items():
        ms, s = chunked(chunk)
        row = f"{ms:.0f} / {their_ms} ms", percent(ms, their_ms), f"{s:.2f} / {their_s:.2f} s", percent(s, their_s)
        found.append((f"Steps of {chunk:,} tokens", *row))
    return found


def _fit(answer: int) -> int:
    """Sequences with the measured run's mean prompt that an RTX 4090 has memory for."""
    blocks = num_gpu_blocks(deploy(RUN.gpu, "llama-3.1-8b"), Settings())
    return blocks * Settings().block_size // (857 + answer)


def _servers() -> Sequence[Row]:
    model = catalog.model("llama-3.1-8b")
    return [
        (
            "A static batch reserves the true length of each answer",
            "nobody knows it: servers reserve the longest that they allow, and fit fewer",
            f"of the measured run's mean lengths {_fit(652)} sequences fit; with 1,024 tokens for each answer "
            f"{_fit(1_024)}",
            "computed",
        ),
        (
            "A Model Server serves at once, with whatever model it is set to",
            "a server loads its weights first",
            f"{model.weight_bytes / 1e9:.0f} GB for {model.name}: {model.weight_bytes / 32e9:.1f} s over PCIe 4 at "
            f"best, {model.weight_bytes / 0.5e9:.0f} s from a disk of 0.5 GB/s",
            "computed",
        ),
        (
            "Model Servers on one card share its KV memory, in blocks that suit the largest model",
            "each has a fixed part (`gpu_memory_utilization`)",
            "a small model's KV takes as much as a large one's there",
            "a rule of the game",
        ),
    ]


SECTIONS = (
    Section(
        id="batches",
        title="Static and continuous batches",
        text="The measured run on an RTX 4090: 300 requests, output tokens per second from the first arrival to the "
        "last token. A static batch reserves whole answers.",
        header=("Scheduling", "ours", "theirs", "error", "source"),
        rows=_batches,
        data=(RUN.file, RUN.meta),
    ),
    Section(
        id="chunks",
        title="Long prompts in chunks",
        text=f"A prompt of {PROMPT:,} tokens beside {STREAMS} streams of {CONTEXT} tokens on an RTX 4090; ours / those "
        "of another small model, which takes small chunks to be less efficient. Neither is measured.",
        header=("", "longest step", "error", "TTFT", "error"),
        rows=_chunks,
    ),
    Section(
        id="servers",
        title="Simplified: Model Servers",
        header=("In the game", "In reality", "By how much", "Source"),
        rows=_servers,
    ),
)
