"""The library's entries: whatever the engine has kept is read with care, and nothing of it is ever lost."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.godot

Library = Callable[[str], dict[str, Any]]
OLD = {"name": "Old", "text": "TF1:old"}
NEW = {"name": "New", "text": "xxxxx"}


def library_of(*entries: Any) -> dict[str, Any]:
    return {"version": 1, "blueprints": list(entries)}


STRANGE = {
    "an entry that is no map": "x",
    "a name that is no text": {"name": 3, "text": "x"},
    "an entry without a text": {"name": "x"},
    "a text that is too long": {"name": "x", "text": "x" * 200_001},
}
CASES: dict[str, dict[str, Any]] = {
    "nothing": {"data": None, "add": "Mine\n[1] {x}"},
    "one": {"data": library_of(OLD), "add": "New"},
    "refused": {"data": library_of(OLD), "add": "New", "refusal": "player.not_saved"},
    "no list": {"data": {"version": 1, "blueprints": {"a": 1}}, "add": "New"},
    "too long": {"data": library_of(OLD), "add": "Long", "length": 200_001},
    "full": {"data": library_of(*[{"name": str(number), "text": "x"} for number in range(100)]), "add": "One more"},
    **{what: {"data": library_of(OLD, entry), "add": "New"} for what, entry in STRANGE.items()},
}


@pytest.fixture(scope="module")
def library(run_script: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Library:
    """What came of each case; all are read by one Godot."""
    folder: Path = tmp_path_factory.mktemp("library")
    asked, output = folder / "cases.json", folder / "told.json"
    asked.write_text(json.dumps(list(CASES.values())), "utf-8")
    run_script("blueprint_files.gd", CASES=str(asked), OUTPUT=str(output))
    found: list[dict[str, Any]] = json.loads(output.read_text("utf-8"))
    return lambda what: found[list(CASES).index(what)]


def test_what_is_added_is_kept_with_the_others(library: Library) -> None:
    told = library("one")
    assert (told["read"], told["read_problem"], told["add_problem"]) == ([OLD], "", "")
    assert told["written"] == library_of(NEW, OLD)


def test_a_name_is_one_line(library: Library) -> None:
    assert library("nothing")["read"] == []
    assert library("nothing")["written"] == library_of({"name": "Mine[1] {x}", "text": "xxxxx"})


def test_what_could_not_be_kept_is_told(library: Library) -> None:
    assert library("refused")["add_problem"] == "player.not_saved"


@pytest.mark.parametrize("what", STRANGE)
def test_an_entry_that_makes_no_sense_is_told_and_stays(library: Library, what: str) -> None:
    told = library(what)
    assert told["read"] == [OLD]
    assert told["read_problem"] == "BLUEPRINTS_LEFT_OUT"
    assert told["written"] == library_of(NEW, OLD, STRANGE[what])


def test_entries_that_are_no_list_are_told_and_stay(library: Library) -> None:
    assert library("no list")["read"] == []
    assert library("no list")["written"] == library_of(NEW, {"a": 1})


def test_a_full_library_and_a_text_that_is_too_long_are_refused(library: Library) -> None:
    for what in ("full", "too long"):
        told = library(what)
        assert not told["added"]
        assert told["add_problem"]
        assert told["written"] is None
