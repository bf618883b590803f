"""What crosses between GDScript and Python, in real Godot."""

from collections.abc import Callable
from typing import Any

import pytest

Result = Callable[[str], Any]
NULL = 0
SIX_TYPES = {"nil": 1, "bool": 2, "int": 4, "float": 4, "str": 4, "bytes": 5}


@pytest.mark.parametrize("name", SIX_TYPES)
def test_a_value_comes_back_from_python(result: Result, name: str) -> None:
    assert result(f"returned {name}") == [True] * SIX_TYPES[name]


@pytest.mark.parametrize("name", SIX_TYPES)
def test_a_value_goes_from_python_to_a_node_and_back(result: Result, name: str) -> None:
    assert result(f"through node {name}") == [True] * SIX_TYPES[name]


@pytest.mark.parametrize(
    ("variant_type", "seen"),
    [
        (0, "NoneType None"),
        (1, "bool True"),
        (2, "int 3"),
        (3, "float 0.5"),
        (4, "GDString 'text'"),
        (20, "GDBytes b'\\x01\\x02'"),
    ],
)
def test_python_sees_its_own_types(result: Result, variant_type: int, seen: str) -> None:
    assert result(f"seen {variant_type}") == seen


def test_not_a_number_stays_so(result: Result) -> None:
    assert result("nan") is True


def test_str_of_a_string_is_plain(result: Result) -> None:
    assert result("plain str") is True


def test_defaults_and_further_arguments_work(result: Result) -> None:
    assert result("arguments") == [1.5, 3, 5]


def test_bytes_can_be_filled_and_read_in_place(result: Result) -> None:
    assert result("raw access") is True
    assert result("raw access to read") == [True, True]


def test_bytes_cross_as_one_block(result: Result) -> None:
    small, large = result("speed of bytes")  # 4,096 and 400,000 bytes there and back: 98 times as many
    assert large < 50 * small


def test_nested_containers_cross(result: Result) -> None:
    assert result("returned nested") is True
    assert "".join(result("made nested").split()) == (
        '{7:PoolByteArray(0,255),"flag":true,"list":[1,[2,{"deep":null}]]}'
    )
    assert result("made tuple") == '[ 1, "two", PoolByteArray( 51 ) ]'


@pytest.mark.parametrize("variant_type", [5, 6, 7, 14, 15], ids=["Vector2", "Rect2", "Vector3", "Color", "NodePath"])
def test_small_value_types_cross(result: Result, variant_type: int) -> None:
    assert result(f"returned type {variant_type}") is True


def test_an_object_comes_back_as_the_same_one(result: Result) -> None:
    assert result("returned object") is True


def test_pool_arrays_arrive_as_lists(result: Result) -> None:
    assert result("pool arrays") == [[1, 2], ["a"]]


def test_buffers_become_bytes(result: Result) -> None:
    assert result("made buffers") == [[97, 98, 99], [97, 98, 99]]


def test_the_largest_and_smallest_int_cross(result: Result) -> None:
    assert result("limits") == [str(2**63 - 1), str(-(2**63))]


def test_numbers_of_numpy_become_plain_ones(result: Result) -> None:
    assert result("numpy") == [-5, 0.25, 1]


def test_reading_a_missing_key_does_not_insert_it(result: Result) -> None:
    assert result("missing key") == [[None, False, ["a"]], ["a"]]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("huge", f"OverflowError: the int {2**63} does not fit"),
        ("negative_huge", f"OverflowError: the int {-(2**63) - 1} does not fit"),
        ("huge_inside", f"OverflowError: the int {2**64} does not fit"),
        ("object", "TypeError: a Python object cannot cross to Godot"),
        ("function", "TypeError: a Python builtin_function_or_method cannot cross"),
        ("set", "TypeError: a Python set cannot cross"),
        ("zero", "ValueError: a text with a zero character cannot cross"),
        ("surrogate", "UnicodeEncodeError"),
        ("loop", "RecursionError"),
        ("transform", "TypeError: a Transform2D cannot cross from Godot"),
    ],
)
def test_what_cannot_cross_is_an_error_and_null(result: Result, main_run: Any, name: str, message: str) -> None:
    assert result(f"wrong {name}") == NULL
    assert message in main_run.output


def test_what_cannot_cross_is_an_exception_that_a_script_can_catch(result: Result) -> None:
    assert result("wrong passed") == f"the int {2**63} does not fit into Godot's 64 bits"
