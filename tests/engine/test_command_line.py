"""`python -m engine`: results as JSON, refusals as one clear line with exit status 2."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.level.load import load

ROOT = Path(__file__).resolve().parents[2]


def engine(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def layout(tmp_path: Path, data: Any) -> str:
    file = tmp_path / "layout.json"
    file.write_text(json.dumps(data))
    return str(file)


def test_the_levels_are_listed() -> None:
    result = engine("levels")
    assert result.returncode == 0
    assert "1  prefill_and_decode" in result.stdout


@pytest.mark.parametrize("level", ["1", "prefill_and_decode", "levels/level_1_prefill_and_decode.py"])
def test_a_run_tells_everything_as_json(level: str) -> None:
    result = engine("run", level, "--json", "--seed", "1")
    assert result.returncode == 0
    told = json.loads(result.stdout)
    assert told["passed"] is True
    for name in ("tps", "ttft_p95_s", "pause_p95_s", "tpot_mean_s", "sim_seconds"):
        assert isinstance(told[name], float), name
    assert told["sim_seconds"] == 240
    assert len(told["hash"]) == 32


def test_a_layout_that_misses_a_goal_ends_with_1(tmp_path: Path) -> None:
    data = json.loads(json.dumps(load("1").reference))
    data["machines"][1]["settings"] = {"max_num_seqs": 1}
    result = engine("run", "1", "--layout", layout(tmp_path, data), "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["failed"] == ["tps", "ttft_p95"]


def test_an_empty_layout_runs_and_delivers_nothing(tmp_path: Path) -> None:
    result = engine("run", "1", "--layout", layout(tmp_path, {"version": 1}), "--json")
    assert result.returncode == 1
    told = json.loads(result.stdout)
    assert (told["tps"], told["finished"], told["pause_p95_s"]) == (0, 0, None)


MACHINE = {"kind": "decode_core", "x": 6, "y": 4}
BELT_INTO_NOTHING = {
    "tiles": [[7, 4], [8, 4]],
    "from": {"x": 6, "y": 4, "port": "e"},
    "to": {"x": 9, "y": 9, "port": "w"},
}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"version": 1, "machines": [MACHINE, MACHINE]}, "stands here already (6, 4)"),
        ({"version": 1, "machines": [{**MACHINE, "kind": "teapot"}]}, "no machine called teapot"),
        ({"version": 1, "machines": [MACHINE], "belts": [BELT_INTO_NOTHING]}, "a machine that is not there"),
        ({"version": 9}, "version 9"),
        ([], "expected an object"),
    ],
)
def test_a_bad_layout_is_one_clear_line(tmp_path: Path, data: Any, said: str) -> None:
    refused(engine("run", "1", "--layout", layout(tmp_path, data)), said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "99"], "no level 99"),
        (["run", "nowhere.py"], "no level script nowhere.py"),
        (["run", "1", "--seed", "one"], "whole number"),
        (["run", "1", "--seed", "-1"], "whole number"),
        (["run", "1", "--seed", "4294967296"], "whole number"),
        (["run", "1", "--seed", "٣"], "whole number"),
        (["run", "1", "--layout", "nowhere.json"], "nowhere.json"),
        (["run", "1", "--layout", "/"], "cannot be read"),
    ],
)
def test_bad_arguments_are_one_clear_line(arguments: list[str], said: str) -> None:
    refused(engine(*arguments), said)


def test_a_level_script_that_breaks_is_one_clear_line(tmp_path: Path) -> None:
    script = tmp_path / "level_9.py"
    for text, said in (("1/0", "ZeroDivisionError"), ("LEVEL = 3", "no LEVEL"), ("def", "no Python")):
        script.write_text(text)
        refused(engine("run", str(script)), said)


@pytest.mark.parametrize("arguments", [["run", "1", "--speed", "3"], ["dance"], []])
def test_wrong_words_end_with_2_and_the_usage(arguments: list[str]) -> None:
    result = engine(*arguments)
    assert result.returncode == 2
    assert "usage:" in result.stderr


def refused(result: "subprocess.CompletedProcess[str]", said: str) -> None:
    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
