"""The pictures of the README: there, small, and with the colours that carry the meaning."""

import re

from PIL import Image

from tools.paths import ROOT
from tools.screens import MOST_BYTES, palette

MOST_BYTES_TOGETHER = 5_000_000


def test_the_readme_shows_pictures_and_an_animation_that_are_there_and_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((docs/pictures/[\w.]+)\)", (ROOT / "README.md").read_text("utf-8"))
    paths = [ROOT / name for name in shown]
    assert {path.name for path in paths} == {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    moving = [path for path in paths if path.suffix == ".gif"]
    assert moving
    for path in moving:
        with Image.open(path) as picture:
            assert picture.n_frames > 20
        assert path.stat().st_size < MOST_BYTES
    assert sum(path.stat().st_size for path in paths) < MOST_BYTES_TOGETHER


def test_a_palette_keeps_a_colour_that_few_pixels_have() -> None:
    picture = Image.radial_gradient("L").convert("RGB")
    picture.putpixel((3, 3), (240, 84, 180))
    small = picture.quantize(palette=palette([picture], 32), dither=Image.Dither.NONE).convert("RGB")
    red, green, blue = small.getpixel((3, 3))
    assert red > 200 > 120 > green
    assert blue > 140
