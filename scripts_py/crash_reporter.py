"""What is left when the game dies: a report that says where Python was, and that names the log."""

import faulthandler
import os
import platform
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from godot import Node, exposed

from engine.version import VERSION

MOST_REPORTS = 10
RUNNING, REPORT = "running-*.txt", "report-*.txt"
FATAL = "\nFatal Python error: "
"""What the fault handler begins with."""


@exposed
class CrashReporter(Node):
    """Keeps a file open for as long as the game runs. One that a game of before has left becomes a report."""

    def _ready(self) -> None:
        self.file: TextIO | None = None

    def versions(self) -> str:
        """What the game is made of, beside Godot."""
        return f"Token Factory {VERSION}, Python {platform.python_version()}, {platform.platform()}"

    def begin(self, folder: str, log: str, godot: str) -> str:
        """Watch from now on; the path of the newest report, where the last game died of a fault; "" otherwise."""
        try:
            place = Path(str(folder))
            place.mkdir(parents=True, exist_ok=True)
            crashed = [report for path in sorted(place.glob(RUNNING)) if (report := _report(path))]
            self._open(place, [self.versions(), str(godot), f"Log: {log}", time.strftime("Started: %Y-%m-%d %H:%M:%S")])
            for path in sorted(place.glob(REPORT))[:-MOST_REPORTS]:
                path.unlink()
        except OSError as error:  # a full disk or a folder that may not be written: the game goes on without
            print(f"No crash reports are kept: {error}", file=sys.stderr)
            return ""
        return str(crashed[-1]) if crashed else ""

    def end(self) -> None:
        """The game ends as it should."""
        if self.file is None:
            return
        faulthandler.disable()
        self.file.close()
        with suppress(OSError):
            Path(self.file.name).unlink()
        self.file = None

    def _open(self, place: Path, facts: list[str]) -> None:
        self.file = (place / f"running-{os.getpid()}-{time.time_ns()}.txt").open("w", encoding="utf-8")
        _lock(self.file)
        self.file.write("\n".join([*facts, ""]))
        self.file.flush()
        faulthandler.enable(self.file)


def _report(path: Path) -> Path | None:
    """Keep what a game left that runs no more; where, if it died of a fault."""
    try:
        with path.open("r+", encoding="utf-8", errors="replace") as file:
            _lock(file)
            fatal = FATAL in file.read()
    except OSError:
        return None  # it still runs
    ended = time.strftime("%Y%m%d-%H%M%S", time.localtime(path.stat().st_mtime))
    report = path.with_name(path.name.replace("running", f"report-{ended}", 1))
    path.replace(report)
    return report if fatal else None


def _lock(file: Any) -> None:
    """Lock a file for as long as it is open; OSError if another process has it locked."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
