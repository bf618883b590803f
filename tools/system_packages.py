"""Programs from the distribution: Godot, and what a virtual display needs."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tools.paths import Problem
from tools.process import must, run_logged, say

# Debian package -> the program it brings, or None for a library.
NEEDED = {
    "godot3": "godot3",
    "godot3-server": "godot3-server",
    "godot3-runner": "godot3-runner",
    "xvfb": "Xvfb",
    "xauth": "xauth",  # for xvfb-run
    "xdotool": "xdotool",
    "libgl1": None,
    "libgl1-mesa-dri": None,
}
LISTS = Path("/var/lib/apt/lists")
LISTS_FRESH_S = 3600
LOCK_S = 600  # another apt-get may be at work, or still be after an interruption


def install(needed: Mapping[str, str | None] = NEEDED) -> None:
    """Install what is missing with one call of apt-get, or raise Problem with what a person has to install."""
    if not shutil.which("dpkg-query") or not shutil.which("apt-get"):
        _need_programs(needed)
        return
    missing = _missing_packages(needed)
    if not missing:
        return
    prefix = _as_root(missing)
    say(f"installing {' '.join(missing)} (apt-get; a few minutes the first time)")
    by_hand = f"apt-get install {' '.join(missing)}"
    if not LISTS.is_dir() or time.time() - LISTS.stat().st_mtime > LISTS_FRESH_S:
        must([*prefix, "apt-get", "update"], f"apt-get update failed; then run: {by_hand}")
    apt = ["apt-get", "install", "-y", "--no-install-recommends", "-o", f"DPkg::Lock::Timeout={LOCK_S}"]
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", *apt, *missing]
    if run_logged(command):
        run_logged([*prefix, "dpkg", "--configure", "-a"])  # what an interrupted installation left
        must(command, f"apt-get failed; run by hand: {by_hand}")


def _missing_packages(needed: Mapping[str, str | None]) -> list[str]:
    """Return the Debian packages that are not installed."""
    command = ["dpkg-query", "-W", "-f=${Package} ${db:Status-Status}\n", *needed]
    answer = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    installed = {line.split()[0] for line in answer.splitlines() if line.endswith(" installed")}
    return [name for name in needed if name not in installed]


def _as_root(missing: list[str]) -> list[str]:
    """Return what to write before a command to run it as root."""
    if os.geteuid() == 0:
        return []
    may_ask = sys.stdin.isatty()  # for a password
    if not shutil.which("sudo") or not (may_ask or run_logged(["sudo", "-n", "true"]) == 0):
        raise Problem(f"as root, run: apt-get install {' '.join(missing)}")
    return ["sudo"]


def _need_programs(needed: Mapping[str, str | None]) -> None:
    """Without apt-get, only look whether the programs are there."""
    programs = [program for program in needed.values() if program and not shutil.which(program)]
    if os.environ.get("GODOT"):
        programs = [program for program in programs if program != "godot3"]
    if programs:
        raise Problem(f"this system has no apt-get; install these programs (Godot 3.2.3 to 3.6): {', '.join(programs)}")
