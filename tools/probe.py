"""What the game tells about itself when started with --probe FILE: a JSON object a line.

Each has "t", in seconds since the game's start, and "event":
first_frame; screen {name}; targets {rects: {name: [x, y, w, h]}, tiles: {origin, ex, ey}}, in window pixels;
placed {id or code}; panel {name, texts}: the open panel of the side dock ("": none), when they changed;
tutorial {step, of, id, target, targets, tiles, text, said}: the step that is due (0: none), the engine's targets, what
to touch next (the name of a rectangle, where it is a control; "": wait) and its tiles, and what the corner says;
drawn {number}: all that was shown when it was asked has been drawn;
clock {t_ps, hash, layout_hash}: simulated time and the hashes of the game's state and layout, once a second;
sound {names, frames}: what was played, how many frames after the last key, button or click;
result {passed, hash, tps, ttft_p95_s, pause_p95_s}.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.paths import Problem

Event = dict[str, Any]
Point = tuple[float, float]
POLL_S = 0.05


class Probe:
    """Follows a probe file while the game writes it."""

    def __init__(self, path: Path, still_running: Callable[[], bool]) -> None:
        self._path = path
        self.running = still_running
        self._read = 0
        self.events: list[Event] = []

    def order(self, **order: float | str) -> None:
        """Ask something of the game; an order a frame is carried out (scenes/probe/orders.gd)."""
        with self._path.with_name(self._path.name + ".orders").open("a") as file:
            file.write(json.dumps(order) + "\n")

    def wait_drawn(self, timeout_s: float = 20) -> None:
        """Wait until all that is shown now has been drawn."""
        number = self.count("drawn") + 1
        self.order(draw=number)
        self.wait(
            "a frame to be drawn", lambda: self.last("drawn") if self.count("drawn") >= number else None, timeout_s
        )

    def refresh(self) -> None:
        """Read the lines that were added; an unfinished last line waits for its end."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._read)
            added = file.read()
        whole = added[: added.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            try:
                event = json.loads(line)
            except ValueError as error:
                raise Problem(f"the game wrote a line to {self._path} that is not JSON: {error}") from None
            if isinstance(event, dict):
                self.events.append(event)

    def last(self, name: str) -> Event | None:
        """Return the latest event of a name, or None."""
        return next((event for event in reversed(self.events) if event.get("event") == name), None)

    def count(self, name: str) -> int:
        """Return how many events of a name there were."""
        return sum(event.get("event") == name for event in self.events)

    def wait(self, what: str, found: Callable[[], Event | None], timeout_s: float) -> Event:
        """Return what `found` gives as soon as it does; raise Problem if the game ends or `timeout_s` passes first."""
        deadline = time.monotonic() + timeout_s
        while True:
            running = self.running()
            self.refresh()
            event = found()
            if event is not None:
                return event
            if not running:
                raise Problem(f"the game ended before {what} (details in build/game.log)")
            if time.monotonic() > deadline:
                raise Problem(f"waited {timeout_s:.0f} s in vain for {what} (details in build/game.log)")
            time.sleep(POLL_S)

    def wait_screen(self, name: str, timeout_s: float = 30) -> Event:
        """Wait until the game shows a screen."""

        def shown() -> Event | None:
            event = self.last("screen")
            return event if event and event.get("name") == name else None

        return self.wait(f"the screen {name!r}", shown, timeout_s)

    def target(self, name: str, timeout_s: float = 10) -> Point:
        """Return the middle of a named target, once the game has told where it is."""

        def told() -> Event | None:
            event = self.last("targets")
            return event if event and name in event.get("rects", {}) else None

        x, y, w, h = self.wait(f"the target {name!r}", told, timeout_s)["rects"][name]
        return (x + w / 2, y + h / 2)

    def targets(self) -> dict[str, list[float]]:
        """Return all named rectangles as last told: x, y, width, height."""
        self.refresh()
        event = self.last("targets")
        return dict(event["rects"]) if event else {}

    def panel(self, name: str, holds: str = "", timeout_s: float = 10) -> list[str]:
        """Wait until a panel is open ("": none) and one of its texts holds some words; return its texts."""

        def shown() -> Event | None:
            event = self.last("panel")
            told = event is not None and event["name"] == name
            return event if event and told and (not holds or any(holds in text for text in event["texts"])) else None

        texts: list[str] = self.wait(f"the panel {name!r} with {holds!r}", shown, timeout_s)["texts"]
        return texts

    def tile(self, x: float, y: float) -> Point:
        """Return the middle of a floor tile."""

        def told() -> Event | None:
            event = self.last("targets")
            return event if event and event.get("tiles") else None

        tiles = self.wait("the place of the floor", told, 10)["tiles"]
        (ox, oy), (ax, ay), (bx, by) = tiles["origin"], tiles["ex"], tiles["ey"]
        return (ox + (x + 0.5) * ax + (y + 0.5) * bx, oy + (x + 0.5) * ay + (y + 0.5) * by)
