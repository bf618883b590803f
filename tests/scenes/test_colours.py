"""Colours with a meaning can be told apart, and text can be read, for eyes that lack red, green or blue too.

What a dichromat sees is simulated after Machado, Oliveira and Fernandes (2009) at full severity; how different two
colours look is measured by CIEDE2000. The lens over the picture (scenes/settings/lens.shader) is done here in numbers.
"""

import colorsys
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.paths import ROOT

Colour = NDArray[np.float64]
PALETTE = (ROOT / "scenes" / "theme" / "palette.gd").read_text("utf-8")
HUES = (ROOT / "scenes" / "theme" / "hues.gd").read_text("utf-8")
LENS = (ROOT / "scenes" / "settings" / "lens.shader").read_text("utf-8")
REQUESTS = (ROOT / "scenes" / "requests" / "request_colours.gd").read_text("utf-8")

# What is left of linear red, green and blue without one kind of cones.
SEEN: dict[str, Colour] = {
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
# Of two kinds of packets, side by side; the eye tells about 1 apart, a glance about 10.
APART, APART_IN_CONTRAST = 17.0, 9.0
REQUESTS_APART, NEIGHBOURS_APART = 6.5, 20.0
READABLE, WELL_READABLE = 4.5, 7.0


def colour(text: str) -> Colour:
    return np.array([int(text[-6:][at : at + 2], 16) / 255 for at in (0, 2, 4)])


NAMED: dict[str, Colour] = {
    name: colour(value) for name, value in re.findall(r'const (\w+) := Color\("([0-9a-f]+)"\)', PALETTE)
}
KINDS = {kind: NAMED[name] for kind, name in re.findall(r'"(\w+)": ([A-Z]+)', PALETTE[PALETTE.index("PACKETS :=") :])}
MOVED: dict[str, dict[str, Colour]] = {
    name: {kind: colour(value) for kind, value in re.findall(r'"(\w+)": "([0-9a-f]{6})"', line)}
    for name, line in re.findall(r'"(\w+)":\n\t\{(.*?)\}', HUES, re.DOTALL)
}
IN_LENS: dict[str, float] = {name: float(value) for name, value in re.findall(r"const float (\w+) = ([\d.]+);", LENS)}
WEIGHTS = np.array([float(part) for part in re.findall(r"WEIGHTS = vec3\((.*?)\)", LENS)[0].split(",")])
PANELS = {name: NAMED[name] for name in ("PANEL", "PANEL_INSET", "PANEL_HOVER", "BACKGROUND")}
WORDS = ("TEXT", "TEXT_SOFT", "TEXT_FAINT")


# -- the lens --------------------------------------------------------------------------------------------------------


def circle(palette: str) -> list[tuple[float, Colour]]:
    """Where hues go: (hue, pure colour) of each colour with a meaning, as scenes/theme/hues.gd reckons."""

    def stop(before: Colour, after: Colour) -> tuple[float, Colour]:
        hue, saturation, value = colorsys.rgb_to_hsv(*before)
        return hue, np.clip((after / value - (1 - saturation)) / saturation, 0, 1)

    stops = [stop(KINDS[kind], after) for kind, after in MOVED[palette].items()]
    return sorted([*stops, stop(NAMED["SELECTION"], NAMED["SELECTION"])], key=lambda each: each[0])


def moved(seen: Colour, palette: str) -> Colour:
    """A colour in a palette."""
    most, least = seen.max(), seen.min()
    if most - least <= 0.004:
        return seen
    stops = circle(palette)
    hues = [stops[-1][0] - 1, *(hue for hue, _ in stops), stops[0][0] + 1]
    pure = np.array([stops[-1][1], *(pure for _, pure in stops), stops[0][1]])
    hue = colorsys.rgb_to_hsv(*seen)[0]
    at = np.array([np.interp(hue, hues, pure[:, part]) for part in range(3)])
    mixed: Colour = least + (most - least) * at
    return mixed


def contrasted(seen: Colour) -> Colour:
    """A colour in high contrast."""
    light = float(seen @ WEIGHTS)
    points = [0.0, IN_LENS["DARK"], IN_LENS["BRIGHT"], 1.0]
    wanted = np.interp(light, points, [0.0, IN_LENS["DARKER"], IN_LENS["BRIGHTER"], 1.0])
    paler = light + (seen - light) * IN_LENS["PALER"]
    return np.clip(paler * wanted / max(light, 0.004), 0, 1)


# -- what is seen ----------------------------------------------------------------------------------------------------


def linear(seen: Colour) -> Colour:
    return np.where(seen <= 0.04045, seen / 12.92, ((seen + 0.055) / 1.055) ** 2.4)


def contrast(one: Colour, other: Colour) -> float:
    """As the WCAG reckons it."""
    light = sorted(float(linear(each) @ [0.2126, 0.7152, 0.0722]) + 0.05 for each in (one, other))
    return light[1] / light[0]


def lab(seen: Colour, eyes: str | None = None) -> Colour:
    cones = linear(seen) if eyes is None else np.clip(SEEN[eyes] @ linear(seen), 0, 1)
    x, y, z = XYZ @ cones / WHITE
    fx, fy, fz = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def difference(one: Colour, other: Colour) -> float:
    """CIEDE2000 of two colours in Lab."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    waves: Any = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * waves)
    blue = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(blue)
    return float(np.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh))


# -- the tests -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "expected"),  # from the data that Sharma, Wu and Dalal publish with their notes on CIEDE2000
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_differences_are_those_of_ciede2000(one: Any, other: Any, expected: float) -> None:
    assert difference(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)


def test_each_palette_moves_every_kind_of_packet() -> None:
    assert set(MOVED) == {"protan", "deutan", "tritan"}
    assert {frozenset(kinds) for kinds in MOVED.values()} == {frozenset(KINDS)}


@pytest.mark.parametrize("palette", MOVED)
def test_the_lens_can_show_each_colour_as_the_palette_names_it(palette: str) -> None:
    for kind, wanted in MOVED[palette].items():
        assert np.abs(moved(KINDS[kind], palette) - wanted).max() < 2.5 / 255, kind


@pytest.mark.parametrize("eyes", SEEN)
def test_the_kinds_of_packets_differ_in_the_palette_for_these_eyes(eyes: str) -> None:
    """Prompts are accepted and good too, rejects are bad: those are among the pairs."""
    for (one, first), (other, second) in combinations(KINDS.items(), 2):
        there = difference(lab(moved(first, eyes), eyes), lab(moved(second, eyes), eyes))
        assert there >= APART, (one, other)
        in_contrast = [contrasted(moved(each, eyes)) for each in (first, second)]
        assert difference(lab(in_contrast[0], eyes), lab(in_contrast[1], eyes)) >= APART_IN_CONTRAST, (one, other)


def test_without_a_palette_some_kinds_look_the_same_to_these_eyes() -> None:
    """Else palettes would not be needed."""
    for eyes in SEEN:
        pairs = combinations(KINDS.values(), 2)
        assert min(difference(lab(one, eyes), lab(other, eyes)) for one, other in pairs) < APART / 1.5


@pytest.mark.parametrize("eyes", SEEN)
def test_used_memory_differs_from_free_memory_and_each_kind_from_the_floor(eyes: str) -> None:
    free = colour(re.findall(r'FREE := Color\("(\w+)"\)', (ROOT / "scenes/memory/blocks_map.gd").read_text("utf-8"))[0])
    for ground in (free, NAMED["PANEL_INSET"], NAMED["BACKGROUND"]):
        for kind, there in KINDS.items():
            assert difference(lab(moved(there, eyes), eyes), lab(moved(ground, eyes), eyes)) > 2 * APART, kind


@pytest.mark.parametrize("eyes", SEEN)
def test_requests_differ_in_the_palette_for_these_eyes(eyes: str) -> None:
    seen = [lab(moved(colour(text), eyes), eyes) for text in re.findall(r'Color\("(\w+)"\)', REQUESTS)]
    assert min(difference(one, other) for one, other in combinations(seen, 2)) >= REQUESTS_APART
    neighbours = zip(seen, seen[1:] + seen[:1], strict=True)
    assert min(difference(one, other) for one, other in neighbours) >= NEIGHBOURS_APART


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("palette", ["normal", *MOVED])
def test_words_can_be_read_on_every_panel(panel: str, palette: str) -> None:
    for name in WORDS:
        words, ground = (each if palette == "normal" else moved(each, palette) for each in (NAMED[name], PANELS[panel]))
        assert contrast(words, ground) >= READABLE, name
        assert contrast(contrasted(words), contrasted(ground)) >= WELL_READABLE, name


@pytest.mark.parametrize("panel", ["PANEL", "PANEL_INSET", "BACKGROUND"])
@pytest.mark.parametrize("palette", ["normal", *MOVED])
def test_coloured_words_can_be_read_where_they_stand(panel: str, palette: str) -> None:
    lit = {f"light {kind}": there + (1 - there) * 0.25 for kind, there in KINDS.items()}
    for kind, there in {**KINDS, **lit}.items():
        words, ground = (each if palette == "normal" else moved(each, palette) for each in (there, PANELS[panel]))
        assert contrast(words, ground) >= READABLE, kind
        assert contrast(contrasted(words), contrasted(ground)) >= WELL_READABLE, kind


def test_words_on_coloured_buttons_can_be_read() -> None:
    on_buttons = [(np.ones(3), NAMED["SELECTION"])]
    on_buttons += [(NAMED["BACKGROUND"], NAMED[name]) for name in ("PROMPT", "REJECT")]
    for words, ground in on_buttons:
        assert contrast(words, ground) >= READABLE
        assert contrast(contrasted(words), contrasted(ground)) >= WELL_READABLE
        for palette in MOVED:
            assert contrast(moved(words, palette), moved(ground, palette)) >= READABLE
