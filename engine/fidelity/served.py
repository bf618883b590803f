"""Measured vLLM runs, served again."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from engine.fidelity import data
from engine.fidelity.table import Row, Section
from engine.serving.figures import METRICS, accuracy
from engine.serving.measured import read_meta, read_run
from engine.serving.replay import replay
from engine.serving.settings import deploy

_MODEL = "llama-3.1-8b"
_STATISTICS = ("mean", "p50", "p99")


@frozen
class MeasuredRun:
    """A run and the card of the catalog that it was made on."""

    file: str
    gpu: str

    @property
    def meta(self) -> str:
        """The file with its engine's settings."""
        return self.file.removesuffix(".jsonl") + ".meta.json"


RUNS = (
    MeasuredRun("vllm_runs/RTX4090_Llama-3.1-8B.jsonl", "rtx-4090"),
    MeasuredRun("vllm_runs/RTXPRO6000_Llama-3.1-8B.jsonl", "rtx-pro-6000"),
)


def errors(run: MeasuredRun) -> dict[str, Any]:
    """Per metric and statistic measured, simulated and error; `validate` computes the same."""
    measured = read_run(data.path(run.file))
    settings = read_meta(data.path(run.meta)).settings
    served = replay(measured.trace, deploy(run.gpu, _MODEL), settings, measured=True)
    return accuracy(served.records, measured)


def _rows() -> list[Row]:
    found = [errors(run) for run in RUNS]
    lines = []
    for metric in METRICS:
        for statistic in _STATISTICS:
            cells = [_cells(one[metric][statistic], "ms") for one in found]
            lines.append((f"{metric.upper()} {statistic}", *(cell for pair in cells for cell in pair)))
    cells = [_cells(one["throughput"], "tokens/s") for one in found]
    lines.append(("Throughput", *(cell for pair in cells for cell in pair)))
    return lines


def _cells(figures: dict[str, float], unit: str) -> tuple[str, str]:
    return f"{figures['simulated']:,.1f} / {figures['measured']:,.1f} {unit}", f"{figures['error_pct']:+.1f} %"


SECTION = Section(
    id="served",
    title="A server under load",
    text="Llama-3.1-8B by vLLM 0.19, 300 requests at 10 per second, with the run's own arrivals and lengths; ours / "
    "measured. Source: LLMServingSim, MIT, (c) 2024 CASYS Lab KAIST. The clock is the engine's: what the web server "
    "takes before (23 to 30 ms in these runs) is left out. The two cards' shares of bandwidth and arithmetic, and the "
    "host's times, were chosen within what these very runs allow: this says how well the rules can fit, not how well "
    "they foretell another card. Paths below start at the folder of measured data.",
    header=("", "RTX 4090", "error", "RTX PRO 6000", "error"),
    rows=_rows,
    data=tuple(name for run in RUNS for name in (run.file, run.meta)),
    commands=tuple(f"python -m engine validate {run.file} --gpu {run.gpu} --model {_MODEL}" for run in RUNS),
)
