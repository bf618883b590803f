"""./factory play where there is no display: level 1 is built by mouse and keys in the real window, and won."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ("start", "running", "win")

pytestmark = pytest.mark.godot


@pytest.fixture(scope="module")
def played() -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    for name in PICTURES:
        (ROOT / "build" / "screens" / f"{name}.png").unlink(missing_ok=True)
    return subprocess.run(
        [ROOT / "factory", "play"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_level_1_is_won(played: subprocess.CompletedProcess[str]) -> None:
    assert played.returncode == 0, played.stdout + played.stderr
    assert "level 1 won" in played.stdout
    assert "Traceback" not in played.stdout + played.stderr


def test_the_game_and_the_command_line_end_in_the_same_state(played: subprocess.CompletedProcess[str]) -> None:
    shown = re.search(r"hash (\w+)", played.stdout)
    assert shown, played.stdout + played.stderr
    command = [sys.executable, "-m", "engine", "run", "1", "--speed", "max", "--json"]
    result = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    assert shown.group(1) == result["hash"]


def test_its_pictures_show_three_different_moments(played: subprocess.CompletedProcess[str]) -> None:
    images = []
    for name in PICTURES:
        with Image.open(ROOT / "build" / "screens" / f"{name}.png") as image:
            images.append(image.convert("RGB"))
    assert [image.size for image in images] == [(1280, 720)] * 3
    for image in images:
        assert len(image.getcolors(maxcolors=1280 * 720) or []) > 500, "a picture is all but empty"
    for one, other in ((0, 1), (1, 2)):
        assert ImageChops.difference(images[one], images[other]).getbbox(), "two pictures are the same"
