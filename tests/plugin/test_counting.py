"""Nothing leaks and nothing is freed too early, in real Godot."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.plugin.godot_project import Run

Result = Callable[[str], Any]
NULL = 0
PAGE_BYTES = 4096
RSS_GROWTH_BYTES = 256 * 1024  # in 20,000 calls: a leak of 16 bytes a call is more
STATIC_GROWTH_BYTES = 4096  # what Godot itself counts; a leak of one byte a call is more


@pytest.mark.parametrize("call", ["float", "str", "bytes", "raw", "nested", "object", "reference", "through node"])
def test_20000_calls_use_no_more_memory(result: Result, call: str) -> None:
    pages, static_bytes = result(f"memory {call}")
    assert pages * PAGE_BYTES < RSS_GROWTH_BYTES
    assert static_bytes < STATIC_GROWTH_BYTES


def test_godots_own_count_of_memory_works(result: Result) -> None:
    assert result("memory counted") > 1_000_000, "this Godot counts nothing: the growth above says nothing"


def test_a_reference_survives_1000_passes(result: Result) -> None:
    assert result("reference held") == [42, 42]
    assert result("reference passed around") == 42
    assert result("reference of Python") == 42


def test_a_reference_is_freed_when_its_last_use_ends(result: Result) -> None:
    assert result("reference let go") is True
    assert result("reference passed around, let go") is True
    assert result("reference of Python, let go") is True


def test_a_new_reference_lives_as_long_as_python_holds_it(result: Result) -> None:
    assert result("reference made in Python") == [True, True]


def test_a_freed_node_raises_instead_of_crashing(result: Result, main_run: Run) -> None:
    assert result("freed") == NULL
    assert "ReferenceError: this Node was freed" in main_run.error("Python: value_held()")


def test_nothing_is_left_when_the_game_ends(main_run: Run) -> None:
    assert "leaked" not in main_run.output.lower()
    assert "still in use" not in main_run.output
