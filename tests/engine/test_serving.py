"""Replaying runs and traces: exact to the picosecond however cut, close to what was measured, plain in refusal."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.main import main
from engine.errors import EngineError
from engine.memory.paged import PagedPool
from engine.metrics.seconds import PerSecond
from engine.scheduling.scheduler import Scheduler
from engine.serving.figures import accuracy, goodput, output_tokens_per_s, statistics, waterfall
from engine.serving.measured import read_meta, read_run
from engine.serving.records import Records
from engine.serving.replay import Replay, replay
from engine.serving.server import Server
from engine.serving.settings import Settings, deploy, num_gpu_blocks
from engine.serving.synthetic import CONVERSATION, Lengths, synthetic
from engine.serving.trace import Trace, read_trace
from engine.traffic.request import Request
from engine.units import PS_PER_MS, PS_PER_S
from tests.measured import measured

ON_4090 = deploy("rtx-4090", "llama-3.1-8b")
RUNS = {"rtx-4090": "RTX4090_Llama-3.1-8B", "rtx-pro-6000": "RTXPRO6000_Llama-3.1-8B"}
AZURE = "traces/azure_2023_conv_first5000.csv"
BLOCKS = 12


def small_traces() -> st.SearchStrategy[list[tuple[int, int, int]]]:
    """Arrival (ms), prompt and output tokens; the longest takes all of `BLOCKS`."""
    longest = BLOCKS * 16
    return st.lists(
        st.tuples(st.integers(0, 3_000), st.integers(1, longest // 2), st.integers(1, longest // 2)), max_size=14
    ).map(sorted)


class Keeping(Records):
    """Records that keep every request."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Request] = []

    def finished(self, request: Request) -> None:
        super().finished(request)
        self.all.append(request)


def small_server(rows: list[tuple[int, int, int]]) -> tuple[Server, Keeping]:
    requests = [Request(id, prompt, output, ms * PS_PER_MS, 0) for id, (ms, prompt, output) in enumerate(rows)]
    records = Keeping()
    return Server(Scheduler(4, 48, PagedPool(BLOCKS)), ON_4090, requests, records), records


def state(server: Server, records: Keeping) -> list[Any]:
    """Everything that a replay leaves behind."""
    requests = [attrs.astuple(request) for request in sorted(records.all, key=lambda one: one.id)]
    stepper = server.stepper
    return [requests, records.delivered.buckets, server.scheduler.preemptions, stepper.steps, stepper.spent]


@settings(max_examples=150, deadline=None)
@given(small_traces(), st.lists(st.integers(1, 4_000 * PS_PER_MS), max_size=60), st.booleans())
def test_a_replay_cut_anywhere_is_the_same_to_the_bit(
    rows: list[tuple[int, int, int]], pauses: list[int], cut: bool
) -> None:
    whole, kept = small_server(rows)
    whole.run()

    stepped, kept_stepped = small_server(rows)
    due = rows[0][0] * PS_PER_MS if rows else None
    while due is not None:
        stepped.stepper.settle(due)
        due = stepped.act(due)
        step = stepped.stepper.due_ps(step_by_step=True)
        due = due if step is None or due is None else min(due, step)

    paused, kept_paused = small_server(rows)
    due = rows[0][0] * PS_PER_MS if rows else None
    times = sorted(pauses)
    while due is not None:
        while times and times[0] < due:
            now = times.pop(0)
            paused.stepper.settle(now)
            paused.stepper.write()
            if cut:
                paused.stepper.cut(now)
            due = paused.act(now) or due
        due = paused.act(due)

    assert len(kept.all) == len(rows)
    assert state(whole, kept) == state(stepped, kept_stepped) == state(paused, kept_paused)


@settings(max_examples=150, deadline=None)
@given(small_traces())
def test_every_picosecond_of_a_request_has_a_cause(rows: list[tuple[int, int, int]]) -> None:
    server, records = small_server(rows)
    server.run()
    for request in records.all:
        assert sum(request.causes) == request.last_token_ps - request.arrival_ps
        assert min(request.causes) >= 0
        assert request.tokens == request.output_tokens
        assert request.arrival_ps < request.first_token_ps <= request.last_token_ps
    assert sum(records.causes) == sum(records.e2e_ps)
    assert sum(records.delivered.buckets) == sum(output for _, _, output in rows)
    assert server.scheduler.pool.used == 0
    assert records.open == {}


@settings(max_examples=100, deadline=None)
@given(
    small_traces(),
    st.builds(
        Settings,
        max_num_seqs=st.integers(1, 8),
        max_num_batched_tokens=st.integers(8, 100),
        block_size=st.integers(1, 40),
        num_gpu_blocks=st.integers(2, 200),
    ),
)
def test_whatever_the_settings_every_request_is_served_or_refused(
    rows: list[tuple[int, int, int]], some_settings: Settings
) -> None:
    trace = Trace("made up")
    for ms, prompt, output in rows:
        trace.add(1, ms, PS_PER_MS, prompt, output)
    if not rows:
        with pytest.raises(EngineError, match=r"trace\.empty"):
            trace.sort()
        return
    trace.sort()
    result = replay(trace, ON_4090, some_settings)
    assert len(result.records.e2e_ps) + result.refused == len(rows)
    assert sum(result.records.causes) == sum(result.records.e2e_ps)


def test_what_the_waterfall_says_of_a_preempted_request() -> None:
    """Two requests outgrow the memory: the later one is preempted, and the time until it is back has that cause."""
    server, records = small_server([(0, 90, 90), (0, 90, 90)])
    server.run()
    first, second = records.all
    assert server.scheduler.preemptions == 1
    assert second.causes[7] > 0
    assert first.causes[7] == 0
    assert second.longest_pause_ps >= second.causes[7]


@pytest.mark.parametrize("async_scheduling", [True, False])
def test_who_arrives_during_a_step_begins_with_the_next_but_one(async_scheduling: bool) -> None:
    """As a step is planned while the one before it runs; or with the next one, where that is not so."""

    def serve(second_ps: int, from_queued: bool) -> Request:
        requests = [Request(0, 20, 100, 0, 0), Request(1, 20, 5, second_ps, 0)]
        records = Keeping()
        Server(Scheduler(4, 48, PagedPool(BLOCKS)), ON_4090, requests, records, async_scheduling, from_queued).run()
        return next(request for request in records.all if request.id == 1)

    alone = ON_4090.mixed(0, 0, [(20, 0, True)]).step_ps
    cost = ON_4090.decode(1)
    third_ps = alone + cost.steps_ps(2, 21, 1)
    """When the third step of decoding begins; the request arrives in its middle."""
    arrival = third_ps + cost.steps_ps(1, 23, 1) // 2
    ends = third_ps + cost.steps_ps(1, 23, 1)
    starts = ends + cost.steps_ps(1, 24, 1) if async_scheduling else ends
    assert serve(arrival, False).prefill_start_ps == starts
    assert (serve(arrival, False).arrival_ps, serve(arrival, True).arrival_ps) == (arrival, ends)


# -- measured runs -----------------------------------------------------------------------------------------------------


def served(gpu: str) -> tuple[dict[str, Any], Replay]:
    path = measured(f"vllm_runs/{RUNS[gpu]}.jsonl")
    run, meta = read_run(path), read_meta(path.with_suffix(".meta.json"))
    result = replay(run.trace, deploy(gpu, "llama-3.1-8b"), meta.settings, measured=True)
    return accuracy(result.records, run), result


@pytest.mark.parametrize("gpu", RUNS)
def test_a_measured_run_comes_out_as_measured(gpu: str) -> None:
    errors, _ = served(gpu)
    for metric in ("ttft", "tpot", "e2e"):
        assert abs(errors[metric]["mean"]["error_pct"]) <= 3, errors
        assert abs(errors[metric]["p99"]["error_pct"]) <= 8, errors
    assert abs(errors["throughput"]["error_pct"]) <= 2, errors


def test_what_was_measured_is_read_as_it_is() -> None:
    """Against figures computed from the run apart from our reader."""
    errors, result = served("rtx-4090")
    assert errors["ttft"]["mean"]["measured"] == pytest.approx(65_457, abs=1)
    assert errors["tpot"]["mean"]["measured"] == pytest.approx(32.4, abs=0.05)
    assert errors["tpot"]["p99"]["measured"] == pytest.approx(56.0, abs=0.05)
    assert errors["e2e"]["mean"]["measured"] == pytest.approx(86_578, abs=1)
    assert errors["throughput"]["measured"] == pytest.approx(1_066, abs=1)
    assert result.num_gpu_blocks == 2_588
    assert 100 < result.preemptions < 300


def test_the_kv_capacity_of_a_measured_card_is_derived() -> None:
    assert num_gpu_blocks(deploy("rtx-4090", "llama-3.1-8b"), Settings()) == pytest.approx(2_588, rel=0.03)


def test_static_batches_are_as_slow_as_on_the_measured_run() -> None:
    """Tokens per second of batches that reserve the whole answer, against the same run served continuously."""
    trace = read_run(measured("vllm_runs/RTX4090_Llama-3.1-8B.jsonl")).trace

    def static(size: int) -> float:
        pool = PagedPool(2_587, grows=False)
        records = Records()
        Server(Scheduler(size, 1_000_000, pool, static=True), ON_4090, trace.requests(), records).run()
        return output_tokens_per_s(records)

    by_size = [static(size) for size in (8, 16, 24)]
    assert by_size == [pytest.approx(expected, rel=0.05) for expected in (332, 582, 765)]
    assert output_tokens_per_s(replay(trace, ON_4090, Settings(num_gpu_blocks=2_588)).records) > 1.25 * by_size[-1]


# -- figures -----------------------------------------------------------------------------------------------------------


def test_percentiles_are_those_of_the_field() -> None:
    values = list(range(1, 101))
    assert statistics(values) == pytest.approx({"mean": 50.5, "p50": 50.5, "p90": 90.1, "p99": 99.01})
    assert statistics([]) == {"mean": None, "p50": None, "p90": None, "p99": None}


def test_goodput_counts_requests_that_meet_every_limit() -> None:
    server, records = small_server([(0, 20, 30), (0, 40, 1), (100, 20, 90)])
    server.run()
    assert goodput(records, {})["requests"] == 3
    ttft = sorted(request.first_token_ps - request.arrival_ps for request in records.all)
    limits = {"ttft": ttft[1] / PS_PER_MS}
    assert goodput(records, limits)["requests"] == 2
    assert goodput(records, {**limits, "tpot": 0.001})["requests"] <= 1
    assert goodput(records, limits)["requests_per_s"] == pytest.approx(2 * PS_PER_S / records.last_ps)
    assert sum(waterfall(records).values()) == pytest.approx(1)


def test_throughput_counts_from_the_first_arrival() -> None:
    records = Records()
    records.output_tokens, records.last_ps = 100, 4 * PS_PER_S
    assert output_tokens_per_s(records) == 25


# -- traces ------------------------------------------------------------------------------------------------------------


def test_both_kinds_of_columns_and_any_order_are_read(tmp_path: Path) -> None:
    azure, mooncake = tmp_path / "azure.csv", tmp_path / "mooncake.csv"
    azure.write_text("arrived_at_s,prompt_tokens,output_tokens\n1700000002.5,7,2\n1700000001.25,374,44\n")
    mooncake.write_text("timestamp_ms,input_length,output_length,hash_ids_rle\n2500,7,2,0-3\n\n1250,374,44,5\n")
    for path in (azure, mooncake):
        trace = read_trace(path)
        assert [list(column) for column in (trace.arrival_ps, trace.prompt_tokens, trace.output_tokens)] == [
            [0, 1_250 * PS_PER_MS],
            [374, 7],
            [44, 2],
        ]


GOOD = "arrived_at_s,prompt_tokens,output_tokens\n0,5,5\n"
BROKEN_TRACES = {
    "trace.empty": GOOD.splitlines()[0] + "\n",
    "trace.columns": "when,what\n1,2\n",
    "trace.malformed": GOOD + "1,2\n",
    "trace.number": GOOD + "soon,2,3\n",
    "trace.range": GOOD + "1,0,3\n",
    "trace.span": GOOD + "1e9,2,3\n",
}


@pytest.mark.parametrize(("code", "text"), BROKEN_TRACES.items())
def test_a_broken_trace_is_refused_with_its_line(tmp_path: Path, code: str, text: str) -> None:
    path = tmp_path / "trace.csv"
    path.write_text(text)
    with pytest.raises(EngineError) as refused:
        read_trace(path)
    assert refused.value.code == code
    assert refused.value.params.get("line", 3) == 3


@pytest.mark.parametrize("cell", ["-1", "1.5", "nan", "inf", "1e300", "10000001", "0x10", ""])
def test_impossible_lengths_are_refused(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "trace.csv"
    path.write_text(f"{GOOD}1,{cell},3\n")
    with pytest.raises(EngineError, match=r"trace\.(range|number)"):
        read_trace(path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x00" * 50, b'"' + b"x" * 2_000_000])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "trace.csv"
    path.write_bytes(GOOD.encode() + content)
    with pytest.raises(EngineError, match=r"trace\."):
        read_trace(path)
    with pytest.raises(EngineError, match=r"trace\."):
        read_run(path)


LINE = {"input_toks": 5, "output_toks": 3, "queued_ts": 1.0, "first_token_ts": 1.1, "last_token_ts": 1.2}
BROKEN_LINES: dict[str, Any] = {
    "trace.field": {"output_toks": None},
    "trace.number": {"queued_ts": "1"},
    "trace.range": {"input_toks": 0},
    "trace.order": {"first_token_ts": 0.5},
}


@pytest.mark.parametrize(("code", "change"), BROKEN_LINES.items())
def test_a_broken_run_is_refused_with_its_line(tmp_path: Path, code: str, change: dict[str, Any]) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(f"{json.dumps(LINE)}\n{json.dumps(LINE | change)}\n")
    with pytest.raises(EngineError) as refused:
        read_run(path)
    assert (refused.value.code, refused.value.params["line"]) == (code, 2)


@pytest.mark.parametrize("text", ["{", "[1]", "3", "[" * 100_000, '{"input_toks": NaN}', '{"input_toks": true}'])
def test_a_line_that_is_no_request_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(EngineError, match=r"trace\."):
        read_run(path)


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=200) | st.text(alphabet='{}[]":,.eE+-0123456789 \ntulanfrsIiyoq_', max_size=200).map(str.encode)
)
def test_whatever_is_in_a_file_it_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "anything"
    for start in (b"", GOOD.encode(), json.dumps(LINE).encode() + b"\n"):
        path.write_bytes(start + content)
        for read in (read_trace, read_run, read_meta):
            with contextlib.suppress(EngineError):
                read(path)


def test_settings_come_from_the_meta_file(tmp_path: Path) -> None:
    path = tmp_path / "run.meta.json"
    path.write_text(
        json.dumps(
            {
                "engine_kwargs": {"max_num_seqs": 7, "tensor_parallel_size": 2, "max_num_batched_tokens": None},
                "resolved_config": {"scheduler_config": {"max_num_seqs": 9, "max_num_batched_tokens": 512}},
                "kv_cache": {"block_size": 32, "gpu_memory_utilization": 0.5, "num_gpu_blocks": None},
            }
        )
    )
    meta = read_meta(path)
    assert meta.settings == Settings(7, 512, 32, 0.5, None)
    assert meta.tensor_parallel == 2
    path.write_text('{"engine_kwargs": {"max_num_seqs": "many"}}')
    with pytest.raises(EngineError, match=r"meta\.field"):
        read_meta(path)
    path.write_text('{"kv_cache": {"gpu_memory_utilization": 1' + "0" * 400 + "}}")
    with pytest.raises(EngineError, match=r"meta\.field"):
        read_meta(path)
    path.write_text('{"engine_kwargs": {"data_parallel_size": 2}}')
    with pytest.raises(EngineError, match=r"meta\.parallel"):
        read_meta(path)
    path.write_text("no")
    with pytest.raises(EngineError, match=r"meta\.malformed"):
        read_meta(path)


IMPOSSIBLE: dict[str, Callable[[], object]] = {
    "serving.range": lambda: Settings(max_num_seqs=0),
    "serving.share": lambda: Settings(gpu_memory_utilization=float("nan")),
    "serving.budget": lambda: Settings(max_num_seqs=100, max_num_batched_tokens=99),
    "serving.split": lambda: deploy("a100-80gb", "llama-3-8b", 3),
    "serving.no_memory": lambda: num_gpu_blocks(deploy("l4", "llama-2-70b"), Settings()),
    "catalog.gpu": lambda: deploy("abacus", "llama-3-8b"),
    "catalog.link": lambda: deploy("a100-80gb", "llama-3-8b", 2, "string"),
}


@pytest.mark.parametrize(("code", "ask"), IMPOSSIBLE.items())
def test_impossible_settings_are_refused(code: str, ask: Callable[[], object]) -> None:
    with pytest.raises(EngineError) as refused:
        ask()
    assert refused.value.code == code


def test_requests_longer_than_all_memory_are_left_out_and_counted() -> None:
    trace = Trace("made up")
    for tokens in (100, 10_000, 300):
        trace.add(1, 0.0, PS_PER_S, tokens, 20)
    trace.sort()
    result = replay(trace, ON_4090, Settings(num_gpu_blocks=50))
    assert (result.refused, len(result.records.e2e_ps)) == (1, 2)
    with pytest.raises(EngineError, match=r"serving\.too_long"):
        replay(trace, ON_4090, Settings(num_gpu_blocks=50), measured=True)


def test_memory_does_not_grow_with_requests_beyond_their_figures() -> None:
    """What is kept of a request that is done: a few numbers, not the request."""
    trace = Trace("made up")
    for index in range(2_000):
        trace.add(1, index * 0.05, PS_PER_S, 50, 3)
    trace.sort()
    records = replay(trace, ON_4090, Settings()).records
    assert records.open == {}
    kept = [name for name, value in vars(records).items() if isinstance(value, list | dict) and len(value) > 10]
    assert kept == []
    assert isinstance(records.delivered, PerSecond)
    assert len(records.delivered.buckets) <= 2_000 * 0.05 + 2


def test_synthetic_traces_have_the_lengths_and_the_rate_asked_for() -> None:
    trace = synthetic(20_000, 5.0, Lengths(300, 0.5), Lengths(100, 1.0), seed=1)
    assert len(trace) == 20_000
    assert np.mean(trace.prompt_tokens) == pytest.approx(300, rel=0.03)
    assert np.mean(trace.output_tokens) == pytest.approx(100, rel=0.03)
    assert trace.arrival_ps[-1] / PS_PER_S == pytest.approx(4_000, rel=0.03)
    again = synthetic(20_000, 5.0, Lengths(300, 0.5), Lengths(100, 1.0), seed=1)
    assert (again.arrival_ps, again.prompt_tokens) == (trace.arrival_ps, trace.prompt_tokens)


def test_work_grows_linearly_with_requests_and_what_is_kept_does_not_grow() -> None:
    """Counted in events, since times depend on the machine."""

    class Counting(Server):
        events = 0

        def act(self, now: int) -> int | None:
            self.events += 1
            return super().act(now)

    per_request = []
    for requests in (1_000, 10_000):
        trace = synthetic(requests, 5.0, *CONVERSATION, seed=1)
        pool = PagedPool(20_000)
        server = Counting(Scheduler(256, 2_048, pool), deploy("a100-80gb", "llama-3-8b"), trace.requests(), Records())
        server.run()
        per_request.append(server.events / requests)
        assert len(pool._freed) <= 2
        assert len(pool._of) == len(server.stepper.joined) == len(server.scheduler._ends) == 0
        assert len(server.stepper.pauses.steps) <= 512
    assert per_request[1] == pytest.approx(per_request[0], rel=0.1)
    assert per_request[1] < 6


# -- the command line --------------------------------------------------------------------------------------------------


def test_validate_reports_every_figure_with_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    run = str(measured("vllm_runs/RTX4090_Llama-3.1-8B.jsonl"))
    assert main(["validate", run, "--gpu", "rtx-4090", "--model", "llama-3.1-8b", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    for metric in ("ttft", "tpot", "e2e"):
        for statistic in ("mean", "p50", "p90", "p99"):
            figures = result[metric][statistic]
            error = (figures["simulated"] / figures["measured"] - 1) * 100
            assert figures["error_pct"] == pytest.approx(error)
    assert set(result["throughput"]) == {"measured", "simulated", "error_pct"}
    assert result["clock"] == "queued_ts"
    assert (result["max_num_seqs"], result["num_gpu_blocks"], result["requests"]) == (256, 2_588, 300)
    assert result["wall_s"] > 0
    assert main(["validate", run, "--gpu", "rtx-4090", "--model", "llama-3.1-8b"]) == 0
    assert "TTFT p99" in capsys.readouterr().out


def test_simulate_reports_a_trace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    rows = "".join(f"{index * 0.3},{200 + index},{20 + index % 50}\n" for index in range(100))
    path.write_text("arrived_at_s,prompt_tokens,output_tokens\n" + rows)
    ask = ["simulate", str(path), "--gpu", "a100-80gb", "--model", "llama-3-8b", "--goodput", "ttft:100", "tpot:30"]
    assert main([*ask, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["requests"], result["refused"], result["preemptions"]) == (100, 0, 0)
    assert result["requests_per_s"] == pytest.approx(100 / result["wall_s"])
    assert sum(result["waterfall"].values()) == pytest.approx(1)
    assert 0 < result["ttft"]["p50"] <= result["ttft"]["p99"]
    assert result["goodput"]["limits_ms"] == {"ttft": 100, "tpot": 30}
    assert main(ask) == 0
    assert "goodput" in capsys.readouterr().out
    assert main([*ask, "--tp", "2", "--json"]) == 0
    faster = json.loads(capsys.readouterr().out)
    assert faster["link"] == "nvlink3"
    assert faster["tpot"]["mean"] < result["tpot"]["mean"]
    assert faster["num_gpu_blocks"] > result["num_gpu_blocks"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "nowhere.csv", "--gpu", "a100-80gb", "--model", "llama-3-8b"],
        ["simulate", __file__, "--gpu", "a100-80gb", "--model", "llama-3-8b"],
        ["simulate", "nowhere.csv", "--gpu", "a100-80gb", "--model", "llama-3-8b", "--goodput", "ttft"],
        ["simulate", "nowhere.csv", "--gpu", "a100-80gb", "--model", "llama-3-8b", "--max-num-seqs", "0"],
        ["validate", __file__, "--gpu", "a100-80gb", "--model", "llama-3-8b"],
        ["validate", ".", "--gpu", "a100-80gb", "--model", "llama-3-8b"],
        ["validate", "nowhere.jsonl", "--gpu", "a100-80gb", "--model", "nonesuch"],
    ],
)
def test_a_refusal_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("error: ")
    assert "{" not in captured.err


def test_a_whole_trace_runs_as_a_command() -> None:
    """As an engineer types it, in a process of its own, with all of the Azure excerpt."""
    command = [sys.executable, "-m", "engine", "simulate", str(measured(AZURE)), "--gpu", "a100-80gb"]
    done = subprocess.run([*command, "--model", "llama-3-8b", "--json"], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert result["requests"] == 5_000
    tokens = np.loadtxt(measured(AZURE), delimiter=",", skiprows=1)[:, 2].sum()
    assert result["throughput"]["output_tokens_per_s"] * result["simulated_s"] == pytest.approx(tokens)


def test_the_benchmark_replays_traces_of_growing_length(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "serving", "--requests", "10000", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == ["serving_1000_requests", "serving_10000_requests"]
    for figures in result.values():
        assert set(figures) == {"requests_per_s", "steps_per_s", "simulated_s_per_s", "us_per_request"}
        assert min(figures.values()) > 0
