"""Every picture that the scenes load exists, on the canvas that art/README.md states, and is fit for use."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image as Pictures

from engine.floor.kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
FLOOR = ROOT / "scenes/floor"
SIDES = "eswn"
TURNS = (0, 1, 2, 3)
ROTATIONS = {
    "prompt_dock": (0,),
    "prefill_core": TURNS,
    "decode_core": TURNS,
    "page_allocator": TURNS,
    "draft_model": TURNS,
    "validation_gate": TURNS,
    "token_dock": (0,),
    "model_server": TURNS,
    "batcher": TURNS,
    "chunker": TURNS,
    "prefix_cache": TURNS,
    "gateway": TURNS,
    "router": TURNS,
    "api_port": TURNS,
}
FOOTPRINTS = {  # in tiles; the others are 2x2
    "prefill_core": (2, 1),
    "decode_core": (1, 1),
    "page_allocator": (2, 1),
    "draft_model": (1, 1),
    "validation_gate": (1, 1),
    "batcher": (1, 1),
    "chunker": (1, 1),
    "prefix_cache": (2, 1),
    "gateway": (2, 1),
    "router": (1, 1),
}
PACKETS = ("prompt", "kv", "token", "draft", "reject")
PLACED = tuple(kind for kind in ROTATIONS if not kind.endswith("_dock"))
ICONS = (*PLACED, "belt", "delete", "rotate", "select", "pause", "play")
PADS = ("nw", "n", "ne", "w", "c", "e", "sw", "s", "se")


def sprites() -> dict[str, tuple[int, int]]:
    """Each sprite with a free border, by its path in scenes/, and its canvas."""
    found: dict[str, tuple[int, int]] = {}
    for kind, rotations in ROTATIONS.items():
        for rot in rotations:
            for layer in ("base", "glow"):
                found[f"floor/machines/{kind}/{kind}_{rot}_{layer}.png"] = (640, 640)
    for variant in range(2):
        for layer in ("base", "glow"):
            found[f"floor/decor/rack_{variant}_{layer}.png"] = (320, 480)
    for layer in ("base", "glow"):
        found[f"floor/decor/cooler_{layer}.png"] = (320, 480)
    for name in ("cable", "cable_end"):
        found[f"floor/decor/{name}.png"] = (256, 192)
    for variant in range(3):
        found[f"floor/tiles/tile_{variant}.png"] = (264, 136)
    for side in "se":
        found[f"floor/tiles/edge_{side}.png"] = (264, 200)
    for enter in SIDES:
        for leave in SIDES:
            if enter != leave:
                found[f"floor/tiles/belt_{enter}_{leave}.png"] = (256, 192)
    for piece in PADS:
        found[f"floor/pads/pad_{piece}.png"] = (384, 224)
    for kind in PACKETS:
        found[f"floor/packets/{kind}.png"] = (64, 64)
    for name in ICONS:
        found[f"theme/icons/{name}.png"] = (64, 64)
    return found


@pytest.mark.parametrize(("path", "canvas"), sprites().items())
def test_sprite_is_there_whole_and_inside_its_canvas(path: str, canvas: tuple[int, int]) -> None:
    picture = Pictures.open(ROOT / "scenes" / path)
    assert picture.size == canvas
    assert picture.mode == "RGBA"
    alpha = picture.getchannel("A")
    assert alpha.getextrema()[1] > 4, "the picture is empty"
    width, height = canvas
    for edge in ((0, 0, width, 1), (0, height - 1, width, height), (0, 0, 1, height), (width - 1, 0, width, height)):
        assert alpha.crop(edge).getextrema() == (0, 0), "something is cut off at the canvas edge"


@pytest.mark.parametrize("kind", ROTATIONS)
def test_machine_stands_on_its_pivot(kind: str) -> None:
    """The solid body lies inside the footprint's diamond (2x2 at most) and reaches near its lower corner."""
    for rot in ROTATIONS[kind]:
        alpha = Pictures.open(FLOOR / f"machines/{kind}/{kind}_{rot}_base.png").getchannel("A")
        left, _top, right, bottom = alpha.point(lambda a: 255 if a > 250 else 0).getbbox()
        tiles = sum(FOOTPRINTS.get(kind, (2, 2)))
        assert left >= 320 - 64 * tiles - 2
        assert right <= 320 + 64 * tiles + 2
        assert 448 + 32 * tiles * 0.75 <= bottom <= 448 + 32 * tiles + 2


def test_the_view_gives_each_machine_the_tiles_that_the_engine_gives_it() -> None:
    table = (FLOOR / "machines/machine_art.gd").read_text(encoding="utf-8")
    rows = re.findall(r'"(\w+)": {"size": Vector2\((\d), (\d)\)', table)
    shown = {kind: (int(wide), int(deep)) for kind, wide, deep in rows}
    assert shown == {kind.name: kind.size for kind in KINDS.values()}
    assert shown == {kind: FOOTPRINTS.get(kind, (2, 2)) for kind in ROTATIONS}


def test_rotations_are_four_different_pictures() -> None:
    for kind, rotations in ROTATIONS.items():
        looks = {Pictures.open(FLOOR / f"machines/{kind}/{kind}_{rot}_base.png").tobytes() for rot in rotations}
        assert len(looks) == len(rotations)


def test_packets_differ_in_shape_even_without_colour() -> None:
    """As the game shows them: 20 pixels wide, outlines only. Each pair differs in a sixteenth of its pixels."""
    outlines = {}
    for kind in PACKETS:
        alpha = Pictures.open(FLOOR / f"packets/{kind}.png").getchannel("A").point(lambda a: 255 if a > 200 else 0)
        body = alpha.crop(alpha.getbbox()).resize((20, 20))
        outlines[kind] = [value > 127 for value in body.tobytes()]
    for one, other in combinations(PACKETS, 2):
        differing = sum(a != b for a, b in zip(outlines[one], outlines[other], strict=True))
        assert differing >= 25, f"{one} and {other} look alike"


def test_title_picture_and_game_icon() -> None:
    title = Pictures.open(ROOT / "scenes/title/title_background.png")
    assert title.size == (1920, 1080)
    left = title.convert("L").crop((0, 0, 640, 1080)).resize((1, 1), Pictures.Resampling.BOX).getpixel((0, 0))
    whole = title.convert("L").resize((1, 1), Pictures.Resampling.BOX).getpixel((0, 0))
    assert left < whole, "the left third has to be calm and dark for the title"
    icon = Pictures.open(ROOT / "icon.png")
    assert icon.size == (256, 256)
    assert icon.mode == "RGBA"


def test_fonts_carry_their_licence() -> None:
    fonts = ROOT / "scenes/theme/fonts"
    assert {f.stem for f in fonts.glob("*.otf")} == {"Inter-Regular", "Inter-Medium", "Inter-SemiBold", "Inter-Bold"}
    assert "SIL OPEN FONT LICENSE" in (fonts / "OFL.txt").read_text(encoding="utf-8")
