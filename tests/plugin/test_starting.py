"""Starting: where Python is found, what is said when it is not, and that nothing outside disturbs it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugin.godot_project import Project, Run
from tools import build_plugin
from tools.paths import ROOT

HELLO = """
from godot import Node, exposed


@exposed
class Hello(Node):
    def _ready(self):
        import json
        import os
        import sys

        import engine_stub

        facts = {"path": sys.path, "executable": sys.executable, "module": engine_stub.WHERE, "cwd": os.getcwd()}
        print("RESULT " + json.dumps(["hello", facts]))
        self.get_tree().quit()
"""
SCENE = """[gd_scene load_steps=2 format=2]

[ext_resource path="res://hello.py" type="Script" id=1]

[node name="Hello" type="Node"]
script = ExtResource( 1 )
"""


@pytest.fixture
def hello(project: Project) -> Project:
    """A project whose main scene is one node with a Python script."""
    (project.folder / "hello.py").write_text(HELLO, "utf-8")
    (project.folder / "hello.tscn").write_text(SCENE, "utf-8")
    (project.folder / "engine_stub.py").write_text('WHERE = "project"\n', "utf-8")
    settings = (project.folder / "project.godot").read_text("utf-8")
    start = 'config/name="Plugin tests"\n'
    assert start in settings
    settings = settings.replace(start, f'{start}run/main_scene="res://hello.tscn"\n')
    (project.folder / "project.godot").write_text(settings, "utf-8")
    return project


def test_beside_the_launcher_python_knows_a_program_that_runs_it(hello: Project) -> None:
    launcher = hello.library / build_plugin.LAUNCHER.name
    shutil.copy(build_plugin.LAUNCHER, launcher)
    assert hello.run().results["hello"]["executable"] == str(launcher)


MOD_RUNS = """
import json
import sys
import time
from pathlib import Path

from godot import Node, exposed


@exposed
class Hello(Node):
    def _ready(self):
        sys.path.insert(0, "@ROOT@")
        from engine.mods.runner import load_level

        here = Path("@FOLDER@")
        self.loading = load_level(here / "level.py", [], here)
        self.frames = 0

    def _process(self, _delta):
        result = self.loading.poll()
        self.frames += 1
        if result is not None:
            level = result.levels[0].id if hasattr(result, "levels") else str(result)
            print("RESULT " + json.dumps(["hello", {"level": level, "frames": self.frames}]))
            self.get_tree().quit()
"""


def test_mods_run_beside_a_game_in_godot(hello: Project, tmp_path: Path) -> None:
    shutil.copy(build_plugin.LAUNCHER, hello.library)
    shutil.copy(ROOT / "levels" / "level_1_prefill_and_decode.py", tmp_path / "level.py")
    source = MOD_RUNS.replace("@ROOT@", str(ROOT)).replace("@FOLDER@", str(tmp_path))
    (hello.folder / "hello.py").write_text(source, "utf-8")
    told = hello.run().results["hello"]
    assert told["level"] == "prefill_and_decode"
    assert told["frames"] > 3, "frames went on meanwhile"


FACTS = "import os, sys; print(sys.version_info[:2], sys.flags.isolated, os.path.dirname(os.__file__), sys.argv[1])"


def test_the_launcher_is_the_python_of_the_conf_whatever_the_environment_says(tmp_path: Path) -> None:
    shutil.copy(build_plugin.LAUNCHER, tmp_path)
    (tmp_path / "pythonscript.conf").write_text(build_plugin.conf(tmp_path), "utf-8")
    command = [tmp_path / build_plugin.LAUNCHER.name, "-I", "-S", "-c", FACTS, "übergabe"]
    outside = {"PYTHONPATH": "/nowhere", "PYTHONHOME": "/nowhere"}
    for env in ({}, outside):
        done = subprocess.run(command, cwd="/", env=env, capture_output=True, check=True)
        facts = (tuple(sys.version_info[:2]), 1, str(Path(shutil.__file__).parent), "übergabe")
        assert done.stdout.decode() == f"{' '.join(map(str, facts))}\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("libpython=/nowhere/libpython3.so", "/nowhere/libpython3.so, named in %s, is missing"),
        ("libpython=libc.so.6", "libc.so.6, named in %s, cannot be loaded: it is not a Python library"),
        ("home=.", "'home=' in %s, holds no standard library of it"),
    ],
)
def test_a_launcher_that_cannot_start_says_why(tmp_path: Path, line: str, told: str) -> None:
    shutil.copy(build_plugin.LAUNCHER, tmp_path)
    conf = tmp_path / "pythonscript.conf"
    conf.write_text(f"{build_plugin.conf(tmp_path)}{line}\n", "utf-8")
    done = subprocess.run([tmp_path / build_plugin.LAUNCHER.name], capture_output=True, text=True, check=False)
    assert done.returncode == 127
    assert told % conf in done.stderr


def with_conf(project: Project, key: str, value: str | None) -> None:
    """Replace the first line of a key in the project's conf, or take all of them out."""
    lines = project.conf.read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(f"{key}=")]
    if value is not None:
        kept.append(f"{key}={value}")
    assert kept != lines
    project.conf.write_text("\n".join([*kept, ""]), "utf-8")


def test_a_scene_of_one_node_runs_from_another_folder(hello: Project, tmp_path: Path) -> None:
    run = hello.run(cwd=tmp_path)
    assert run.status == 0, run.output
    assert run.results["hello"]["module"] == "project"
    assert run.results["hello"]["executable"] == "", "it would name some other Python"


def test_the_environment_does_not_reach_python(hello: Project, tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish"
    rubbish.mkdir()
    for name in ("json", "sitecustomize", "usercustomize", "engine_stub"):
        (rubbish / f"{name}.py").write_text('raise RuntimeError("rubbish was imported")\n', "utf-8")
    run = hello.run(env={"PYTHONPATH": str(rubbish), "PYTHONHOME": "/nowhere", "PYTHONSTARTUP": "/nowhere"})
    assert run.status == 0, run.output
    assert run.results["hello"]["module"] == "project"
    assert str(rubbish) not in run.results["hello"]["path"]
    assert "rubbish" not in run.output


def assert_told(run: Run, message: str) -> None:
    """The error names what is missing and what to do; Godot itself ran on and ended by itself."""
    told = run.error(" Python: ")
    assert message in told
    assert "Run './factory setup'" in told
    assert "hello" not in run.results
    assert run.status >= 0, "it crashed"


def test_a_missing_conf_is_told(hello: Project) -> None:
    hello.conf.unlink()
    assert_told(hello.run("--quit"), f"{hello.conf} is missing")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("libpython", "/nowhere/libpython3.so", "/nowhere/libpython3.so, named in %s, is missing"),
        ("libpython", "libnothing-of-that-name.so", "libnothing-of-that-name.so, named in %s, cannot be loaded: "),
        ("libpython", None, "%s has no line 'libpython='"),
        ("libpython", "not_python.so", "libpythonscript.so, named in %s, is not a Python library"),
        ("home", "/nowhere/home", "/nowhere/home, 'home=' in %s, is missing"),
        ("home", ".", "'home=' in %s, holds no standard library of it"),
        ("path", "/nowhere/path", "/nowhere/path, 'path=' in %s, is missing"),
        ("path", ".", "the plugin could not start; the reason stands above. Check %s"),
        ("project", "/nowhere/project", "'/nowhere/project', 'project=' in %s, is missing"),
        ("project", None, "'', 'project=' in %s, is missing"),
    ],
)
def test_a_wrong_line_of_the_conf_is_told(hello: Project, key: str, value: str | None, message: str) -> None:
    if value == "not_python.so":
        value = str(hello.library / "libpythonscript.so")
    with_conf(hello, key, value)
    assert_told(hello.run("--quit"), message % hello.conf)


@pytest.mark.long
def test_the_editor_opens_and_closes_the_project(hello: Project) -> None:
    for _ in range(2):
        run = hello.run("-e", "--quit")
        assert run.status == 0, run.output
        told = {line for line in run.output.splitlines() if "Python: " in line}
        assert all("res://broken_" in line for line in told), "modules without an exposed class are no errors here"


@pytest.mark.long
def test_an_exported_game_runs_from_another_folder(hello: Project, tmp_path: Path) -> None:
    xvfb, template = shutil.which("xvfb-run"), shutil.which("godot3-runner")
    assert xvfb, "xvfb-run is not there"
    assert template, "godot3-runner is not there"
    (hello.folder / "export_presets.cfg").write_text(PRESET.format(template=template), "utf-8")
    game = tmp_path / "game"
    game.mkdir()
    hello.run("-e", "--quit")
    hello.run("--export", "Linux/X11", str(game / "game"))
    assert (game / "libpythonscript.so").is_file()
    lines = hello.conf.read_text("utf-8").splitlines()
    outside = [line for line in lines if "=" in line and line.partition("=")[2].startswith("/")]
    (game / "pythonscript.conf").write_text("\n".join([*outside, "path=python", "project=.", ""]), "utf-8")
    plugin_python = next(line for line in lines if line.startswith("path=../")).removeprefix("path=")
    shutil.copytree(hello.library / plugin_python, game / "python")
    for name in ("hello.py", "engine_stub.py", "keeper.py"):
        shutil.copy(hello.folder / name, game)
    hello.folder.rename(tmp_path / "moved away")
    run = hello.run(cwd=Path("/"), program=[xvfb, "-a", str(game / "game"), "--audio-driver", "Dummy"])
    assert run.status == 0, run.output
    assert run.results["hello"]["module"] == "project"
    assert run.results["hello"]["cwd"] == "/"
    assert str(game) in run.results["hello"]["path"]


PRESET = """[preset.0]

name="Linux/X11"
platform="Linux/X11"
runnable=true
custom_features=""
export_filter="all_resources"
include_filter="*.py"
exclude_filter=""
export_path=""
patch_list=PoolStringArray(  )
script_export_mode=1
script_encryption_key=""

[preset.0.options]

custom_template/release="{template}"
custom_template/debug="{template}"
binary_format/64_bits=true
"""
