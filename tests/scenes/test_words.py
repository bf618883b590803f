"""The game's words: each translation loads in Godot whole, and nothing that the view or the engine says lacks words."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from engine.diagnosis.limits import LIMITS
from engine.floor.kinds import KINDS
from engine.floor.machines.base import STATES
from engine.level.load import campaign
from engine.metrics.causes import CAUSES
from engine.metrics.whereabouts import REQUEST_STATES
from engine.protocol.codes import CODES
from engine.protocol.trail import DRAWN_KINDS
from tools.paths import ROOT

WORDS = ROOT / "i18n"
SCENES = ROOT / "scenes"
KEY = re.compile(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"')
PARAMETER = re.compile(r"{(\w+)}")


def messages(path: Path) -> dict[str, str]:
    """Keys and words of a translation."""
    with path.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file) if message.id}


ENGLISH = messages(WORDS / "en.po")


@pytest.mark.godot
def test_godot_reads_every_word_of_every_translation(run_script: Callable[..., str], tmp_path: Path) -> None:
    output = tmp_path / "read.json"
    run_script("words_loaded.gd", OUTPUT=str(output))
    read = json.loads(output.read_text("utf-8"))
    assert read == {path.name: messages(path) for path in WORDS.glob("*.po")}


def said_by_name() -> Iterator[str]:
    """Keys that scripts name as they are."""
    for script in SCENES.rglob("*.gd"):
        for line in script.read_text("utf-8").splitlines():
            if "tr(" in line or "translate(" in line or "problem =" in line or "_add_metric" in line:
                yield from (key for key in KEY.findall(line) if not key.endswith("_"))


def said_of_things() -> Iterator[str]:
    """Keys that scripts make from the name of a machine, a state, a level, ..."""
    levels = campaign()
    for kind in KINDS:
        yield f"KIND_{kind.upper()}"
    for kind in {kind for level in levels for kind in level.allowed} | {"select", "belt", "delete"}:
        yield from (f"TOOL_{kind.upper()}", f"TOOL_{kind.upper()}_TIP")
    for name in {name for level in levels for settings in level.settings.values() for name in settings}:
        yield from (f"SETTING_{name.upper()}", f"SETTING_{name.upper()}_TIP")
    for state in STATES:
        yield f"STATE_{state.upper()}"
    for limit in LIMITS:
        yield f"LIMIT_{limit.upper()}"
    for packet in DRAWN_KINDS:
        yield f"PACKET_{packet.upper()}"
    for state in REQUEST_STATES:
        yield f"REQUEST_STATE_{state.upper()}"
    for cause in CAUSES:
        yield from (f"CAUSE_{cause.upper()}", f"CAUSE_{cause.upper()}_TIP")
    for row in ("ttft", "tpot", "e2e", "prompt", "answer", "where", "kv", "pause"):
        yield f"REQUEST_{row.upper()}"
    for row in ("used", "reserved", "lost", "free"):
        yield from (f"MEMORY_{row.upper()}", f"MEMORY_{row.upper()}_TIP")
    for metric in {goal.metric for level in levels for goal in level.goals}:
        name = f"{metric}_s" if metric.endswith("_p95") else metric
        yield from (f"HUD_{name.upper()}", f"HUD_{name.upper()}_TIP", f"FAILED_{name.upper()}")
    for level in levels:
        yield from (f"LEVEL_{level.number}_{part}" for part in ("NAME", "LINE", "HINT_TITLE", "HINT", "WON"))


def test_all_that_the_view_says_has_words() -> None:
    said = {*said_by_name(), *said_of_things()}
    assert len(said) > 60
    assert sorted(key for key in said if not ENGLISH.get(key)) == []


def test_all_that_the_engine_says_has_words() -> None:
    goals = {f"goal.{goal.metric}" for level in campaign() for goal in level.goals}
    assert sorted(code for code in {*CODES, *goals} if not ENGLISH.get(code)) == []


def test_words_use_only_the_parameters_that_come_with_a_code() -> None:
    wrong = {code: set(PARAMETER.findall(ENGLISH.get(code, ""))) - set(names) for code, names in CODES.items()}
    assert {code: names for code, names in wrong.items() if names} == {}


@pytest.mark.parametrize("path", sorted(WORDS.glob("*.po")), ids=lambda path: path.name)
def test_every_translation_says_all_that_english_says_with_the_same_parameters(path: Path) -> None:
    others = messages(path)
    assert sorted(others) == sorted(ENGLISH)
    for key, text in others.items():
        assert sorted(PARAMETER.findall(text)) == sorted(PARAMETER.findall(ENGLISH[key])), key
