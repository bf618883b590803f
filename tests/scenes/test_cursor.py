"""The floor cursor is moved by keys and by a game pad alike."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.godot


def test_keys_cross_and_stick_move_the_cursor_a_tile_at_a_time(run_script: Callable[..., str], tmp_path: Path) -> None:
    output = tmp_path / "tiles.json"
    run_script("cursor_moves.gd", OUTPUT=str(output))
    # The first press brings the cursor to the middle of the floor, 12 by 8.
    keys = [[6, 4], [6, 5], [7, 5], [7, 4]]
    cross = [[8, 4], [8, 5], [7, 5], [7, 4]]
    stick = [[8, 4]]
    button = [{"pressed": [8, 4]}, [8, 4]]
    assert json.loads(output.read_text("utf-8")) == keys + cross + stick + button
