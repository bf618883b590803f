"""Somebody who plays the real game in its window, on a virtual display: what is shown, and a hand on mouse and keys."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tools import godot
from tools.display import Display, virtual_display
from tools.hand import Hand, Pad
from tools.paths import ROOT, Problem
from tools.probe import Event, Probe

WAIT_S = 45.0  # on a busy machine
START_S = 60.0
SIZE = (1280, 720)
SETTLE_S = 0.3  # longer than the game waits to tell where things are

Floor = dict[str, Any]


@dataclass
class Player:
    """A game in a window of its own, and the layouts that it has shown."""

    probe: Probe
    hand: Hand
    display: Display
    pad: Pad
    layouts: list[str] = field(default_factory=list)
    """`layout_hash` after each change that was waited for."""
    process: "subprocess.Popen[bytes] | None" = None

    def kill(self) -> None:
        """End the game at once, so that it can do nothing more."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def wait_end(self) -> None:
        """Wait until the game has ended by itself."""
        assert self.process is not None
        self.process.wait(WAIT_S)

    def tile(self, x: float, y: float) -> tuple[float, float]:
        self.probe.refresh()
        return self.probe.tile(x, y)

    def click(self, target: str) -> None:
        self.hand.click(self.probe.target(target))

    def picture(self, name: str) -> None:
        """Keep a picture of what is shown in build/screens/."""
        self.probe.refresh()
        self.probe.wait_drawn()
        self.display.picture(ROOT / "build" / "screens" / f"{name}.png")

    def settle(self) -> None:
        """Wait until camera and panels are where they will stay."""
        last = None
        while last != (told := self.probe.targets()):
            last = told
            time.sleep(SETTLE_S)
            self.probe.wait_drawn()  # on a busy computer a frame may take longer
            self.probe.refresh()

    def floor(self) -> Floor:
        """What stands on the floor, as last shown."""
        self.probe.refresh()
        return self.probe.last("floor") or {"machines": [], "belts": 0}

    def machines(self) -> list[list[Any]]:
        """What the player has built: kind, x, y, rotation."""
        return sorted(machine for machine in self.floor()["machines"] if not machine[0].endswith("_dock"))

    def wait(self, what: str, found: Callable[[], bool]) -> None:
        """Wait until the game shows something."""
        try:
            self.probe.wait(what, lambda: {} if found() else None, WAIT_S)
        except Problem as problem:
            shown = {name: self.probe.last(name) for name in ("words", "panel", "floor", "time")}
            self.picture("waited_in_vain")
            raise Problem(f"{problem}; the game shows {shown}") from None

    def after(self, act: Callable[[], None], name: str) -> Event:
        """Do something; the event of this name that comes next."""
        self.probe.refresh()
        before = self.probe.count(name)
        act()
        self.wait(f"another {name}", lambda: self.probe.count(name) > before)
        event = self.probe.last(name)
        assert event is not None
        return event

    def now_ps(self) -> int:
        """Simulated time, told anew."""
        return int(self.after(lambda: None, "clock")["t_ps"])

    def change(self, act: Callable[[], None]) -> Floor:
        """Do something, and wait until the floor has changed by it; what stands there then."""
        before = self.probe.count("floor")
        act()
        self.wait("the floor to change", lambda: self.probe.count("floor") > before)
        floor = self.floor()
        self.layouts.append(floor["layout_hash"])
        return floor

    def words(self) -> dict[str, Any]:
        """What is said beside the cursor (note), above the tools (told) and in the library."""
        self.probe.refresh()
        return self.probe.last("words") or {"note": "", "told": "", "notes": [], "library": []}

    def wait_ended(self) -> None:
        """Wait until the game runs no more."""
        deadline = time.monotonic() + WAIT_S
        while self.probe.running():
            assert time.monotonic() < deadline, "the game still runs"
            time.sleep(SETTLE_S)

    def wait_said(self, where: str, part: str) -> None:
        """Wait until `part` is said at `where`: note, told or notes."""
        self.wait(f"{part!r} to be said", lambda: part in str(self.words()[where]))

    def wait_selected(self, machines: int, belts: int) -> None:
        def selected() -> bool:
            event = self.probe.last("selection")
            return event is not None and (event["machines"], event["belts"]) == (machines, belts)

        self.wait(f"{machines} machines and {belts} belts to be selected", selected)


P = TypeVar("P", bound=Player)


@contextmanager
def playing(
    folder: Path,
    level: int | None,
    size: tuple[int, int] = SIZE,
    screen: tuple[int, int] | None = None,
    options: Sequence[str] = (),
    player: type[P] = Player,  # type: ignore[assignment]
) -> Iterator[P]:
    """Play a level in a window (None: from the title); what the game keeps lies in `folder`. It must end without a
    script's error.
    """
    with virtual_display(*(screen or size)) as display, (folder / "log").open("wb") as log:
        environment = {**os.environ, **godot.environment(), "DISPLAY": display.name, "XDG_DATA_HOME": str(folder)}
        environment.pop("WAYLAND_DISPLAY", None)
        shape = ["--resolution", f"{size[0]}x{size[1]}", "--position", "0,0", "--audio-driver", "Dummy"]
        for told_before in ("probe", "probe.orders"):
            (folder / told_before).unlink(missing_ok=True)  # of a game before
        told = ["--probe", str(folder / "probe"), *([] if level is None else ["--level", str(level)])]
        running = subprocess.Popen(
            [godot.game(), "--path", str(ROOT), *shape, *told, *options], env=environment, stdout=log, stderr=log
        )
        try:
            probe = Probe(folder / "probe", lambda: running.poll() is None)
            probe.wait_screen("title" if level is None else "level", START_S)
            yield player(probe, Hand(display.name), display, Pad(probe), process=running)
        finally:
            running.terminate()
            running.wait()
    said = (folder / "log").read_text("utf-8", "replace")
    assert "SCRIPT ERROR" not in said, said
    assert "Traceback" not in said, said


def user_folder(folder: Path) -> Path:
    """Where the game keeps a player's files."""
    kept = folder / "TokenFactory"
    kept.mkdir(parents=True, exist_ok=True)
    return kept
