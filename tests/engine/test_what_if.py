"""What an engineer asks of a layout from a terminal: traces, changes, reports, and the same in vLLM."""

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from plotly.offline import get_plotlyjs

from engine.cli.main import main
from engine.floor.layout import Layout, PlacedMachine, layout_from_data
from engine.level.load import campaign, load
from engine.level.spec import Setting, Tenant
from engine.protocol.play import play
from engine.what_if.changes import Changes, changed, described, from_described
from engine.what_if.commands import commands
from engine.what_if.play import run_traced
from engine.what_if.scale import rate
from engine.what_if.traced import read_recorded, traced

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "engine.md").read_text("utf-8")
HEADER = "arrival,prompt_tokens,output_tokens"
LABELLED = f"{HEADER},tenant,prefix,prefix_tokens"
EVIL = "<img src=x onerror=alert(1)>"

Said = pytest.CaptureFixture[str]


def trace(folder: Path, *lines: str, header: str = HEADER) -> str:
    path = folder / "trace.csv"
    path.write_text("\n".join([header, *lines]) + "\n")
    return str(path)


def told(capsys: Said, *arguments: str) -> Any:
    assert main(["run", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: Said, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    return said.err


# -- traces ------------------------------------------------------------------------------------------------------------


def test_a_trace_is_served_to_its_last_request(tmp_path: Path, capsys: Said) -> None:
    result = told(capsys, "1", "--trace", trace(tmp_path, "100,900,20", "103.5,700,1", "101,800,30"))
    assert result["trace"] | {"requests": 3, "arrived": 3, "finished": 3, "never_finished": 0} == result["trace"]
    assert (result["requests"], result["tokens"], result["passed"]) == (3, 51, None)
    assert sum(result["per_second"]["tokens"]) == 51
    assert 3.5 < result["trace"]["last_token_s"] <= result["sim_seconds"] < result["trace"]["last_token_s"] + 2
    assert result["trace"]["output_tokens_per_s"] == pytest.approx(51 / result["trace"]["last_token_s"])


def test_tenants_of_a_trace_are_told_apart_and_add_up(tmp_path: Path, capsys: Said) -> None:
    lines = ["0,900,20,chat,,", "0.1,800,10,chat,,", "0.2,3000,40,documents,,", "0.3,500,5,,,"]
    result = told(capsys, "1", "--trace", trace(tmp_path, *lines, header=LABELLED))
    rows = {row["tenant"]: (row["requests"], row["finished"], row["output_tokens"]) for row in result["by_tenant"]}
    assert rows == {"chat": (2, 2, 30), "documents": (1, 1, 40), "others": (1, 1, 5)}
    assert sum(row["output_tokens"] for row in result["by_tenant"]) == result["tokens"]


def test_prompts_of_a_prefix_begin_alike_and_others_do_not(tmp_path: Path) -> None:
    lines = ["0,900,2,a,x,64", "0.1,800,2,b,y,32", "0.2,300,2,a,x,64", "0.3,500,2,a,,"]
    recorded = read_recorded(Path(trace(tmp_path, *lines, header=LABELLED)))
    level, layout = reference("1")
    requests = run_traced(traced(level, recorded), 1, layout, None).floor.requests.values()
    assert [request.prefix_tokens for request in requests] == [64, 32, 64, 0]
    first, second, third, last = (request.prefix for request in requests)
    assert first == third != second
    assert last == -1


def test_a_tenant_that_the_level_knows_keeps_its_deadlines_and_its_place(tmp_path: Path) -> None:
    level = load("1")
    known = [Tenant("first", level.streams[0], ttft_s=1), Tenant("chat", level.streams[0], ttft_s=2, prefix_tokens=9)]
    recorded = read_recorded(Path(trace(tmp_path, "0,9,2,new,,", "1,8,2,chat,,", header=LABELLED)))
    tenants = traced(evolve(level, tenants=known), recorded).tenants
    assert [(each.id, each.ttft_s, each.prefix_tokens) for each in tenants] == [
        ("first", 1, 0),
        ("chat", 2, 0),
        ("new", 0, 0),
    ]


def test_a_measured_run_is_compared_with(tmp_path: Path, capsys: Said) -> None:
    run = tmp_path / "run.jsonl"
    first = {"input_toks": 500, "output_toks": 11, "queued_ts": 50.0, "first_token_ts": 50.5, "last_token_ts": 51.5}
    second = {**first, "queued_ts": 50.2, "first_token_ts": 50.9, "last_token_ts": 51.9}
    run.write_text("".join(json.dumps(row) + "\n" for row in (first, second)))
    measured = told(capsys, "1", "--trace", str(run))["trace"]["measured"]
    assert measured["ttft"]["mean"]["measured"] == pytest.approx(600)
    assert measured["tpot"]["mean"]["measured"] == pytest.approx(100)
    simulated = measured["tpot"]["mean"]["simulated"]
    assert measured["tpot"]["mean"]["error_pct"] == pytest.approx((simulated / 100 - 1) * 100)


def test_a_layout_that_gets_stuck_is_given_up_and_says_so(tmp_path: Path, capsys: Said) -> None:
    result = told(capsys, "1", "--trace", trace(tmp_path, "0,9000000,5", "5,10,3"))
    assert result["trace"]["never_finished"] == 2
    assert result["sim_seconds"] < 700


@pytest.mark.parametrize(
    ("header", "line", "said"),
    [
        (HEADER, "0,nan,3", "line 2: prompt_tokens has to be a number"),
        (HEADER, "inf,10,3", "line 2: arrival has to be a number"),
        (HEADER, "0,99999999999,3", "whole number from 1 to"),
        (HEADER, "0,1.5,3", "whole number from 1 to"),
        (HEADER, "0,10", "line 2: this is not a request"),
        (HEADER, "0,10,3\n90000,10,3", "more than 1 days"),
        ("arrival,tokens", "0,10", "lacks the columns"),
        (HEADER + ",prefix", "0,10,3,a", "prefix, prefix_tokens"),
        (LABELLED, "0,10,3,a,b,11", "prefix_tokens has to be a whole number from 0 to 10"),
        (LABELLED, "0,10,3,a,,5", "prefix_tokens has to be a whole number from 0 to 0"),
        (LABELLED, f"0,10,3,{'x' * 61},,", "a name of at most 60"),
        (LABELLED, "0,10,3,a\x1b[31m,,", "a name of at most 60"),
        (LABELLED, "\n".join(f"{n},10,3,t{n},," for n in range(6)), "more than 5 tenants"),
    ],
)
def test_a_hostile_trace_is_one_clear_line(tmp_path: Path, capsys: Said, header: str, line: str, said: str) -> None:
    assert said in refused(capsys, "run", "1", "--trace", trace(tmp_path, line, header=header))


def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path, capsys: Said) -> None:
    path = tmp_path / "endless.csv"
    with path.open("wb") as file:
        file.truncate(3_000_000_000)  # takes no room on the disk
    assert "not a request" in refused(capsys, "run", "1", "--trace", str(path))


# -- changes -----------------------------------------------------------------------------------------------------------


def reference(number: str) -> tuple[Any, Layout]:
    level = load(number)
    return level, layout_from_data(level.reference)


def test_nothing_changed_is_the_same_run_to_the_bit() -> None:
    level, layout = reference("1")
    same = changed(level, layout, Changes(settings={"decode_core.max_num_seqs": 4}, rate=rate(level)))
    hashes = {play(*each, checkpoints=kept).state_hash() for each in ((level, 1, layout),) for kept in (True, False)}
    assert len(hashes) == 1
    run = play(same[0], 1, same[1])
    before = play(level, 1, layout)
    assert (run.tokens(), run.score().ttft_p95_ps) == (before.tokens(), before.score().ttft_p95_ps)


def test_settings_go_beyond_what_the_level_allows(capsys: Said) -> None:
    most = load("1").settings["decode_core"]["max_num_seqs"].high
    main(["run", "1", "--set", f"decode_core.max_num_seqs={most * 4}", "--gpu", "h200", "--json"])
    result = json.loads(capsys.readouterr().out)
    assert result["what_if"] == {"decode_core.max_num_seqs": most * 4, "gpu": "h200"}
    assert {pad["gpu"] for pad in result["pads"]} == {"h200"}


def test_machines_are_added_and_taken_away() -> None:
    level, layout = reference("1")
    more, two = changed(level, layout, Changes(counts={"decode_core": 2}))
    assert [machine.kind for machine in two.machines].count("decode_core") == 2
    assert play(more, 1, two).score().finished > 0
    again = changed(more, two, Changes(counts={"decode_core": 1}))[1]
    assert len(again.machines) == len(layout.machines)
    assert len(again.belts) == len(layout.belts)


def test_changes_survive_being_told() -> None:
    changes = Changes({"decode_core@6,4.max_num_seqs": 8}, {"decode_core": 2}, "h200", "llama-3.2-1b", "10gbe", 1.5)
    assert from_described(described(changes)) == changes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "decode_core.max_num_seqs"], "is no change"),
        (["--set", "decode_core.max_num_seqs=-1"], "is no change"),
        (["--set", "decode_core.max_num_seqs=1,2"], "sweep takes several"),
        (["--set", "decode_core.teapots=1"], "has no setting called teapots"),
        (["--set", "teapot.size=1"], "no machine called teapot"),
        (["--set", "decode_core@0,0.max_num_seqs=1"], "no machine for decode_core@0,0"),
        (["--set", "decode_core.max_num_seqs=0"], "from 1 to"),
        (["--count", "decode_core=150"], "no free ports"),
        (["--count", "teapot=1"], "no machine called teapot"),
        (["--rate", "nan"], "is no change"),
        (["--rate", "1e9"], "at most 100"),
        (["--gpu", "abacus"], "abacus"),
        (["--model", "eliza"], "eliza"),
    ],
)
def test_an_impossible_change_is_one_clear_line(capsys: Said, arguments: list[str], said: str) -> None:
    assert said in refused(capsys, "run", "1", *arguments)


# -- reports -----------------------------------------------------------------------------------------------------------


def test_the_page_has_all_plots_needs_no_network_and_escapes_what_comes_from_outside(
    tmp_path: Path, capsys: Said
) -> None:
    path = trace(tmp_path, f"0,900,20,{EVIL},,", "1,900,20,b,,", header=LABELLED)
    page = tmp_path / "page.html"
    assert main(["run", "1", "--trace", path, "--html", str(page)]) == 0
    assert EVIL in capsys.readouterr().out  # on a terminal it is text like any other
    text = page.read_text("utf-8")
    for name in ("Throughput", "TTFT", "TPOT", "GPU memory", "Where a request", "Cost of the run", "vllm serve"):
        assert name in text
    assert "default-src 'none'" in text
    own = text.replace(get_plotlyjs(), "")
    assert len(own) < 200_000  # without the library that draws
    assert re.search(r'(src|href)\s*=\s*"?(http|//)', own) is None
    assert "<img" not in own
    assert "&lt;img src=x" in own


def test_without_its_extra_it_says_what_is_missing(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)
    said = refused(capsys, "run", "1", "--html", str(tmp_path / "page.html"))
    assert "plotly" in said
    assert ".[report]" in said


# -- the same in vLLM --------------------------------------------------------------------------------------------------

OPTIONS = {
    "port",
    "max-num-seqs",
    "max-num-batched-tokens",
    "gpu-memory-utilization",
    "max-model-len",
    "block-size",
    "enable-prefix-caching",
    "no-enable-prefix-caching",
    "enable-chunked-prefill",
    "no-enable-chunked-prefill",
    "speculative-config",
    "kv-transfer-config",
    "quantization",
    "tokenizer",
}
"""Of vLLM 0.33.0 and 0.19.0, as their argument parsers have them."""


def servers(level: Any, layout: Layout) -> list[dict[str, str]]:
    """The options of each `vllm serve`, by their names."""
    found = []
    for command in commands(level, layout):
        words = shlex.split(command.replace("\\\n", " "), comments=True)
        if "serve" in words:
            options, rest = dict[str, str](), words[words.index("serve") + 2 :]
            for index, word in enumerate(rest):
                if word.startswith("--"):
                    value = rest[index + 1] if index + 1 < len(rest) and not rest[index + 1].startswith("--") else ""
                    options[word[2:]] = value
            found.append({"model": words[words.index("serve") + 1], **options})
    return found


@pytest.mark.parametrize("number", [str(level.number) for level in campaign()])
def test_the_options_are_vllms(number: str) -> None:
    level, layout = reference(number)
    found = servers(level, layout)
    assert found
    for options in found:
        assert set(options) - {"model"} <= OPTIONS
        assert options["model"].startswith(("meta-llama/", "bartowski/", "RedHatAI/"))
        numbers = {name: int(value) for name, value in options.items() if value.isdigit()}
        assert {"max-model-len", "block-size"} <= set(numbers)
        assert all(numbers.values())
        batched = numbers.get("max-num-batched-tokens", numbers["max-model-len"])
        assert batched >= numbers.get("max-num-seqs", 1)  # or vLLM does not start; so for the next one
        assert "no-enable-chunked-prefill" not in options or batched >= numbers["max-model-len"]


def test_cards_with_a_part_each_are_disaggregated_prefill() -> None:
    roles = [json.loads(options["kv-transfer-config"])["kv_role"] for options in servers(*reference("1"))]
    assert roles == ["kv_producer", "kv_consumer"]
    assert any("toy_proxy_server.py" in line for line in commands(*reference("1")))


def test_a_draft_model_is_a_speculative_config() -> None:
    (options,) = servers(*reference("3"))
    config = json.loads(options["speculative-config"])
    assert config == {"method": "draft_model", "model": "meta-llama/Llama-3.2-1B-Instruct", "num_speculative_tokens": 5}
    assert "kv-transfer-config" not in options


def test_pages_and_lengths_are_the_layouts() -> None:
    prefill, decode = servers(*reference("2"))
    assert (decode["block-size"], decode["max-model-len"], decode["max-num-seqs"]) == ("16", "3072", "3")
    assert prefill["max-num-batched-tokens"] == "2048"


def engine_of(*beside: tuple[str, dict[str, int]]) -> tuple[Any, Layout]:
    """A Model Server on level 3's card, with what stands beside it."""
    level = load("3")
    settings = {
        **level.settings,
        "model_server": {"max_num_seqs": Setting(32, 1, 256), "max_num_batched_tokens": Setting(2048, 256, 8192)},
        "chunker": {"chunk_tokens": Setting(512, 128, 8192)},
        "page_allocator": {"block_size": Setting(16, 1, 128)},
    }
    machines = [PlacedMachine("model_server", 3, 1)]
    machines += [PlacedMachine(kind, 5 + number, 1, 0, more) for number, (kind, more) in enumerate(beside)]
    return evolve(level, settings=settings), Layout(machines)


def test_a_model_server_has_the_options_of_what_stands_beside_it() -> None:
    whole = engine_of(("batcher", {}), ("chunker", {"chunk_tokens": 256}), ("page_allocator", {}), ("prefix_cache", {}))
    (options,) = servers(*whole)
    assert (options["max-num-seqs"], options["max-num-batched-tokens"], options["block-size"]) == ("32", "256", "16")
    assert {"enable-prefix-caching", "enable-chunked-prefill"} <= set(options)
    assert "kv-transfer-config" not in options


def test_a_model_server_alone_says_what_vllm_does_otherwise() -> None:
    level, layout = engine_of()
    server = evolve(layout.machines[0], settings={"max_num_batched_tokens": 512})
    layout = evolve(layout, machines=[server])
    (options,) = servers(level, layout)
    assert {"no-enable-prefix-caching", "no-enable-chunked-prefill"} <= set(options)
    assert int(options["max-num-batched-tokens"]) >= int(options["max-model-len"])  # or vLLM does not start
    text = "\n".join(commands(level, layout))
    assert "no static batches" in text
    assert "may not cut prompts" in text


# -- the page ----------------------------------------------------------------------------------------------------------


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def commands_of_the_page() -> list[str]:
    return [line for block in examples("sh") for line in block.splitlines()]


@pytest.mark.parametrize(
    "command",
    [pytest.param(one, marks=[pytest.mark.long] * (" sweep " in one)) for one in commands_of_the_page()],
)
def test_the_examples_of_the_page_run(
    command: str, tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (csv,) = examples("csv")
    Path("trace.csv").write_text(csv)
    python, _, module, *arguments = shlex.split(command)
    assert (python, module) == ("python", "engine")
    assert main(arguments) in (0, 1), capsys.readouterr().err
    assert capsys.readouterr().out
    for option in ("--out", "--html"):
        if option in arguments:
            assert Path(arguments[arguments.index(option) + 1]).stat().st_size
