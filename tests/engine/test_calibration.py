"""`calibrate` finds the constants that a run was made with."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import catalog
from engine.cli.calibrate import CARD, CONSTANTS, calibrate, on, with_constants
from engine.cli.main import main
from engine.physics.roofline import Deployment
from engine.serving.records import Records
from engine.serving.replay import replay
from engine.serving.settings import Settings, deploy
from engine.serving.trace import Trace
from engine.units import PS_PER_S

TRUE = {"bandwidth_efficiency": 0.71, "compute_efficiency": 0.53}


def trace(requests: int = 120) -> Trace:
    """Prompts and answers of many lengths, faster than they can be served."""
    random = np.random.default_rng(3)
    made = Trace("made")
    for index in range(requests):
        prompt, answer = (int(number) for number in random.integers((64, 200), (2000, 500)))
        made.add(index + 1, index / 8, PS_PER_S, prompt, answer)
    made.sort()
    return made


def synthetic_run(folder: Path, constants: Mapping[str, float], settings: Settings) -> Path:
    """A run in the format of measured ones, served by a card with these constants."""
    base = deploy("rtx-4090", "llama-3.1-8b")
    deployment = on(base, with_constants(base.gpu, constants))
    rows = []
    for request, ttft, e2e in served(deployment, settings):
        queued = 1000 + request.arrival_ps / PS_PER_S
        rows.append(
            {
                "input_toks": request.prompt_tokens,
                "output_toks": request.output_tokens,
                "queued_ts": queued,
                "first_token_ts": queued + ttft / PS_PER_S,
                "last_token_ts": queued + e2e / PS_PER_S,
            }
        )
    path = folder / "made.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    kwargs = {"max_num_seqs": settings.max_num_seqs, "max_num_batched_tokens": settings.max_num_batched_tokens}
    meta = {"engine_kwargs": kwargs, "kv_cache": {"num_gpu_blocks": settings.num_gpu_blocks}}
    (folder / "made.meta.json").write_text(json.dumps(meta))
    return path


def served(deployment: Deployment, settings: Settings) -> list[tuple[Any, int, int]]:
    """Requests with their times, in the order in which they finish."""
    finished: list[tuple[Any, int, int]] = []

    class Watched(Records):
        def finished(self, request: Any) -> None:
            super().finished(request)
            finished.append((request, self.ttft_ps[-1], self.e2e_ps[-1]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.serving.replay.Records", Watched)
        replay(trace(), deployment, settings)
    return finished


def test_constants_are_found_again_from_errors_alone() -> None:
    """The search knows nothing of replays: it is given a function from constants to errors."""
    model = catalog.model("llama-3.1-8b")
    base = catalog.gpu("rtx-4090")

    def times(constants: Mapping[str, float]) -> dict[str, float]:
        deployment = Deployment(with_constants(base, constants), model)
        return {"ttft mean": deployment.prefill([2000]).step_ps, "tpot mean": deployment.decode(8).steps_ps(1, 8000, 8)}

    truth = times(TRUE)

    def errors(constants: Mapping[str, float]) -> dict[str, float]:
        return {name: (value / truth[name] - 1) * 100 for name, value in times(constants).items()}

    found = calibrate(errors, {"bandwidth_efficiency": 0.9, "compute_efficiency": 0.79})
    assert found.constants == pytest.approx(TRUE, rel=0.01)
    assert max(abs(error) for error in found.errors.values()) < 0.5


def test_the_command_finds_the_constants_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = synthetic_run(tmp_path, TRUE, Settings(max_num_seqs=32, num_gpu_blocks=2588))
    assert main(["calibrate", str(run), "--gpu", "rtx-4090", "--model", "llama-3.1-8b", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["constants"] == pytest.approx(TRUE, rel=0.03)
    assert max(abs(error) for error in result["error_pct"].values()) < 1.0
    assert max(abs(error) for error in result["shipped_error_pct"].values()) > 10
    assert result["overhead_mib"] == pytest.approx(1180, abs=1)


def test_it_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = synthetic_run(tmp_path, TRUE, Settings(max_num_seqs=32))
    arguments = ["--gpu", "rtx-4090", "--model", "llama-3.1-8b", "--fit", "compute_efficiency"]
    assert main(["calibrate", str(run), *arguments]) == 0
    printed = capsys.readouterr().out
    assert "compute_efficiency" in printed
    assert "bandwidth_efficiency" not in printed


def test_an_unknown_constant_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--gpu", "rtx-4090", "--model", "llama-3.1-8b", "--fit", "luck"]
    assert main(["calibrate", str(tmp_path / "run.jsonl"), *arguments]) == 2
    assert "luck" in capsys.readouterr().err


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_is_read_and_set_in_the_same_unit(name: str) -> None:
    card = with_constants(catalog.gpu("l4"), {name: 0.25})
    assert getattr(card, CONSTANTS[name].attribute) == pytest.approx(0.25 * CONSTANTS[name].per_unit)
    assert set(CARD) <= set(CONSTANTS)
