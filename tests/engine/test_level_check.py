"""A level from outside: read strictly, checked for all that is wrong at once, and right after that."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import attrs
import pytest
from hook_level import LEVEL as HOOKED
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.main import main
from engine.errors import EngineError
from engine.floor.layout import layout_from_data
from engine.learning.tutorial import tutorial
from engine.level import (
    At,
    BurstTraffic,
    Every,
    Goal,
    Lengths,
    Level,
    PadSpec,
    PoissonTraffic,
    Setting,
    Tenant,
    TraceTraffic,
    trace_from_csv,
)
from engine.level import versions as level_versions
from engine.level.check import check_level
from engine.level.data import Malformed, level_from_data, level_to_data
from engine.level.lines import field_lines, line_of
from engine.level.load import APART, CAMPAIGN, load, load_script
from engine.protocol.commands import replay
from engine.protocol.play import play
from engine.simulation import Simulation
from engine.units import PS_PER_S, seconds

LEVELS = [*(load(number) for number in "123"), *(load(name) for name in APART), load_script(CAMPAIGN / "my_level.py")]
LEVEL_1 = LEVELS[0]
TRAFFIC = LEVEL_1.offered


@pytest.mark.parametrize("level", [*LEVELS, HOOKED], ids=lambda level: level.id)
def test_levels_of_the_game_are_right_and_the_same_as_data(level: Level) -> None:
    assert check_level(level) == []
    again = level_from_data(json.loads(json.dumps(level_to_data(level))))
    assert again == level
    assert all(hook.do is None for hook in again.hooks)


def wrong(**changes: Any) -> dict[str, str]:
    """Field -> code of what is wrong with level 1 once changed."""
    return {one.field: one.code for one in check_level(attrs.evolve(LEVEL_1, **changes))}


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = wrong(
        id="Level One",
        model="gpt-5",
        pads=[PadSpec("l4", 9, 0, 4, 4), PadSpec("l4", 3, 3, 2, 2), PadSpec("l4", 4, 4, 2, 2)],
        goals=[Goal("tps", float(10**13), at_least=True), Goal("tps", 1)],
        warmup_s=240,
        settings={"decode_core": {"max_num_seqs": Setting(9, 1, 8), "speed": Setting(1, 1, 1)}},
        texts={"en": {"run.won": "Lost!"}, "xx-YY": {}},
        hooks=[Every(0, print), At(999, print), At(1, print)],
    )
    assert found == {
        "id": "check.name",
        "model": "check.unknown",
        "pads[0]": "check.outside",
        "pads[2]": "check.overlap",
        "goals[0].target": "check.range",
        "goals[1].metric": "check.twice",
        "warmup_s": "check.range",
        "settings.decode_core.max_num_seqs.value": "check.range",
        "settings.decode_core.speed": "check.unknown",
        "settings.prefill_core": "check.missing",
        "texts": "check.language",
        "texts.en": "check.missing",
        "hooks[0].seconds": "check.range",
        "hooks[1].second": "check.range",
        "hooks[1].name": "check.twice",
        "hooks[2].name": "check.twice",
    }


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"width": "twelve"}, "width"),
        ({"goals": [Goal("tps", float("nan"))]}, "goals[0].target"),
        ({"acceptance": float("inf")}, "acceptance"),
        ({"traffic": attrs.evolve(TRAFFIC, interval_ps=-5)}, "traffic.interval_ps"),
        ({"traffic": attrs.evolve(TRAFFIC, interval_ps=10**9)}, "traffic.interval_ps"),
        ({"traffic": TraceTraffic([[5, 1, 1], [4, 1, 1]])}, "traffic.arrivals[1][0]"),
        ({"traffic": None}, "traffic"),
        ({"tenants": [Tenant("chat", TRAFFIC)]}, "traffic"),
        ({"traffic": None, "tenants": [Tenant("chat", TRAFFIC), Tenant("chat", TRAFFIC)]}, "tenants[1].id"),
        ({"traffic": None, "tenants": [Tenant("chat", TRAFFIC, quality=120)]}, "tenants[0].quality"),
        ({"traffic": None, "tenants": [Tenant("chat", TRAFFIC, prefix_tokens=5_000)]}, "tenants[0].prefix_tokens"),
        ({"goals": [Goal("user_tps", 1, tenant="chat")]}, "goals[0].tenant"),
        ({"goals": [Goal("on_time", 1)]}, "goals[0].metric"),
        ({"traffic": PoissonTraffic(0, TRAFFIC.prompt, TRAFFIC.output)}, "traffic.per_s"),
        ({"traffic": BurstTraffic(1, 9, 20, 10, TRAFFIC.prompt, TRAFFIC.output)}, "traffic.burst_s"),
        ({"traffic": PoissonTraffic(1, Lengths(9, 99, [9, 8, 10]), TRAFFIC.output)}, "traffic.prompt.deciles"),
        ({"traffic": TraceTraffic([[5, 10, 1, 0, 11]])}, "traffic.arrivals[0][4]"),
        ({"models": ["gpt-5"]}, "models[0]"),
        ({"reference": {**LEVEL_1.reference, "version": 2}}, "reference"),
        ({"interface": 99}, "interface"),
        ({"kv_memory": "contiguous"}, "max_model_len"),
    ],
)
def test_what_is_wrong_names_its_field(changes: dict[str, Any], field: str) -> None:
    assert list(wrong(**changes)) == [field]


def test_data_that_is_no_level_names_all_its_fields() -> None:
    data = level_to_data(LEVEL_1)
    data["pads"][0]["x"] = "3"
    data["hooks"] = [{"is": "Never", "name": "x"}]
    data["surprise"] = 1
    with pytest.raises(Malformed) as caught:
        level_from_data(data)
    assert {"pads[0].x", "hooks[0]", ""} == {one.field for one in caught.value.problems}
    for thing in (None, [], 5, "level"):
        with pytest.raises(Malformed):
            level_from_data(thing)


# -- versions ----------------------------------------------------------------------------------------------------------


def test_a_newer_interface_is_refused_and_an_older_one_is_brought_up(monkeypatch: pytest.MonkeyPatch) -> None:
    data = level_to_data(LEVEL_1)
    with pytest.raises(EngineError, match=r"level\.interface_new"):
        level_from_data({**data, "interface": 2})
    with pytest.raises(EngineError, match=r"level\.interface_old"):
        level_from_data({**data, "interface": 0})
    monkeypatch.setattr(level_versions, "OLDEST", 0)
    monkeypatch.setitem(level_versions.UPGRADES, 0, lambda old: {**old, "model": old["llm"]} | {"llm": None})
    monkeypatch.setitem(
        level_versions.UPGRADES, 0, lambda old: {("model" if k == "llm" else k): v for k, v in old.items()}
    )
    old = {("llm" if key == "model" else key): value for key, value in {**data, "interface": 0}.items()}
    assert level_from_data(old) == LEVEL_1


# -- by chance ---------------------------------------------------------------------------------------------------------

ODD = st.sampled_from(
    [None, True, -1, 0, 1, 2, 7, 10**6, 2**63, -(2**70), 0.5, float("nan"), float("inf"), "", "x", "l4"]
)
ODD |= st.sampled_from([[], {}, [[]], [1, 2], {"is": "Won"}, {"a": 1}, "decode_core", "tps", "pages", "\n", "a" * 300])


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a level's data."""
    found = [path] if path else []
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        found += places(value, (*path, key))
    return found


def replaced(data: Any, path: tuple[Any, ...], change: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    old = data[path[-1]]
    if change == "gone":
        del data[path[-1]]
    elif change == "twice":
        data[path[-1]] = [*old, *old] if isinstance(old, list) else old
    elif type(change) is tuple:
        data[path[-1]] = old * change[0] + change[1] if type(old) in (int, float) else old
    else:
        data[path[-1]] = change


CHANGE = ODD | st.just("gone") | st.just("twice") | st.tuples(st.sampled_from([0, 1, -1, 2, 1000]), st.integers(-3, 3))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*LEVELS[:3], HOOKED]), st.lists(st.tuples(st.integers(0, 10**6), CHANGE), max_size=4))
def test_any_data_is_a_level_that_can_be_simulated_or_has_problems(
    level: Level, changes: list[tuple[int, Any]]
) -> None:
    data = json.loads(json.dumps(level_to_data(level)))
    for number, change in changes:
        paths = places(data)
        replaced(data, paths[number % len(paths)], deepcopy(change))
    try:
        read = level_from_data(data)
    except EngineError:
        return
    problems = check_level(read)
    assert all(one.code for one in problems)
    if not problems:
        lives(read)


def lives(level: Level) -> None:
    """It can be built, simulated for a while, judged and shown."""
    layout = layout_from_data(level.reference) if level.reference else None
    short = attrs.evolve(level, end_s=min(level.end_s, 5), warmup_s=min(level.warmup_s, 1))
    if layout is not None:
        play(short, 1, layout)
    game = Simulation(level, 1)
    game.start()
    game.advance(seconds(5))
    game.state_hash()
    tutorial(game, frozenset())


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
        max_leaves=20,
    )
)
def test_anything_at_all_is_no_level(data: Any) -> None:
    with pytest.raises(EngineError):
        level_from_data(data)


# -- traces ------------------------------------------------------------------------------------------------------------


def csv(folder: Path, text: str) -> Path:
    path = folder / "trace.csv"
    path.write_text(text)
    return path


def test_a_trace_is_played_as_it_was(tmp_path: Path) -> None:
    """Two docks take turns; after the last request there are no more."""
    rows = ["arrival,prompt_tokens,output_tokens,who", "3.5,200,20,a", "1.25,100,10,b", "4,300,30,c"]
    traffic = trace_from_csv(csv(tmp_path, "\n".join(rows)))
    assert traffic.arrivals == [[seconds(1.25), 100, 10], [seconds(3.5), 200, 20], [seconds(4), 300, 30]]
    assert (traffic.prompt.low, traffic.prompt.high, traffic.output.high) == (100, 300, 30)
    title = load("title")
    level = attrs.evolve(title, traffic=traffic)
    assert check_level(level) == []
    assert level_from_data(json.loads(json.dumps(level_to_data(level)))) == level
    game = play(attrs.evolve(level, end_s=30), 1, layout_from_data(title.reference))
    asked = [(one.arrival_ps, one.prompt_tokens, one.output_tokens, one.dock) for one in game.floor.requests.values()]
    assert asked == [(*arrival, dock) for arrival, dock in zip(traffic.arrivals, (1, 2, 3), strict=True)]
    assert all(one.done for one in game.floor.requests.values())
    for speed in ("1", "step"):
        assert play(game.level, 1, layout_from_data(title.reference), speed).state_hash() == game.state_hash()


def test_a_checkpoint_in_the_middle_of_a_trace_goes_on(tmp_path: Path) -> None:
    rows = [f"{second * 0.7},{1000 + second % 7},{20 + second % 11}" for second in range(120)]
    traffic = trace_from_csv(csv(tmp_path, "arrival,prompt_tokens,output_tokens\n" + "\n".join(rows)))
    level = attrs.evolve(LEVEL_1, traffic=traffic)
    whole = play(level, 1, layout_from_data(level.reference))
    for checkpoint in whole.checkpoints:
        restored = Simulation.restore(level, checkpoint)
        restored.advance(level.end_s * PS_PER_S)
        assert restored.state_hash() == whole.state_hash()
    assert replay(level, 1, whole.commands, whole.end_ps).state_hash() == whole.state_hash()


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        ("", "trace.columns", {}),
        ("a,b\n1,2\n", "trace.columns", {}),
        ("arrival,prompt_tokens,output_tokens\n", "trace.empty", {}),
        ("arrival,prompt_tokens,output_tokens\n1,2,3\n1,2\n", "trace.malformed", {"line": 3}),
        ("arrival,prompt_tokens,output_tokens\n1,2,3\nx,2,3\n", "trace.number", {"line": 3, "field": "arrival"}),
        ("arrival,prompt_tokens,output_tokens\n1,nan,3\n", "trace.number", {"line": 2, "field": "prompt_tokens"}),
        ("arrival,prompt_tokens,output_tokens\n-1,2,3\n", "trace.seconds", {"line": 2}),
        ("arrival,prompt_tokens,output_tokens\n1e9,2,3\n", "trace.seconds", {"line": 2}),
        ("arrival,prompt_tokens,output_tokens\n1,2.5,3\n", "trace.range", {"field": "prompt_tokens"}),
        ("arrival,prompt_tokens,output_tokens\n1,2,0\n", "trace.range", {"field": "output_tokens", "line": 2}),
        ('arrival,prompt_tokens,output_tokens\n1,2,"3\n', "trace.malformed", {}),
        ("arrival,prompt_tokens,output_tokens\n" + "1,2,3\n" * 20_001, "trace.too_long", {"most": 20_000}),
    ],
)
def test_a_trace_that_cannot_be_read_names_its_line(
    tmp_path: Path, text: str, code: str, params: dict[str, Any]
) -> None:
    with pytest.raises(EngineError) as caught:
        trace_from_csv(csv(tmp_path, text))
    assert caught.value.code == code
    assert caught.value.params.items() >= params.items()
    with pytest.raises(EngineError, match=r"trace\.missing"):
        trace_from_csv(tmp_path / "nowhere.csv")


# -- scripts -----------------------------------------------------------------------------------------------------------


def test_a_new_level_is_right_and_names_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-level", "two_cards", str(tmp_path)]) == 0
    path = tmp_path / "two_cards.py"
    level = load(str(path))
    assert (level.id, check_level(level)) == ("two_cards", [])
    assert level.texts["en"]["level.two_cards.title"] == "Two cards"
    game = play(level, 1, layout_from_data(level.reference))
    assert game.passed
    assert [code for _, code, _ in game.floor.events] == ["hook.message"]
    assert not play(level, 1, layout_from_data(level.naive)).passed
    assert main(["new-level", "two_cards", str(tmp_path)]) == 2, "nothing is written over"
    assert main(["new-level", "Two cards", str(tmp_path)]) == 2
    capsys.readouterr()
    script = path.read_text().replace('PadSpec("l4", 6, 4, 4, 4)', 'PadSpec(gpu="l5", x=6, y=4, width=4, height=4)')
    path.write_text(script)
    with pytest.raises(EngineError, match=r"level\.wrong") as caught:
        load(str(path))
    line = next(number for number, text in enumerate(script.splitlines(), 1) if '"l5"' in text)
    assert (caught.value.params["line"], caught.value.params["field"]) == (line, "pads[1].gpu")


@pytest.mark.parametrize(
    ("script", "line", "detail"),
    [
        ("x = 1\ny = (\n", 2, "SyntaxError"),
        ("def f():\n    return 1 / 0\n\nf()\n", 2, "ZeroDivisionError"),
        ("from engine.level import Level\n\nLEVEL = Level(colour=1)\n", 3, "colour"),
        ("x = 1\n", 1, "LEVEL"),
    ],
)
def test_a_script_that_fails_names_its_line(tmp_path: Path, script: str, line: int, detail: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(script)
    with pytest.raises(EngineError, match=r"level\.broken") as caught:
        load(str(path))
    assert caught.value.params["line"] == line
    assert detail in caught.value.params["detail"]


def test_lines_of_fields_are_found_through_names() -> None:
    source = 'SPEC = {\n  "a": [\n    1,\n    f(x=2)]}\nLEVEL = Level(\n  settings=SPEC,\n  pads=[],\n)\n'
    lines = field_lines(source)
    assert line_of("settings.a[1].x", lines) == 4
    assert line_of("pads[3].x", lines) == 7
    assert line_of("", lines) == line_of("texts.en", lines) == 5
    assert field_lines("def (") == {}
