"""The library's file: whatever lies there is read with care, and nothing of it is ever lost."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.godot

Library = Callable[..., dict[str, Any]]

BROKEN = {
    "no JSON": "{",
    "empty": "",
    "of another type": "[]",
    "newer": json.dumps({"version": 2, "blueprints": []}),
    "without a version": json.dumps({"blueprints": []}),
    "a version as text": json.dumps({"version": "1", "blueprints": []}),
    "blueprints that are no list": json.dumps({"version": 1, "blueprints": {}}),
    "an entry that is no object": json.dumps({"version": 1, "blueprints": ["x"]}),
    "a name that is no text": json.dumps({"version": 1, "blueprints": [{"name": 3, "text": "x"}]}),
    "an entry without a text": json.dumps({"version": 1, "blueprints": [{"name": "x"}]}),
    "a text that is too long": json.dumps({"version": 1, "blueprints": [{"name": "x", "text": "x" * 200_001}]}),
    "too many": json.dumps({"version": 1, "blueprints": [{"name": "x", "text": "x"}] * 101}),
    "nested without end": '{"version":' + "[" * 1_000_000,
}


@pytest.fixture
def library(run_script: Callable[..., str], tmp_path: Path) -> Library:
    """Reads the library that lies in `tmp_path`, and adds to it."""

    def use(**variables: str) -> dict[str, Any]:
        output = tmp_path / "told.json"
        run_script("blueprint_files.gd", OUTPUT=str(output), LIBRARY=str(tmp_path / "blueprints.json"), **variables)
        told: dict[str, Any] = json.loads(output.read_text("utf-8"))
        return told

    return use


def test_what_was_added_is_there_the_next_time(library: Library, tmp_path: Path) -> None:
    assert library() == {"read": [], "read_problem": "", "problem_file": ""}
    told = library(ADD="Mine\n[1] {x}")
    assert told["added"]
    assert told["add_problem"] == ""
    assert library()["read"] == [{"name": "Mine(1) (x)", "text": "TF1:x"}]
    assert [path.name for path in tmp_path.glob("blueprints*")] == ["blueprints.json"]


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_read_is_kept_aside_and_told(library: Library, tmp_path: Path, content: str) -> None:
    (tmp_path / "blueprints.json").write_text(content, "utf-8")
    (tmp_path / "blueprints.json.broken").write_text("an older one", "utf-8")
    told = library(ADD="New")
    assert told["read"] == []
    assert told["read_problem"] == "BLUEPRINTS_PUT_ASIDE"
    assert told["problem_file"] == "blueprints.json.broken2"
    assert (tmp_path / "blueprints.json.broken").read_text("utf-8") == "an older one"
    assert (tmp_path / "blueprints.json.broken2").read_text("utf-8") == content
    assert [entry["name"] for entry in json.loads((tmp_path / "blueprints.json").read_text("utf-8"))["blueprints"]] == [
        "New"
    ]


def test_a_folder_that_cannot_be_written_is_told_and_the_old_file_stays(library: Library, tmp_path: Path) -> None:
    library(ADD="First")
    (tmp_path / "blueprints.json.new").mkdir()  # where the new file would be written
    told = library(ADD="Second")
    assert told["add_problem"] == "BLUEPRINTS_NOT_SAVED"
    assert [entry["name"] for entry in library()["read"]] == ["First"]


def test_a_full_library_and_a_text_that_is_too_long_are_refused(library: Library, tmp_path: Path) -> None:
    told = library(ADD="Long", LENGTH="200000")
    assert not told["added"]
    assert told["add_problem"] == "BLUEPRINTS_TOO_LONG"
    full = {"version": 1, "blueprints": [{"name": str(number), "text": "x"} for number in range(100)]}
    (tmp_path / "blueprints.json").write_text(json.dumps(full), "utf-8")
    told = library(ADD="One more")
    assert len(told["read"]) == 100
    assert not told["added"]
    assert told["add_problem"] == "BLUEPRINTS_FULL"
