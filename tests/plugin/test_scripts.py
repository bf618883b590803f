"""What a Python script is to Godot: its class, members, signals, life and faults, in real Godot."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.plugin.godot_project import Run

Result = Callable[[str], Any]
NULL = 0


def test_the_run_ends_well(main_run: Run) -> None:
    assert main_run.results.get("end") is True, main_run.output[-3000:]
    assert main_run.status == 0


def test_a_scene_sets_exports_before_ready(result: Result) -> None:
    assert result("exports set") == [7, 0.25, "from the scène", True, [1, 2, 255], [5, 6], [1, 0, 0, 1]]


def test_exports_have_their_defaults(result: Result) -> None:
    assert result("exports default") == [3, 0.5, "untitled", None, [], [1, 2], [1, 0, 0, 1]]


def test_instances_do_not_share_a_default_list(result: Result) -> None:
    assert result("exports own lists") == [[1], [2]]


def test_gdscript_reads_and_writes_members(result: Result) -> None:
    assert result("exports read") == [11, 22, "changed", None]


def test_an_exported_property_calls_its_setter(result: Result) -> None:
    assert result("exports property") == 25


def test_godot_knows_the_types_of_exports(result: Result) -> None:
    assert result("exports types") == {
        "number": 2, "ratio": 3, "title": 4, "flag": 1, "data": 20, "place": 5, "tint": 14, "items": 19, "doubled": 2,
    }  # fmt: skip


def test_signals_are_declared(result: Result) -> None:
    assert result("signals declared") == [True, True]


def test_gdscript_hears_a_signal_of_python(result: Result) -> None:
    assert result("signals heard by GDScript") == [0, [[3, "three"], [1, "short"]]]


def test_python_hears_a_signal(result: Result) -> None:
    assert result("signals heard by Python") == [[3, "three"], [1, "short"]]


def test_an_autoload_is_one_instance(result: Result) -> None:
    assert result("autoload") == [5, True, 5]


def test_a_script_inherits_from_a_class_of_godot(result: Result) -> None:
    assert result("inheritance") == [True, "Node2D", "square, a shape", [3, 4, 3, 0]]
    assert result("inheritance position") is True


def test_classes_constants_and_singletons_are_found_by_name(result: Result) -> None:
    assert result("inheritance checks") == {
        "bases": ["Shape", "Node2D", "CanvasItem", "Node"],
        "constant": 13,
        "missing": False,
        "missing_class": False,
        "same_object": True,
        "singleton": 3,
    }


def test_the_engine_calls_a_script_through_its_life(result: Result) -> None:
    assert result("life") == ["_enter_tree", "_ready", "_process", "paused", "_exit_tree"]


def test_input_events_arrive_and_can_be_kept(result: Result) -> None:
    assert result("input") == [100, ["InputEventKey"], [65, 66, 67]]


def test_an_exception_is_shown_with_its_traceback_and_returns_null(result: Result, main_run: Run) -> None:
    assert result("fault") == NULL
    told = main_run.error("Python: fail() of res://echo.py failed")
    assert "Traceback (most recent call last):" in told
    assert "in fail" in told
    assert 'return table["no such key"]' in told
    assert "KeyError: 'no such key'" in told
    assert "pythonscript" not in told, "the plugin's own frames are noise"


def test_a_wrong_number_of_arguments_is_an_error(result: Result, main_run: Run) -> None:
    assert result("fault arguments") == NULL
    assert "missing 1 required positional argument: 'a'" in main_run.error("Python: sum_of()")


def test_sys_exit_does_not_end_the_game(result: Result, main_run: Run) -> None:
    assert result("fault exit") == NULL
    told = main_run.error("Python: exit() of res://echo.py failed")
    assert "SystemExit: 3" in told
    assert "get_tree().quit()" in told


def test_an_exception_in_each_callback_leaves_the_game_running(result: Result, main_run: Run) -> None:
    assert result("faulty") == ["was not set", NULL]
    for what in ("_enter_tree()", "_ready()", "_process()", "_notification(", "res://faulty.py: trap cannot be set"):
        assert "RuntimeError: on purpose" in main_run.error(f"Python: {what}")
    assert "RuntimeError: on purpose" in main_run.error("res://faulty.py: trap cannot be read")


def test_godot_knows_which_methods_there_are(result: Result) -> None:
    assert result("has methods") == [True, False]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("syntax", "SyntaxError: "),
        ("import", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("unexposed", "exposes no class: put @exposed above one"),
        ("base", "TypeError: NotGodots has to derive from one of Godot's classes"),
        ("exit", "SystemExit: 1"),
    ],
)
def test_a_script_that_does_not_load_says_why(result: Result, main_run: Run, name: str, message: str) -> None:
    assert result(f"broken {name}") == [False, "Node"], "the node lives on without a script"
    told = main_run.error(f"Python: res://broken_{name}.py cannot be loaded")
    assert message in told


def test_the_last_folder_of_the_path_setting_is_searched_first(result: Result) -> None:
    assert result("path setting") == "lib"


def test_print_reaches_godots_output_in_whole_lines(main_run: Run) -> None:
    assert "\nprinted in two parts\n" in main_run.output
    assert "warned" in main_run.error("warned")
    assert "\nheld back until the end" in main_run.output


def test_python_runs_in_a_thread_of_godots(result: Result) -> None:
    assert result("threads") == [3000, 3000]
