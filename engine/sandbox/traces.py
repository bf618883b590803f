"""Traces in the player's folder: requests as they once came, to be played in the sandbox."""

from __future__ import annotations

import re
from pathlib import Path

from engine.errors import EngineError
from engine.player.whole_file import locked, write_whole
from engine.traffic.trace import MAX_BYTES, TraceTraffic, trace_from_csv

FOLDER, ENDING = "traces", ".csv"
MOST = 100
_NAME = re.compile(r"[\w .()+-]{1,80}\.csv")


class Traces:
    """The CSV files in `<player's folder>/traces`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    def names(self) -> list[str]:
        """What can be asked for."""
        found = sorted(path.name for path in self.folder.glob(f"*{ENDING}") if _NAME.fullmatch(path.name))
        return found[:MOST]

    def read(self, name: str) -> TraceTraffic:
        """A trace by its name; EngineError `trace.*`."""
        if not _NAME.fullmatch(name):
            raise EngineError("trace.missing", path=name[:80], detail="")
        return trace_from_csv(self.folder / name)

    def bring(self, path: Path) -> str:
        """Copy a trace from anywhere into the folder, if it is one; its name."""
        trace_from_csv(path)
        name = re.sub(r"[^\w .()+-]", "_", path.stem)[:70] + ENDING
        try:
            content = path.open("rb").read(MAX_BYTES + 1)
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise EngineError("player.not_saved", file=name, detail=error.strerror or "") from error
        with locked(self.folder, name):
            write_whole(self.folder / name, content)
        return name
