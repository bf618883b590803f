"""The game's words: each translation loads in Godot whole, and nothing that the view or the engine says lacks words."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from engine.codex.pages import CONCEPT, MACHINE
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
# Words of the field, names and units, which German has in common with English.
SHARED = re.compile(
    r"Token Factory|CUDA out of memory|Tutorial|Codex|Details|Pause|Start|Name|Level|Prompt|Host|Block|Panels|Goodput"
    r"|Roofline|Paging|Batching|Batcher|Fairness|Batch|Chunker|Gateway|Router|Server|API"
    r"|Prefill|Decode|Draft|Preemption|Num Enter|GPUs?|VRAM|OOM|TTFT|TPOT|E2E"
    r"|Mods|TFLOPS|[kKMG]i?B|ms|s|W|p\d\d"
)
LETTERS = re.compile(r"[^\W\d_]+")
ENGLISH_ONLY = re.compile(
    r"\b(the|and|of|with|for|is|are|not|your?|by|to|from|this|that|it|be|has|have|no|or|as|at|each|all|one|"
    r"requests?|belts?|queues?|guess(es)?|cards?|memory|weights?|steps?|tiles?|pages?|keys?|settings?|drafted|tokens)\b"
)
# Where words have only so much room: keys, their font and its size, and the room in pixels.
REGULAR, MEDIUM, SEMI_BOLD = "Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf"
ROOMS = [
    (r"LEVEL_\d_NAME", SEMI_BOLD, 17, 170),
    (r"LEVEL_\d_LINE", REGULAR, 13, 440),
    (r"LEVEL_\d_HINT_TITLE|QUESTION_(BEFORE|AFTER)", SEMI_BOLD, 15, 136),
    (r"TOOL_(?!.*_TIP)\w+", MEDIUM, 12, 66),
    (r"SETTING_(?!.*_TIP)\w+", MEDIUM, 13, 108),
    (r"codex\.(?!unknown)\w+", MEDIUM, 12, 100),
    (r"codex\.(?!unknown)\w+", SEMI_BOLD, 18, 158),
    (r"goal\.(?!met|lost)\w+", MEDIUM, 14, 270),
    (r"REQUEST_STATE_\w+", REGULAR, 12, 76),
    (r"CAUSE_(?!.*_TIP)\w+", REGULAR, 13, 120),
    (r"ACTION_\w+", REGULAR, 13, 196),
    (r"SETTINGS_PAGE_\w+|RESULT_PAGE_\w+", MEDIUM, 14, 100),
    (r"SETTINGS_(PALETTE_(?!TIP)\w+|LANGUAGE_SYSTEM|NO_LIMIT|ON|OFF)", MEDIUM, 14, 132),
    (r"KEY_\w+", MEDIUM, 12, 64),
    (r"(STATE|LIMIT)_\w+", REGULAR, 11, 107),
    (r"STATE_(IDLE|WORKING|BLOCKED|UNCONNECTED)", REGULAR, 11, 98),
]
OF_A_TENANT = re.compile(r"_\d$")
"""Settings that there are for each tenant have one name."""


def messages(path: Path) -> dict[str, str]:
    """Keys and words of a translation."""
    with path.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file) if message.id}


ENGLISH = messages(WORDS / "en.po")
GERMAN = messages(WORDS / "de.po")


@pytest.fixture(scope="module")
def loaded(run_script: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Godot has read from each translation: locale, messages, numbers in words, and widths (by font and key)."""
    output = tmp_path_factory.mktemp("words") / "read.json"
    fonts = {f"{file} {size} {key}": [key, file, size] for pattern, file, size, _ in ROOMS for key in keys_of(pattern)}
    run_script("words_loaded.gd", OUTPUT=str(output), WIDTHS=json.dumps(fonts))
    read: dict[str, Any] = json.loads(output.read_text("utf-8"))
    return read


def keys_of(pattern: str) -> list[str]:
    """Keys that a pattern matches whole."""
    return [key for key in ENGLISH if re.fullmatch(pattern, key)]


@pytest.mark.godot
def test_godot_reads_every_word_of_every_translation(loaded: dict[str, Any]) -> None:
    assert {name: read["messages"] for name, read in loaded.items()} == {
        path.name: messages(path) for path in WORDS.glob("*.po")
    }
    assert {name: f"{read['locale']}.po" for name, read in loaded.items()} == {name: name for name in loaded}


@pytest.mark.godot
def test_numbers_are_written_as_the_language_has_them(loaded: dict[str, Any]) -> None:
    assert loaded["en.po"]["numbers"] == ["2.50 s", "-1,234,567", "1234.6", "0.250", "4,096", "≤ 2.5 s"]
    assert loaded["de.po"]["numbers"] == ["2,50 s", "-1.234.567", "1234,6", "0,250", "4.096", "≤ 2,5 s"]


@pytest.mark.godot
def test_words_have_room_where_room_is_short(loaded: dict[str, Any]) -> None:
    wide = {}
    for pattern, file, size, room in ROOMS:
        keys = keys_of(pattern)
        assert keys, pattern
        for name, read in loaded.items():
            for key in keys:
                width = read["widths"][f"{file} {size} {key}"]
                if width > room:
                    wide[name, key, size] = f"{read['messages'][key]}: {width:.0f} of {room}"
    assert wide == {}


def test_the_game_loads_every_translation() -> None:
    listed = re.findall(r"res://i18n/(\w+\.po)", (ROOT / "project.godot").read_text("utf-8"))
    assert sorted(listed) == sorted(path.name for path in WORDS.glob("*.po"))


def test_nothing_is_left_in_english() -> None:
    same = [key for key, text in GERMAN.items() if text == ENGLISH[key] and LETTERS.search(without_shared(text))]
    assert same == []
    # What stands in a language of its own: names, quotations, flags and file names.
    quoted = re.compile(r"CUDA out of memory|out of memory|\w+\(\w*\)|[\w.]+_[\w.]+|[\w-]+\.json")
    left = {key: ENGLISH_ONLY.findall(quoted.sub("", PARAMETER.sub("", text))) for key, text in GERMAN.items()}
    assert {key: found for key, found in left.items() if found} == {}


def test_a_machine_has_one_name_in_a_language() -> None:
    kinds = {ENGLISH[key]: text for key, text in GERMAN.items() if key.startswith("KIND_")}
    foreign = [name for name, german in kinds.items() if name not in german]
    assert "Model Server" in foreign
    assert [(key, name) for key, text in GERMAN.items() for name in foreign if name in text] == []


def without_shared(text: str) -> str:
    """A text without its parameters and the words that are the same in both languages."""
    return SHARED.sub("", PARAMETER.sub("", text))


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
    scripts = {name: (SCENES / "settings" / f"{name}.gd").read_text("utf-8") for name in ("settings", "actions")}
    for name in re.findall(r'^\t"(\w+)": ', scripts["settings"].split("const CHOICES")[0], re.MULTILINE):
        yield from (f"SETTINGS_{name.upper()}", f"SETTINGS_{name.upper()}_TIP")
    for group in re.findall(r'^\t"(\w+)":$', scripts["actions"], re.MULTILINE):
        yield f"ACTIONS_{group.upper()}"
    for page in ("looks", "sound", "game", "keys"):
        yield f"SETTINGS_PAGE_{page.upper()}"
    for palette in ("normal", "protan", "deutan", "tritan"):
        yield f"SETTINGS_PALETTE_{palette.upper()}"
    for kind in {kind for level in levels for kind in level.allowed} | {"select", "belt", "delete"}:
        yield from (f"TOOL_{kind.upper()}", f"TOOL_{kind.upper()}_TIP")
    for name in {OF_A_TENANT.sub("", name) for level in levels for each in level.settings.values() for name in each}:
        yield from (f"SETTING_{name.upper()}", f"SETTING_{name.upper()}_TIP")
    for state in STATES:
        yield f"STATE_{state.upper()}"
    for limit in LIMITS:
        yield f"LIMIT_{limit.upper()}"
    settings = (ROOT / "project.godot").read_text("utf-8")
    actions = re.findall(r"^(\w+)={$", settings[settings.index("[input]") :], re.MULTILINE)
    for action in {*actions, "cursor", "pan", "ui_accept", "ui_cancel"} - {"ui_focus_next", "ui_focus_prev"}:
        yield f"ACTION_{action.upper()}"
    for group in (CONCEPT, MACHINE):
        yield f"CODEX_GROUP_{group.upper()}"
    for button in ("skip", "done", "export"):
        yield from (f"QUESTION_{button.upper()}", f"QUESTION_{button.upper()}_TIP")
    for button in ("LESSON_BACK", "TUTORIAL_ASIDE", "TUTORIAL_SHOW"):
        yield from (button, f"{button}_TIP")
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


def test_what_a_step_would_change_is_green_where_the_levels_goals_are_kept_better() -> None:
    box = (SCENES / "details" / "what_if_box.gd").read_text("utf-8")
    told = set(re.findall(r'"(goal\.\w+)"', box.split("const HIGHER_IS_BETTER")[1].split("]")[0]))
    goals = [goal for level in campaign() for goal in level.goals]
    assert {f"goal.{goal.metric}" for goal in goals if goal.at_least} <= told
    assert told.isdisjoint(f"goal.{goal.metric}" for goal in goals if not goal.at_least)


def test_words_use_only_the_parameters_that_come_with_a_code() -> None:
    wrong = {code: set(PARAMETER.findall(ENGLISH.get(code, ""))) - set(names) for code, names in CODES.items()}
    assert {code: names for code, names in wrong.items() if names} == {}


@pytest.mark.parametrize("path", sorted(WORDS.glob("*.po")), ids=lambda path: path.name)
def test_every_translation_says_all_that_english_says_with_the_same_parameters(path: Path) -> None:
    others = messages(path)
    assert sorted(others) == sorted(ENGLISH)
    assert [key for key, text in others.items() if not text.strip()] == []
    for key, text in others.items():
        assert sorted(PARAMETER.findall(text)) == sorted(PARAMETER.findall(ENGLISH[key])), key
