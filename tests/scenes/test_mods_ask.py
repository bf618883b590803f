"""Where a system lacks walls, the browser asks before a mod's first run, and says what the mod could do."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.mods.library import Library
from engine.mods.sandbox import WALLS
from engine.protocol.mods import Mods
from tests.scenes.mods_for_tests import LIVELY, put
from tests.scenes.test_words import ENGLISH

pytestmark = pytest.mark.godot


def test_missing_walls_are_named_and_a_pad_lets_the_mod_run(run_script: Callable[..., str], tmp_path: Path) -> None:
    put(tmp_path / "mods", "lively", {"title": {"en": "Lively"}}, LIVELY)
    mods = Mods()
    mods.library = Library(tmp_path, walls=lambda: WALLS)
    mods.library.finish()
    told, output = tmp_path / "told.json", tmp_path / "output.json"
    told.write_text(json.dumps(mods.ask("mods", {}, None)), "utf-8")
    mods.close()
    run_script("mods_ask.gd", TOLD=str(told), OUTPUT=str(output))
    shown = json.loads(output.read_text("utf-8"))
    assert shown["inside"]
    assert shown["said"]["rows"] == ["Lively: Asks to run"]
    for wall in WALLS:
        assert any(ENGLISH[wall] in text for text in shown["said"]["details"])
    assert shown["given"] == [{"do": "mod_allow", "id": "lively"}]
