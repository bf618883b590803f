"""The arrows between the rooms: who may import whom, read from the sources."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {"engine", "levels", "mods", "scripts_py", "scenes", "tools", "art", "tests", "addons", "godot"}
# Room -> the other rooms it may import.
ALLOWED = {
    "engine": set[str](),
    "levels": {"engine"},
    "mods": {"engine"},
    "scripts_py": {"engine", "godot"},
    "art": set[str](),
    "tools": {"engine", "levels"},
}


def imported(source: str) -> set[str]:
    """Return the first names of all modules that a Python source imports, however it does so."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                names.add(node.args[0].value.split(".")[0])
    return names


def sources(room: str) -> Iterator[Path]:
    found = sorted((ROOT / room).rglob("*.py"))
    assert found, f"{room}/ holds no Python"
    yield from found


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    wrong = {
        str(path.relative_to(ROOT)): sorted(others)
        for path in sources(room)
        if (others := (imported(path.read_text("utf-8")) & ROOMS) - ALLOWED[room] - {room})
    }
    assert wrong == {}


def test_no_python_lies_among_the_scenes() -> None:
    assert list((ROOT / "scenes").rglob("*.py")) == []


def test_only_scripts_py_and_the_plugin_import_godot() -> None:
    places = {"scripts_py", "addons", "tests"}
    folders = [
        path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".") and path.name != "build"
    ]
    users = {
        folder.name
        for folder in folders
        for path in folder.rglob("*.py")
        if "godot" in imported(path.read_text("utf-8"))
    }
    assert "scripts_py" in users
    assert users <= places


def test_scenes_reach_python_only_through_scripts_py() -> None:
    files = [*ROOT.glob("project.godot"), *(ROOT / "scenes").rglob("*.gd"), *(ROOT / "scenes").rglob("*.tscn")]
    references = {name for path in files for name in re.findall(r'res://([^"]+\.py)"', path.read_text("utf-8"))}
    assert references, "no scene binds a Python script"
    assert {name for name in references if not name.startswith("scripts_py/")} == set()


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import godot", {"godot"}),
        ("from godot import exposed", {"godot"}),
        ("def f():\n    import scenes.hud as h", {"scenes"}),
        ("import importlib\nimportlib.import_module('godot')", {"importlib", "godot"}),
        ("from . import godot", set()),
        ("text = 'import godot'", set()),
    ],
)
def test_every_way_to_import_is_seen(source: str, names: set[str]) -> None:
    assert imported(source) == names


def test_a_newcomer_is_told_what_each_folder_of_the_engine_holds() -> None:
    told = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    folders = {path.parent.name for path in (ROOT / "engine").glob("*/__init__.py")}
    assert folders
    assert {folder for folder in folders if f"`{folder}/`" not in told} == set()
