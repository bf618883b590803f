"""The file of the settings: what is checked, what is kept, and what is told when it is broken."""

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
# What may stand in a file that is none of ours, and is kept aside.
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
def told(run_script: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | None], Told]:
    """What came of a text in the file; all texts are read by one Godot."""
    texts: list[str | None] = [None, json.dumps(GOOD), *BROKEN.values()]
    texts += [json.dumps({"version": 1, name: value}) for name, value in WRONG]
    texts += [json.dumps({"version": 1, "keys": keys}) for keys in WRONG_KEYS]
    folder = tmp_path_factory.mktemp("settings")
    cases, output = folder / "cases.json", folder / "told.json"
    cases.write_text(json.dumps(texts), "utf-8")
    run_script("settings_file.gd", CASES=str(cases), OUTPUT=str(output))
    found: list[Told] = json.loads(output.read_text("utf-8"))
    return lambda text: found[texts.index(text)]


def test_without_a_file_all_is_as_it_came(told: Callable[[str | None], Told]) -> None:
    case = told(None)
    assert (case["values"], case["rotate"], case["problem"]) == (DEFAULTS, R, "")
    assert json.loads(case["kept"]) == {"version": 1, **DEFAULTS, "music": 30, "keys": {}}


def test_what_is_kept_is_there_again_and_what_is_unknown_stays(told: Callable[[str | None], Told]) -> None:
    case = told(json.dumps(GOOD))
    assert case["values"] == {**DEFAULTS, "palette": "deutan", "ui_scale": 150, "music": 50}
    assert (case["rotate"], case["problem"]) == (CHANGED_KEY, "")
    assert json.loads(case["kept"]) == {**DEFAULTS, **GOOD, "music": 30}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_kept_aside_and_told(told: Callable[[str | None], Told], what: str) -> None:
    case = told(BROKEN[what])
    assert (case["values"], case["aside"]) == (DEFAULTS, BROKEN[what])
    assert case["problem"]
    assert case["changed_problem"] == ""
    assert json.loads(case["kept"])["music"] == 30


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_value_that_makes_no_sense_is_as_it_came_and_told(
    told: Callable[[str | None], Told], name: str, value: Any
) -> None:
    case = told(json.dumps({"version": 1, name: value}))
    assert (case["values"], case["aside"]) == (DEFAULTS, "")
    assert case["problem"]


@pytest.mark.parametrize("keys", WRONG_KEYS, ids=repr)
def test_keys_that_make_no_sense_are_as_they_came_and_told(told: Callable[[str | None], Told], keys: Any) -> None:
    case = told(json.dumps({"version": 1, "keys": keys}))
    assert case["rotate"] == R
    assert case["problem"]


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
