"""Sweeps: whole grids, the same rows in any order of work, nothing lost or mixed up by an interruption."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cli import sweep
from engine.cli.main import main
from engine.errors import EngineError
from engine.level.data import level_to_data
from engine.level.load import load
from engine.sweep.grid import Grid
from engine.sweep.job import ERROR, Job, identity, run_point
from engine.sweep.journal import ENDING, opened
from engine.sweep.pareto import Mean, front, means, pareto_page
from engine.sweep.table import write

ROOT = Path(__file__).resolve().parents[2]
GRID = Grid({"decode_core.max_num_seqs": [1, 4], "rate": [0.5, 1.0]}, seeds=2)
ARGUMENTS = ["sweep", "1", "--set", "decode_core.max_num_seqs=1,4", "--rate", "0.5,1", "--seeds", "2"]

Said = pytest.CaptureFixture[str]


def job() -> Job:
    level = load("1")
    return Job(json.dumps(level_to_data(level)), json.dumps({"reference": level.reference}), False)


# -- grids and runs ----------------------------------------------------------------------------------------------------


def test_a_grid_is_every_combination_on_every_seed() -> None:
    points = GRID.points()
    assert [point.number for point in points] == list(range(8))
    assert len({(tuple(point.values.values()), point.seed) for point in points}) == 8
    assert {point.seed for point in points} == {1, 2}


@pytest.mark.parametrize(
    ("grid", "code"),
    [
        (Grid({"rate": [float(n) for n in range(1, 500)]}, 1000), "sweep.points"),
        (Grid({}, 0), "sweep.seeds"),
        (Grid({}, 10**9), "sweep.seeds"),
    ],
)
def test_a_grid_without_end_is_refused(grid: Grid, code: str) -> None:
    with pytest.raises(EngineError, match=code):
        grid.points()


def test_a_run_in_a_sweep_is_the_run_of_the_command_line(capsys: Said) -> None:
    row = run_point(job(), GRID.points()[3])
    main(["run", "1", "--set", "decode_core.max_num_seqs=1", "--rate", "1", "--seed", "2", "--json"])
    alone = json.loads(capsys.readouterr().out)
    assert row[ERROR] == ""
    assert (row["hash"], row["window_tokens_per_s"]) == (alone["hash"], alone["tps"])
    assert row["ttft_p95_s"] == alone["latency_s"]["ttft"]["p95"]


def test_what_is_impossible_has_its_reason_in_its_row() -> None:
    (point,) = Grid({"count.decode_core": [150]}).points()
    row = run_point(job(), point)
    assert "no free ports" in str(row[ERROR])
    assert "tokens_per_s" not in row


def test_a_grid_is_known_by_all_that_its_results_depend_on() -> None:
    level = load("1")
    others = [
        (job(), GRID),
        (job(), Grid(GRID.axes, 3)),
        (job(), Grid({**GRID.axes, "rate": [0.5, 2.0]}, 2)),
        (Job(job().level, json.dumps({"reference": level.naive}), False), GRID),
        (Job(job().level.replace("llama-3.1-8b", "llama-3-8b"), job().layouts, False), GRID),
        (Job(job().level, job().layouts, True), GRID),
    ]
    assert len({identity(*each) for each in others}) == len(others)
    assert identity(job(), GRID) == identity(job(), GRID)


# -- interruptions -----------------------------------------------------------------------------------------------------


def test_a_line_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    out, file = tmp_path / "r.csv", tmp_path / f"r.csv{ENDING}"
    with opened(out, "grid", 3, fresh=False) as journal:
        journal.add(0, {"a": 1})
        journal.add(2, {"a": 3})
    whole = file.read_bytes()
    for cut in range(len(whole) + 1):
        file.write_bytes(whole[:cut])
        with opened(out, "grid", 3, fresh=False) as journal:
            kept = {0: {"a": 1}, 2: {"a": 3}}
            lines = max(whole[:cut].count(b"\n") - 1, 0)
            assert journal.rows == dict(list(kept.items())[:lines])
            for number, row in kept.items():
                if number not in journal.rows:
                    journal.add(number, row)
        assert file.read_bytes() == whole


def test_runs_of_another_grid_are_never_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "r.csv"
    with opened(out, "grid", 3, fresh=False) as journal:
        journal.add(0, {"a": 1})
        with pytest.raises(EngineError, match=r"sweep\.busy"), opened(out, "grid", 3, fresh=False):
            pass
    with pytest.raises(EngineError, match=r"sweep\.other"), opened(out, "another", 3, fresh=False):
        pass
    with opened(out, "another", 3, fresh=True) as journal:
        assert journal.rows == {}


@pytest.mark.parametrize("line", [b"nonsense", b"[]", b'{"point": 7, "row": {}}', b'{"point": 0, "row": 3}', b"\xff"])
def test_a_file_that_is_no_journal_is_not_touched(tmp_path: Path, line: bytes) -> None:
    out, file = tmp_path / "r.csv", tmp_path / f"r.csv{ENDING}"
    with opened(out, "grid", 3, fresh=False):
        pass
    content = file.read_bytes() + line + b"\n"
    file.write_bytes(content)
    with pytest.raises(EngineError, match=r"sweep\.journal"), opened(out, "grid", 3, fresh=False):
        pass
    assert file.read_bytes() == content


# -- results -----------------------------------------------------------------------------------------------------------


def test_results_are_the_same_as_csv_and_as_parquet(tmp_path: Path) -> None:
    rows = [{"rate": 0.5, ERROR: "", "tokens": 3, "passed": None}, {"rate": 1.0, ERROR: 'no, "room"'}]
    write(rows, tmp_path / "r.csv", "grid")
    write(rows, tmp_path / "r.parquet", "grid")
    with (tmp_path / "r.csv").open(newline="") as file:
        told = list(csv.DictReader(file))
    table = parquet.read_table(tmp_path / "r.parquet")
    assert table.column_names == list(told[0]) == ["rate", ERROR, "tokens", "passed"]
    assert [str("" if v is None else v) for v in table["tokens"].to_pylist()] == [row["tokens"] for row in told]
    assert table[ERROR].to_pylist() == [row[ERROR] for row in told]
    assert table.schema.metadata[b"token_factory.sweep"] == b"grid"


@given(st.lists(st.tuples(*[st.floats(0, 9)] * 3), max_size=30), st.sampled_from(["latency", "cost"]))
def test_a_front_is_all_that_nothing_beats(drawn: list[tuple[float, float, float]], price: str) -> None:
    points = [Mean({"n": number}, 1, *each) for number, each in enumerate(drawn)]

    def beats(one: Mean, other: Mean) -> bool:
        ours, theirs = (one.throughput, -getattr(one, price)), (other.throughput, -getattr(other, price))
        return ours[0] >= theirs[0] and ours[1] >= theirs[1] and ours != theirs

    wanted = {(p.throughput, getattr(p, price)) for p in points if not any(beats(other, p) for other in points)}
    assert {(p.throughput, getattr(p, price)) for p in front(points, price)} == wanted


def test_points_are_means_over_seeds_without_those_that_failed() -> None:
    figures = {"tokens_per_s": 10.0, "ttft_p95_s": 1.0, "usd_per_mtok": 2.0, ERROR: ""}
    rows: list[dict[str, Any]] = [
        {"rate": 1.0, **figures},
        {"rate": 1.0, **figures, "tokens_per_s": 20.0},
        {"rate": 2.0, **figures},
        {"rate": 2.0, ERROR: "no room"},
        {"rate": 3.0, **figures, "ttft_p95_s": None},
    ]
    (mean,) = means(rows, Grid({"rate": [1.0, 2.0, 3.0]}, 2), "ttft_p95_s")
    assert (mean.values, mean.seeds, mean.throughput) == ({"rate": 1.0}, 2, 15.0)
    page = pareto_page("<b>x</b>", [mean], "ttft_p95_s")
    assert "<b>x</b>" not in page
    assert "Throughput against cost" in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "r.xls"], ".csv or .parquet"),
        (["--out", "r.csv", "--rate", "0"], "is no change"),
        (["--out", "r.csv", "--rate", "1,1"], "is no change"),
        (["--out", "r.csv", "--seeds", "0"], "number of seeds"),
        (["--out", "/nowhere/r.csv"], "cannot be written"),
        (["--out", "r.csv", "--layout", "nowhere.json"], "nowhere.json"),
    ],
)
def test_bad_arguments_are_one_clear_line(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", "1", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_an_interrupted_sweep_says_what_is_kept_and_goes_on(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a cluster: the runs are made here."""
    made = []

    def some(job: Job, points: Any, done: Any, *_: Any) -> None:
        for point in points:
            if len(made) == 3:
                made.append(-1)
                raise KeyboardInterrupt
            made.append(point.number)
            done(point, run_point(job, point))

    monkeypatch.setattr(sweep, "run_all", some)
    arguments = [*ARGUMENTS, "--out", str(tmp_path / "r.csv")]
    assert main(arguments) == 130
    assert "3 of 8 runs are kept" in capsys.readouterr().err
    assert main(arguments) == 0
    assert sorted(made) == [-1, *range(8)]
    assert "not beaten" in capsys.readouterr().out
    before = (tmp_path / "r.csv").read_bytes()
    assert main(arguments) == 0  # nothing is left to do
    assert len(made) == 9
    assert (tmp_path / "r.csv").read_bytes() == before


# -- on Dask -----------------------------------------------------------------------------------------------------------


def started(out: Path, *more: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "engine", *ARGUMENTS, "--out", str(out), *more],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def rows_of(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


@pytest.mark.long
def test_a_sweep_that_is_killed_goes_on_and_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.parquet", tmp_path / "killed.parquet"
    assert started(whole).wait() == 0
    first = started(killed, "--workers", "1")
    journal = tmp_path / f"killed.parquet{ENDING}"
    while not journal.exists() or journal.read_bytes().count(b"\n") < 3:
        assert first.poll() is None, first.communicate()
        time.sleep(0.01)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    kept = journal.read_bytes().count(b"\n") - 1
    assert 2 <= kept < 8
    assert not killed.exists()
    second = started(killed)
    assert second.wait() == 0, second.communicate()
    assert journal.read_bytes().count(b"\n") == 9  # none was made twice
    assert rows_of(killed) == rows_of(whole)
    assert len(rows_of(whole)) == 8


@pytest.mark.long
def test_a_scheduler_of_ones_own_gives_the_same(tmp_path: Path) -> None:
    from distributed import LocalCluster

    alone, theirs = tmp_path / "alone.parquet", tmp_path / "theirs.parquet"
    assert started(alone, "--workers", "1").wait() == 0
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        sweep = started(theirs, "--scheduler", cluster.scheduler_address)
        assert sweep.wait() == 0, sweep.communicate()
    assert rows_of(theirs) == rows_of(alone)


@pytest.mark.long
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x"])
def test_a_scheduler_that_is_not_there_is_one_clear_line(tmp_path: Path, address: str) -> None:
    sweep = started(tmp_path / "r.csv", "--scheduler", address)
    _, error = sweep.communicate()
    assert sweep.returncode == 2
    assert "The Dask scheduler at" in error
    assert "Traceback" not in error
