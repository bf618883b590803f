"""./factory publish: hand the exported games to itch.io, by its own program butler, a channel for each system.

`--dry-run` needs neither butler nor a network: it checks all that butler would check, and says what would be run.
"""

import argparse
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from engine.version import VERSION
from tools.export import itch_manifest
from tools.export.target import LINUX, MACOS_ARM, MACOS_INTEL, WINDOWS, Target
from tools.paths import Problem
from tools.process import say

CHANNELS = {"linux": (LINUX,), "windows": (WINDOWS,), "osx": (MACOS_ARM, MACOS_INTEL)}
"""A channel is what a player downloads; of several games for one, the first that was exported is pushed."""
PROJECT = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
KEY = "BUTLER_API_KEY"
MOST_BYTES = 30 * 10**9
"""Itch.io refuses more."""
NEVER = (".git", ".import", "__pycache__", ".DS_Store", "Thumbs.db", "tests")
"""What must not lie in a game's folder."""


def run(arguments: list[str]) -> int:
    """Carry out ./factory publish."""
    parser = argparse.ArgumentParser(prog="./factory publish", description=__doc__)
    parser.add_argument("project", metavar="USER/GAME", help="the project on itch.io")
    parser.add_argument("--channel", choices=sorted(CHANNELS), action="append", help="only this one; may be repeated")
    parser.add_argument("--dry-run", action="store_true", help="check everything, push nothing")
    parser.add_argument("--butler", default="butler", help="where butler is, if not on the PATH")
    chosen = parser.parse_args(arguments)
    if not PROJECT.fullmatch(chosen.project):
        raise Problem(f"{chosen.project!r} is no USER/GAME in small letters", status=2)
    commands = [
        [chosen.butler, "push", str(folder), f"{chosen.project}:{channel}", "--userversion", VERSION]
        for channel, folder in _checked(chosen.channel or list(CHANNELS))
    ]
    if chosen.dry_run:
        for command in commands:
            say("would run: " + " ".join(command))
        return 0
    _check_butler(chosen.butler)
    for command in commands:
        say("running: " + " ".join(command))
        status = subprocess.run(command, check=False).returncode
        if status:
            raise Problem(f"butler ended with status {status}; what was pushed before stays", status=1)
    return 0


def _checked(channels: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield each channel with the folder that is pushed to it, once it has been looked at."""
    for channel in channels:
        found = [target for target in CHANNELS[channel] if target.folder.is_dir()]
        if not found:
            system = CHANNELS[channel][0].name
            raise Problem(f"nothing was exported for the channel {channel}; make it with ./factory export-{system}")
        check(found[0], found[0].folder)
        yield channel, found[0].folder


def check(target: Target, folder: Path) -> None:
    """Check a folder as butler would, and for what must not be in it. Raises Problem."""
    itch_manifest.check(target, folder)
    size = 0
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.name in NEVER:
            raise Problem(f"{folder.name} holds {name}, which is not for players; export it anew")
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            raise Problem(f"{folder.name}: the link {name} leads out of the folder")
        size += path.stat().st_size if path.is_file() and not path.is_symlink() else 0
    if size > MOST_BYTES:
        raise Problem(f"{folder.name} has {size} bytes, and itch.io takes {MOST_BYTES}")
    say(f"{folder.name}: version {VERSION}, {size // 10**6} MB, {itch_manifest.NAME} is in order")


def _check_butler(butler: str) -> None:
    if shutil.which(butler) is None:
        raise Problem("butler is not installed (itch.io/docs/butler); with --dry-run nothing is pushed")
    if not os.environ.get(KEY) and not (Path.home() / ".config" / "itch" / "butler_creds").is_file():
        raise Problem(f"butler does not know you: run `butler login`, or set {KEY}")
