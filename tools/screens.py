"""./factory screens: the pictures and the animation of the README, taken from the game on a virtual display."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PIL import Image, ImageChops

from tools import autoplay, godot
from tools.autoplay import Window, build, game_window, reference_layout
from tools.paths import ROOT, Problem
from tools.probe import Event
from tools.process import say

FOLDER = ROOT / "docs" / "pictures"
# A frame stands for this much of a second, however long it took to draw, so that the animation runs at the true speed.
FRAMES_PER_SECOND = 12
FRAMES = 60
WIDTH = 960
COLOURS = 160
SHADE = 0xF8  # shades that differ by less are one
COLOURED = 60  # how far apart the channels of a bright colour are, of 255
COMMON = 10  # one colour of so many is kept as it is
STILL_STEP = 4  # how many shades of a channel are one in a still picture
PLAIN, SMALLER = Image.Dither.NONE, Image.Resampling.LANCZOS
SETTLE_S = 1.0
LOOKS, LOOK_S = 30, 0.4
LIVING_S = 20.0  # of real time, in which the title's factory comes to life
FULL_PS = 42 * 10**12  # the belts are full of traffic, and the goals are judged
MOST_BYTES = 3_000_000


def run(arguments: list[str]) -> int:
    """Carry out ./factory screens."""
    if arguments:
        raise Problem("screens takes no arguments", status=2)
    with game() as window:
        time.sleep(LIVING_S)
        keep(window, "title")
        play(window, 1)
        animate(window, "running")
    with game() as window:
        play(window, 2)
        for panel in ("memory", "requests"):
            window.hand.click(window.probe.target(f"dock:{panel}"))
            window.hand.move(autoplay.ASIDE)
            time.sleep(SETTLE_S)
            keep(window, panel)
    with game() as window:
        play(window, 3)
        keep(window, "speculation", looks=LOOKS)
    for path in sorted(FOLDER.iterdir()):
        say(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")
    return 0


@contextmanager
def game() -> Iterator[Window]:
    """The game at its title."""
    with game_window([godot.game(), "--path", str(ROOT), "--fixed-fps", str(FRAMES_PER_SECOND)]) as window:
        window.probe.wait_screen("title", autoplay.START_S)
        window.probe.target("title:play")
        yield window


def play(window: Window, level: int) -> None:
    """From the title into a level; its reference layout, full of traffic, at its true speed."""
    window.hand.click(window.probe.target(f"title:level_{level}"))
    window.probe.wait_screen("level", autoplay.START_S)
    build(window, reference_layout(level))
    window.hand.key("Escape")
    window.hand.click(window.probe.target("time:start"))
    window.hand.click(window.probe.target("time:8"))

    def full() -> Event | None:
        clock = window.probe.last("clock")
        return clock if clock and clock["t_ps"] >= FULL_PS else None

    window.probe.wait("traffic", full, autoplay.RESULT_S)
    window.hand.click(window.probe.target("time:1"))
    window.hand.move(autoplay.ASIDE)
    time.sleep(SETTLE_S)


def keep(window: Window, name: str, looks: int = 1) -> None:
    """Keep what is shown; of several looks the most colourful one. Shades that nobody tells apart become one, which
    halves the file.
    """
    best = window.display.image()
    for _ in range(looks - 1):
        time.sleep(LOOK_S)
        best = max(best, window.display.image(), key=colourful)
    FOLDER.mkdir(parents=True, exist_ok=True)
    rough = best.point(lambda value: min(value + STILL_STEP // 2, 255) // STILL_STEP * STILL_STEP)
    rough.save(FOLDER / f"{name}.png", optimize=True)


def colourful(picture: Image.Image) -> int:
    """How many pixels have a bright colour: traffic has."""
    return int((np.ptp(np.asarray(picture), axis=2) > COLOURED).sum())


def animate(window: Window, name: str) -> None:
    """Keep some seconds of what happens, as a GIF in true time."""
    frames = [shot.resize((WIDTH, shot.height * WIDTH // shot.width), SMALLER) for shot in frames_of(window)]
    colours = palette(frames[:: len(frames) // 6], COLOURS)
    flat = [frame.quantize(palette=colours, dither=PLAIN) for frame in frames]
    path = FOLDER / f"{name}.gif"
    path.parent.mkdir(parents=True, exist_ok=True)
    flat[0].save(path, save_all=True, append_images=flat[1:], duration=1000 // FRAMES_PER_SECOND, loop=0, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise Problem(f"{path.name} has {path.stat().st_size} bytes, more than {MOST_BYTES}")


def palette(pictures: list[Image.Image], count: int) -> Image.Image:
    """One palette for all pictures. The bright colours, which carry the meaning, have half of it: those that most
    pixels have as they are, of the others each shade as much as any other.
    """
    pixels = np.concatenate([np.asarray(picture).reshape(-1, 3) for picture in pictures])
    coloured = np.ptp(pixels, axis=1) > COLOURED
    plain, pixels_of = np.unique(pixels[coloured], axis=0, return_counts=True)
    common = plain[np.argsort(pixels_of)[::-1][: count // COMMON]]
    entries: list[int] = common.ravel().tolist()
    shades = np.unique(pixels[coloured] & SHADE, axis=0)
    for part, share in ((pixels[~coloured], count - count // 2), (shades, count // 2 - len(common))):
        if len(part):
            found = Image.fromarray(part[np.newaxis]).quantize(share, method=Image.Quantize.MEDIANCUT).getpalette()
            entries += (found or [])[: share * 3]
    whole = Image.new("P", (1, 1))
    whole.putpalette(entries)
    return whole


def frames_of(window: Window) -> list[Image.Image]:
    """So many pictures of the window, each of another frame of the game."""
    found: list[Image.Image] = []
    deadline = time.monotonic() + autoplay.RESULT_S
    while len(found) < FRAMES:
        if time.monotonic() > deadline:
            raise Problem("the game draws no frames")
        shot = window.display.image()
        if not found or ImageChops.difference(found[-1], shot).getbbox():
            found.append(shot)
        time.sleep(0.02)
    return found
