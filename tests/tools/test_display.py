"""The virtual display shows a real Godot window, and its pictures show what the window does."""

import subprocess
import time
from pathlib import Path

import pytest
from PIL import Image

from tools import godot
from tools.display import HEIGHT, WIDTH, virtual_display
from tools.hand import Hand

pytestmark = pytest.mark.godot

# Red until it is clicked or a key is pressed, then green or blue.
SCRIPT = """extends Node2D


func _ready():
	VisualServer.set_default_clear_color(Color(1, 0, 0))


func _input(event):
	if event is InputEventMouseButton and event.pressed and event.position == Vector2(300, 200):
		VisualServer.set_default_clear_color(Color(0, 1, 0))
	if event is InputEventKey and event.pressed and event.scancode == KEY_R:
		VisualServer.set_default_clear_color(Color(0, 0, 1))
"""
SCENE = """[gd_scene load_steps=2 format=2]

[ext_resource path="res://main.gd" type="Script" id=1]

[node name="Main" type="Node2D"]
script = ExtResource( 1 )
"""
PROJECT = 'config_version=4\n\n[application]\n\nrun/main_scene="res://main.tscn"\nboot_splash/show_image=false\n'


@pytest.mark.long
def test_a_window_is_seen_and_reached_by_hand(tmp_path: Path) -> None:
    (tmp_path / "project.godot").write_text(PROJECT)
    (tmp_path / "main.gd").write_text(SCRIPT)
    (tmp_path / "main.tscn").write_text(SCENE)
    with virtual_display() as display:

        def wait_for(colour: tuple[int, int, int]) -> None:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                display.picture(tmp_path / "seen.png")
                with Image.open(tmp_path / "seen.png") as seen:
                    assert seen.size == (WIDTH, HEIGHT)
                    if seen.getpixel((640, 360)) == colour:
                        return
                time.sleep(0.1)
            pytest.fail(f"the window never showed {colour}")

        shape = ["--resolution", f"{WIDTH}x{HEIGHT}", "--position", "0,0", "--audio-driver", "Dummy"]
        environment = {**godot.environment(), "DISPLAY": display.name}
        game = subprocess.Popen([godot.game(), "--path", tmp_path, *shape], env=environment)
        try:
            wait_for((255, 0, 0))
            hand = Hand(display.name)
            hand.click((300, 200))
            wait_for((0, 255, 0))
            hand.key("r")
            wait_for((0, 0, 255))
        finally:
            game.terminate()
            game.wait()
