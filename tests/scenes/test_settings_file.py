"""What is kept of the settings: what is checked, and what is told when it makes no sense. The engine keeps the file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.godot

DEFAULTS = {
    "palette": "normal",
    "high_contrast": False,
    "reduced_motion": False,
    "ui_scale": 100,
    "fullscreen": False,
    "frame_limit": 0,
    "language": "",
    "pause_here": False,
    "master": 100,
    "effects": 100,
    "music": 100,
    "mute_unfocused": True,
}
R = ["R", "", "Pad 2"]
CHANGED_KEY = ["Ctrl+Shift+F9", "", "Pad 102"]
GOOD = {
    "version": 1,
    "palette": "deutan",
    "ui_scale": 150,
    "music": 50,
    "of_another_version": {"deep": [1, "two"]},
    "keys": {"rotate": CHANGED_KEY, "of_a_mod": ["Q", "", ""]},
}
# What may stand in a file that is none of ours.
BROKEN = {
    "no JSON": "{",
    "nothing": "",
    "a list": "[]",
    "no version": "{}",
    "another version": '{"version": 2}',
    "a version that is no number": '{"version": "1"}',
    "too deep": '{"version": 1, "x": ' + "[" * 5000 + "]" * 5000 + "}",
    "too long": '{"version": 1, "x": "' + "x" * 200_000 + '"}',
}
# Values that cannot be used: the default is.
WRONG: list[tuple[str, Any]] = [
    ("palette", "purple"),
    ("palette", 3),
    ("ui_scale", 1000),
    ("ui_scale", 100.5),
    ("ui_scale", "100"),
    ("high_contrast", 1),
    ("high_contrast", None),
    ("frame_limit", -1),
    ("master", 1e300),
    ("language", "xx"),
    ("language", []),
]
WRONG_KEYS: list[Any] = [
    [],
    {"rotate": "R"},
    {"rotate": ["R", ""]},
    {"rotate": ["NoSuchKey", "", ""]},
    {"rotate": ["Pad 2", "", ""]},
    {"rotate": ["", "", "R"]},
    {"rotate": ["", "", "Pad 250"]},
    {"rotate": ["x" * 5000, "", ""]},
    {"rotate": [1, 2, 3]},
]

Told = dict[str, Any]


@pytest.fixture(scope="module")
def told(run_script: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | None, Any], Told]:
    """What came of a text in the file, and of what the engine keeps; all are read by one Godot."""
    cases: list[tuple[str | None, Any]] = [(None, None), (json.dumps(GOOD), GOOD)]
    cases += [(text, GOOD) for text in BROKEN.values()]
    for values in [*({name: value} for name, value in WRONG), *({"keys": keys} for keys in WRONG_KEYS)]:
        kept = {"version": 1, **values}
        cases.append((json.dumps(kept), kept))
    folder = tmp_path_factory.mktemp("settings")
    asked, output = folder / "cases.json", folder / "told.json"
    asked.write_text(json.dumps([{"text": text, "kept": kept} for text, kept in cases]), "utf-8")
    run_script("settings_file.gd", CASES=str(asked), OUTPUT=str(output))
    found: list[Told] = json.loads(output.read_text("utf-8"))
    return lambda text, kept: found[cases.index((text, kept))]


Find = Callable[[str | None, Any], Told]


def test_without_a_file_all_is_as_it_came(told: Find) -> None:
    case = told(None, None)
    assert (case["early"], case["values"], case["rotate"], case["problem"]) == (DEFAULTS, DEFAULTS, R, "")
    assert case["written"] == {"version": 1, **DEFAULTS, "music": 30, "keys": {}}


def test_what_is_kept_is_there_again_and_what_is_unknown_stays(told: Find) -> None:
    case = told(json.dumps(GOOD), GOOD)
    assert case["early"] == case["values"] == {**DEFAULTS, "palette": "deutan", "ui_scale": 150, "music": 50}
    assert (case["rotate"], case["problem"]) == (CHANGED_KEY, "")
    assert case["written"] == {**DEFAULTS, **GOOD, "music": 30}


@pytest.mark.parametrize("what", BROKEN)
def test_of_a_broken_file_nothing_is_taken_until_the_engine_says_what_is_kept(told: Find, what: str) -> None:
    case = told(BROKEN[what], GOOD)
    assert case["early"] == DEFAULTS
    assert case["values"] == {**DEFAULTS, "palette": "deutan", "ui_scale": 150, "music": 50}
    assert (case["rotate"], case["problem"], case["changed_problem"]) == (CHANGED_KEY, "", "")


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_value_that_makes_no_sense_is_as_it_came_and_told(told: Find, name: str, value: Any) -> None:
    kept = {"version": 1, name: value}
    case = told(json.dumps(kept), kept)
    assert case["early"] == case["values"] == DEFAULTS
    assert case["problem"] == "SETTINGS_WRONG"


@pytest.mark.parametrize("keys", WRONG_KEYS, ids=repr)
def test_keys_that_make_no_sense_are_as_they_came_and_told(told: Find, keys: Any) -> None:
    kept = {"version": 1, "keys": keys}
    case = told(json.dumps(kept), kept)
    assert case["rotate"] == R
    assert case["problem"]


def test_what_could_not_be_kept_is_told(told: Find) -> None:
    assert told(None, None)["refused"] == "player.not_saved"


def test_however_keys_are_changed_each_means_one_thing_and_all_come_back(
    run_script: Callable[..., str], tmp_path: Path
) -> None:
    output = tmp_path / "told.json"
    run_script("key_changes.gd", OUTPUT=str(output))
    told = json.loads(output.read_text("utf-8"))
    assert told == {
        "twice_at_first": [],
        "twice": [],
        "wrong": [],
        "read_wrong": 0,
        "read_same": True,
        "reset": {},
        "reset_same": True,
    }
