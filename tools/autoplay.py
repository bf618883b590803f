"""Plays level 1 as a person would, in the real window on a virtual display, and takes pictures.

The game tells where things are (tools/probe.py); everything done is done by mouse and keys (tools/hand.py).
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools import godot
from tools.display import HEIGHT, WIDTH, Display, virtual_display
from tools.hand import Hand
from tools.paths import BUILD, ROOT, Problem, build_folder
from tools.probe import Event, Probe
from tools.process import say

LEVEL = 1
PLAYER = "TokenFactory"  # where the game keeps a player's files (project.godot)
SCREENS = BUILD / "screens"
GAME_LOG = BUILD / "game.log"
START_S = 60.0
PLACE_S = 15.0
RESULT_S = 420.0
TRAFFIC_PS = 60 * 10**12  # the belts are full of traffic after this much simulated time
CLOSE_S = 10.0
# A frame stands for this much of a second, however long it took to draw: nobody is there to watch, and a game at 8x is
# over as soon as its frames are drawn. A frame may not be longer (scenes/level/level_screen.gd).
HASTE = ("--fixed-fps", "4")
ASIDE = (16.0, 360.0)  # where the mouse hides nothing


@dataclass(frozen=True)
class Window:
    """The game's window on a virtual display."""

    display: Display
    hand: Hand
    probe: Probe


@contextmanager
def game_window(
    command: list[str],
    folder: Path | None = None,
    size: tuple[int, int] = (WIDTH, HEIGHT),
    language: str = "en",
    mods: Path | None = None,
) -> Iterator[Window]:
    """Start a game in a window of a virtual display, and end it with the context. Its words go to build/game.log.

    `command` is the program with its arguments; `folder` the working directory to start it from; `language` that of
    the system, which the game speaks; `mods` a folder of mods that the player has.
    """
    shape = ["--resolution", f"{size[0]}x{size[1]}", "--position", "0,0", "--audio-driver", "Dummy"]
    build_folder()
    with (
        TemporaryDirectory(prefix="factory-play-") as work,
        virtual_display(*size) as display,
        GAME_LOG.open("wb") as log,
    ):
        told = Path(work) / "probe.jsonl"
        if mods is not None:
            shutil.copytree(mods, Path(work) / PLAYER / "mods")
        # A player's saves and settings are left alone.
        home = {f"XDG_{kind}_HOME": work for kind in ("DATA", "CONFIG", "CACHE")}
        environment = {**godot.environment(), **home, "DISPLAY": display.name, "LANG": language}
        environment.pop("WAYLAND_DISPLAY", None)
        game = subprocess.Popen(
            [*command, *shape, "--probe", str(told)], cwd=folder or ROOT, env=environment, stdout=log, stderr=log
        )
        try:
            yield Window(display, Hand(display.name), Probe(told, lambda: game.poll() is None))
        except Problem:
            display.picture(SCREENS / "stopped.png")  # what a person would have seen
            raise
        finally:
            game.terminate()
            try:
                game.wait(CLOSE_S)
            except subprocess.TimeoutExpired:
                game.kill()
                game.wait()


def play() -> int:
    """Play level 1 with its reference layout; return 0 only if the game says that it was won."""
    say(f"no display: playing level {LEVEL} on a virtual one")
    with game_window([godot.game(), "--path", str(ROOT), *HASTE]) as window:
        result = win_level(window, reference_layout(LEVEL))
    figures = f"tps {result['tps']:.2f}, ttft p95 {result['ttft_p95_s']:.3f} s, pause p95 {result['pause_p95_s']:.3f} s"
    say(f"level {LEVEL} {'won' if result['passed'] else 'lost'}: {figures}, hash {result['hash']}")
    say(f"pictures: {os.path.relpath(SCREENS)}/start.png, running.png, win.png")
    return 0 if result["passed"] is True else 1


def reference_layout(level: int) -> dict[str, Any]:
    """Return the layout that a level's author proved to win, in the layout schema."""
    from engine.level.load import load

    return load(str(level)).reference


def naive_layout(level: int) -> dict[str, Any]:
    """Return what a newcomer builds, in the layout schema."""
    from engine.level.load import load

    return load(str(level)).naive


def win_level(window: Window, layout: dict[str, Any], pictures: Path = SCREENS) -> Event:
    """Go from the title to the end of level 1, building `layout`; return the game's result event."""
    hand, probe, display = window.hand, window.probe, window.display
    probe.wait_screen("title", START_S)
    probe.target("title:play", START_S)
    probe.wait_drawn(START_S)  # its levels were put in a row since
    hand.click(probe.target("title:play"))
    probe.wait_screen("level", START_S)
    build(window, layout)
    display.picture(pictures / "start.png")
    hand.click(probe.target("time:start"))
    hand.click(probe.target("time:8"))
    hand.move(ASIDE)
    say("the factory is built and runs at 8x")
    _let_run(probe)
    display.picture(pictures / "running.png")
    result = probe.wait("the result", lambda: probe.last("result"), RESULT_S)
    if result["passed"]:
        probe.wait_screen("win")
        probe.target("win:next")
    display.picture(pictures / "win.png")
    return result


def build(window: Window, layout: dict[str, Any]) -> None:
    """Build a layout on the empty floor: machines by click, R turns them, belts by dragging from port to port."""
    turned = dict.fromkeys((machine["kind"] for machine in layout["machines"]), 0)
    for machine in layout["machines"]:
        kind = machine["kind"]
        _choose(window, kind)
        rotation = machine.get("rotation", 0)
        for _ in range((rotation - turned[kind]) % 4):
            window.hand.key("r")
        turned[kind] = rotation  # a tool stays as it was turned
        _place(window, machine)
    for belt in layout["belts"]:
        _choose(window, "belt")
        end = belt["to"]
        window.hand.drag([window.probe.tile(x, y) for x, y in [*belt["tiles"], (end["x"], end["y"])]])
    window.hand.key("Escape")


def _choose(window: Window, tool: str) -> None:
    window.hand.click(window.probe.target(f"tool:{tool}"))


def _place(window: Window, machine: dict[str, Any]) -> None:
    """Click on a tile, and wait for the game to say that the machine stands there."""
    probe, tile = window.probe, (machine["x"], machine["y"])
    before = probe.count("placed")
    window.hand.click(probe.tile(*tile))

    def placed() -> Event | None:
        return probe.last("placed") if probe.count("placed") > before else None

    answer = probe.wait(f"a {machine['kind']} to be placed at {tile}", placed, PLACE_S)
    if "code" in answer:
        raise Problem(f"the game refused a {machine['kind']} at {tile}: {answer['code']}")


def _let_run(probe: Probe) -> None:
    """Wait until the belts are full, or the game has ended."""

    def full() -> Event | None:
        clock = probe.last("clock")
        return clock if clock and clock["t_ps"] >= TRAFFIC_PS else probe.last("result")

    probe.wait("traffic", full, RESULT_S)
