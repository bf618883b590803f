"""The probe file is read while the game still writes it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.paths import Problem
from tools.probe import Probe

EVENTS = [
    {"t": 0.1, "event": "first_frame"},
    {"t": 0.2, "event": "screen", "name": "title"},
    {
        "t": 0.3,
        "event": "targets",
        "rects": {"title:play": [10, 20, 30, 40]},
        "tiles": {"origin": [100, 50], "ex": [32, 16], "ey": [-32, 16]},
    },
]


def probe_of(path: Path) -> Probe:
    return Probe(path, lambda: True)


@given(cuts=st.lists(st.integers(0, 400), max_size=8))
def test_events_are_whole_wherever_the_writing_is_cut(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    path = tmp_path_factory.mktemp("probe") / "probe.jsonl"
    text = "".join(json.dumps(event) + "\n" for event in EVENTS).encode()
    probe = probe_of(path)
    written = 0
    for cut in [*sorted(min(cut, len(text)) for cut in cuts), len(text)]:
        with path.open("ab") as file:
            file.write(text[written:cut])
        written = cut
        probe.refresh()
        assert probe.events == EVENTS[: len(probe.events)]
    assert probe.events == EVENTS


def test_targets_and_tiles_are_given_by_their_middle(tmp_path: Path) -> None:
    path = tmp_path / "probe.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    probe = probe_of(path)
    assert probe.target("title:play") == (25, 40)
    assert probe.tile(0, 0) == (100, 66)
    assert probe.tile(2, 1) == (100 + 2.5 * 32 - 1.5 * 32, 50 + 2.5 * 16 + 1.5 * 16)


def test_waiting_ends_with_the_game_or_the_time(tmp_path: Path) -> None:
    path = tmp_path / "probe.jsonl"
    with pytest.raises(Problem, match="ended before the screen 'title'"):
        Probe(path, lambda: False).wait_screen("title")
    with pytest.raises(Problem, match="waited 0 s in vain for the screen 'title'"):
        probe_of(path).wait_screen("title", timeout_s=0)


def test_a_line_that_is_not_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "probe.jsonl"
    path.write_text("{oops\n")
    with pytest.raises(Problem, match="not JSON"):
        probe_of(path).refresh()
