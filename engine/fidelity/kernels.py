"""Step times against measured kernels and token times."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from engine import catalog
from engine.catalog.gpu import Gpu
from engine.catalog.link import Link
from engine.catalog.model import Model
from engine.fidelity import data
from engine.fidelity.table import Row, Section, percent
from engine.physics.roofline import Deployment
from engine.units import PS_PER_MS

ITERATIONS = "iteration_times/a100_vidur.csv"
TOKENS = "splitwise_llama2_70b_a100.csv"
_MODELS = {"Llama-2-7b-hf": "llama-2-7b", "Llama-2-70b-hf": "llama-2-70b", "Meta-Llama-3-8B": "llama-3-8b"}
STREAMS = (
    ("rtx-pro-6000", 1500, 11.5, "the last request of the run above, alone"),
    ("h100-80gb", 200, 6.48, "yobitelcomm.github.io/bench, vLLM 0.21 (secondary)"),
    ("a100-40gb", 1024, 12.9, "johnmusgrave.com, vLLM 0.23: 75 tokens/s with the prompt's time (secondary)"),
)
"""Card, tokens before, measured ms per token."""
_BROKEN = (2, 64)
"""Cards and batch of a row whose prompt time is broken: the batch did not fit."""


def iteration_errors(phase: str, link: Link | None, fitted: bool = True) -> list[float]:
    """Errors (0.1: a tenth too slow) of a phase's kernel times on A100; all-reduces as measured, or as `link` says.

    Without `fitted`, by the card's datasheet alone.
    """
    card = catalog.gpu("a100-80gb").on(catalog.host("eager-2023"))
    card = evolve(card, host_s_per_step=0.0, host_s_per_sequence=0.0)
    if not fitted:
        card = evolve(card, bandwidth_efficiency=1.0, compute_efficiency=1.0, s_per_layer=0.0)
    found = []
    for row in data.rows(ITERATIONS):
        if row["phase"] == phase:
            found.append(_iteration_ms(row, card, link) / float(row["model_ms"]) - 1)
    return found


def _iteration_ms(row: dict[str, str], card: Gpu, link: Link | None) -> float:
    """The table leaves out embedding, output head and host."""
    model, cards = _headless(catalog.model(_MODELS[row["model"]])), int(row["tp"])
    deployment = Deployment(card, model, cards, link if cards > 1 else None)
    batch, context = int(row["batch"]), int(row["context"])
    if row["phase"] == "prefill":
        ms = deployment.mixed(0, 0, [(int(row["tokens"]), context, True)]).step_ps / PS_PER_MS
    else:
        ms = deployment.decode(batch).steps_ps(1, batch * context, batch) / PS_PER_MS
    if link is None and row["allreduce_x2"]:
        ms += float(row["allreduce_x2"]) * model.layers
    return ms


def _headless(model: Model) -> Model:
    head = 2 * model.head_parameters
    return evolve(model, weight_bytes_read=model.weight_bytes_read - head, head_parameters=0)


def token_errors(cards: int) -> list[float]:
    """Errors of token times of Llama-2-70B on so many A100, by an eager server of 2023."""
    model, host, link = catalog.model("llama-2-70b"), catalog.host("eager-2023"), catalog.link("nvlink3")
    deployment = Deployment(catalog.gpu("a100-80gb").on(host), model, cards, link, host.launch_s_per_layer)
    found = []
    for row in data.rows(TOKENS):
        batch = int(row["batch_size"])
        if (row["model"], row["hardware"], int(row["tensor_parallel"])) != ("llama2-70b", "a100-80gb", cards):
            continue
        if (cards, batch) != _BROKEN:
            context = int(row["prompt_size"]) + int(row["token_size"]) // 2
            ms = deployment.decode(batch).steps_ps(1, batch * context, batch) / PS_PER_MS
            found.append(ms / float(row["token_time"]) - 1)
    return found


def _row(name: str, found: Sequence[float], source: str) -> Row:
    size, total = [abs(error) for error in found], 0.0
    for error in size:
        total += error
    mean, worst = total / len(size), max(found, key=abs)
    return (name, str(len(found)), f"{mean * 100:.1f} %", f"{worst * 100:+.1f} %", source)


def _rows() -> list[Row]:
    vidur = "kernel times of Vidur (MIT, (c) Microsoft) and NVIDIA AIConfigurator (Apache-2.0)"
    nvlink = catalog.link("nvlink3")
    lines = []
    for phase in ("prefill", "decode"):
        lines.append(_row(f"{phase}, all-reduces as measured", iteration_errors(phase, None), vidur))
        lines.append(_row(f"{phase}, all-reduces of our link", iteration_errors(phase, nvlink), vidur))
        lines.append(_row(f"{phase}, by the datasheet alone", iteration_errors(phase, None, fitted=False), vidur))
    for cards in (2, 4, 8):
        name = f"token time, Llama-2-70B on {cards} cards"
        lines.append(_row(name, token_errors(cards), "Splitwise, ISCA 2024 (MIT, (c) 2024 Pratyush Patel)"))
    return lines


SECTION = Section(
    id="steps",
    title="A step",
    text="`max(sqrt(weights^2 + products^2) + attention + KV + layers + all-reduces, launches) + host`, on A100 with "
    "80 GB. The card's two shares, the time per layer and the host's times were fitted to these tables. Two sources of "
    "kernel times for the same card differ by 13 to 33 % in prefill and by up to 9 % in decode: to be nearer to one of "
    "them than that says little of the card.",
    header=("", "rows", "mean error", "worst row", "measured by"),
    rows=_rows,
    data=(ITERATIONS, TOKENS),
)


def stream_ms(gpu: str, context: int) -> float:
    """A decode step of Llama-3.1-8B for one sequence."""
    return Deployment(catalog.gpu(gpu), catalog.model("llama-3.1-8b")).decode(1).steps_ps(1, context, 1) / PS_PER_MS


def _stream_rows() -> list[Row]:
    lines: list[Row] = []
    for gpu, context, measured_ms, source in STREAMS:
        ours = stream_ms(gpu, context)
        lines.append((catalog.gpu(gpu).name, f"{ours:.2f} / {measured_ms:.2f} ms", percent(ours, measured_ms), source))
    return lines


STREAM_SECTION = Section(
    id="streams",
    title="One stream",
    text="A token of Llama-3.1-8B in 16 bits by vLLM, nobody else there; ours / measured.",
    header=("Card", "time per token", "error", "measured by"),
    rows=_stream_rows,
)
