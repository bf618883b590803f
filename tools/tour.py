"""./factory tour: play through every state of the game on a virtual display, and keep a picture of each.

The pictures are for people to look at: build/screens/tour/WIDTHxHEIGHT/, those in German in de/ below.
"""

import os
import runpy
from time import sleep

from tools import autoplay, godot
from tools.autoplay import Window, build, game_window, reference_layout
from tools.paths import BUILD, ROOT, Problem
from tools.probe import Event
from tools.process import say

SIZES = {"1280x720": (1280, 720), "1920x1080": (1920, 1080), "2560x1440": (2560, 1440)}
LANGUAGES = ("en", "de")
FOLDER = BUILD / "screens" / "tour"
LEVEL = 2
SHARED = {6: ["tenants", "overlay"], 8: ["bill"]}
MODS = ROOT / "mods"
MOD = "spare_card"
MOST_NOTCHES = 12
SETTLE_S = 0.6
SOON_S, LATER_S = 3.0, 9.0


def run(arguments: list[str]) -> int:
    """Carry out ./factory tour; sizes and languages are arguments, without them all: German in the first size only."""
    unknown = [name for name in arguments if name not in (*SIZES, *LANGUAGES)]
    if unknown:
        raise Problem(f"unknown: {unknown[0]}; expected some of {', '.join((*SIZES, *LANGUAGES))}", status=2)
    sizes = [name for name in SIZES if name in arguments] or list(SIZES)
    languages = [name for name in LANGUAGES if name in arguments]
    for language in languages or LANGUAGES:
        for name in sizes if languages or language == "en" else sizes[:1]:
            tour(SIZES[name], language)
    return 0


def tour(size: tuple[int, int], language: str) -> None:
    """Every state of level 2, which has the most of them, in a window of this size."""
    game = [godot.game(), "--path", str(ROOT)]
    with game_window(game, size=size, language=language, mods=MODS) as window:
        window.probe.wait_screen("title", autoplay.START_S)
        Guide(window, size, language).show_all()


class Guide:
    """Shows a state, and keeps its picture."""

    def __init__(self, window: Window, size: tuple[int, int], language: str) -> None:
        self.window, self.hand, self.probe = window, window.hand, window.probe
        self.folder = FOLDER / f"{size[0]}x{size[1]}" / ("" if language == "en" else language)
        self.aside = (size[0] / 2, size[1] * 0.82)
        self.count = 0

    def show_all(self) -> None:
        """All states, in the order in which a player meets them."""
        self.probe.target("title:play")
        self.keep("title", LATER_S)  # until the mods are there, too
        self.click(f"title:level_{LEVEL}")
        self.probe.wait_screen("level", autoplay.START_S)
        self.keep("empty")
        self.building()
        self.out_of_memory()
        self.with_pages()
        self.saving()
        self.ending()
        self.leaving()
        self.modding()
        self.choosing()
        self.sharing()
        say(f"{self.count} pictures in {os.path.relpath(self.folder)}")

    def building(self) -> None:
        """Ghosts, belts, a selection, a paste, the library."""
        layout = autoplay.naive_layout(LEVEL)
        prefill, decode = layout["machines"][0], layout["machines"][1]
        self.click("tool:prefill_core")
        self.hand.move(self.probe.tile(1, 6))
        self.keep("ghost_refused")
        self.hand.move(self.probe.tile(prefill["x"], prefill["y"]))
        self.keep("ghost")
        self.hand.key("Escape")
        build(self.window, {**layout, "belts": layout["belts"][:1]})
        self.click("tool:belt")
        self.hand.click(self.probe.tile(prefill["x"], prefill["y"]))
        self.hand.move(self.probe.tile(decode["x"], decode["y"]))
        self.keep("belt_preview")
        self.hand.key("Escape")
        self.hand.key("Escape")
        build(self.window, {"machines": [], "belts": layout["belts"][1:]})
        self.hand.move(self.aside)
        self.keep("built")
        self.hand.key("ctrl+a")
        self.keep("selected")
        self.hand.key("ctrl+c")
        self.hand.key("ctrl+v")
        self.hand.move(self.probe.tile(4, 3))
        self.keep("paste")
        self.hand.key("Escape")
        self.hand.key("b")
        self.keep("library")
        self.hand.key("b")
        self.hand.move(self.probe.tile(decode["x"], decode["y"]))
        self.hand.key("Escape")
        self.hand.click(self.probe.tile(decode["x"], decode["y"]))
        self.keep("inspector", LATER_S)

    def out_of_memory(self) -> None:
        """A run that ends in a crash, with the overlay and the memory of then."""
        self.click("time:start")
        self.click("time:8")
        self.hand.key("o")
        self.keep("overlay", SOON_S)
        self.hand.key("m")
        self.keep("memory_reserved", SOON_S)
        self.hand.key("e")
        self.wait(65)
        self.hand.key("o")
        self.keep("out_of_memory", SOON_S)
        self.click("time:start")

    def with_pages(self) -> None:
        """The reference layout in its run: all panels, going back, two layouts."""
        layout = reference_layout(LEVEL)
        pages = [machine for machine in layout["machines"] if machine["kind"] == "page_allocator"]
        build(self.window, {"machines": pages, "belts": []})
        self.click("time:start")
        self.click("time:8")
        self.hand.move(self.aside)
        self.wait(90)
        self.hand.key("g")
        self.keep("graphs")
        self.hand.key("m")
        self.keep("memory_pages")
        self.hand.key("t")
        self.keep("requests")
        rows = sorted(name for name in self.probe.targets() if name.startswith("request:"))
        self.click(rows[0])
        self.keep("waterfall")
        self.hand.key("e")
        self.click("tab:open")
        self.keep("two_layouts")
        self.hand.key("Tab")
        left, top, width, height = self.probe.targets()["timeline"]
        at = left + width * 0.1, top + height / 2
        self.hand.move(at)
        self.keep("timeline")
        self.hand.click(at)
        self.keep("gone_back", SOON_S)

    def saving(self) -> None:
        """Saved games, and what is asked before one is overwritten."""
        self.hand.key("F8")
        self.click("save:1:save")
        self.keep("saved")
        self.click("save:1:save")
        self.keep("overwrite")
        self.hand.key("Escape")

    def leaving(self) -> None:
        """The run as a recording, and the title with a game to go on with."""
        self.click("time:share")
        self.keep("shared")
        self.hand.key("F8")
        screens = self.probe.count("screen")
        self.click("recording:open")
        self.probe.wait(
            "the recording", lambda: self.probe.last("screen") if self.probe.count("screen") > screens else None, 60
        )
        self.keep("recording", SOON_S)
        self.click("time:title")
        self.probe.target("title:continue")
        self.hand.key("F8")
        self.keep("title_saves", SOON_S)

    def modding(self) -> None:
        """The browser of mods, and the level of one in which a GPU fails."""
        self.hand.key("F8")
        self.hand.key("F7")
        self.keep("mods", SOON_S)
        self.hand.key("F7")
        card = f"title:level_{MOD}/{MOD}"
        over = self.probe.target("title:level_1")
        for _ in range(MOST_NOTCHES):
            if card in self.probe.targets():
                break
            self.hand.scroll(over, -1)
            sleep(SETTLE_S)
        self.keep("title_mods")
        self.click(card)
        self.probe.wait_screen("level", autoplay.START_S)
        script = runpy.run_path(str(MODS / MOD / "levels" / f"{MOD}.py"))
        build(self.window, script["LEVEL"].reference)
        self.click("time:start")
        self.click("time:8")
        self.hand.move(self.aside)
        self.wait(script["FAILS_S"] + 4)
        self.click("time:1")
        self.hand.move(self.aside)
        self.keep("gpu_broken", SOON_S)
        self.hand.key("y")
        self.keep("messages")

    def choosing(self) -> None:
        """The sandbox: its pages, and the floor that was chosen."""
        self.click("time:title")
        self.click("title:sandbox")
        self.probe.wait_screen("sandbox", autoplay.START_S)
        self.keep("sandbox_floor", SOON_S)
        for page in ("serving", "traffic", "own"):
            self.click(f"sandbox:page_{page}")
            self.keep(f"sandbox_{page}")
        self.click("sandbox:build")
        self.probe.wait_screen("level", autoplay.START_S)
        self.keep("sandbox_built", SOON_S)
        self.hand.key("ctrl+s")
        self.keep("sandbox_keep")
        self.hand.key("Escape")
        self.click("time:title")

    def sharing(self) -> None:
        """Levels that tenants share, and that have a bill."""
        for level, panels in SHARED.items():
            self.probe.target("title:sandbox")
            self.click(f"title:level_{level}")
            self.probe.wait_screen("level", autoplay.START_S)
            build(self.window, reference_layout(level))
            self.click("time:start")
            self.click("time:8")
            self.hand.move(self.aside)
            self.wait(90)
            for panel in panels:
                self.click(f"dock:{panel}")
                self.hand.move(self.aside)
                self.keep(f"level_{level}_{panel}", LATER_S)
            self.click("time:title")

    def ending(self) -> None:
        """The result."""
        self.hand.move(self.aside)
        self.probe.wait("the result", lambda: self.probe.last("result"), autoplay.RESULT_S)
        self.keep("result", SOON_S)

    # -- a hand and a camera ---------------------------------------------------------------------------------------

    def click(self, target: str) -> None:
        """Click on something by its name."""
        self.hand.click(self.probe.target(target))

    def wait(self, seconds: float) -> None:
        """Wait until so much time is simulated."""

        def reached() -> Event | None:
            clock = self.probe.last("clock")
            return clock if clock and clock["t_ps"] >= seconds * 1e12 else None

        self.probe.wait(f"second {seconds} of the run", reached, autoplay.RESULT_S)

    def keep(self, name: str, after_s: float = SETTLE_S) -> None:
        """Keep what is shown, a moment later."""
        sleep(after_s)
        self.count += 1
        self.window.display.picture(self.folder / f"{self.count:02}_{name}.png")
