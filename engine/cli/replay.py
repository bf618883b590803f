"""`replay`: a recording or a save is played again, and has to come out as it was."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from engine.level.load import load
from engine.protocol.loading import Loading, Source
from engine.protocol.tabs import Tab
from engine.saves import format as outer
from engine.saves.migrations import RUN, SAVE
from engine.saves.slots import content_of
from engine.simulation import ENDED
from engine.units import PS_PER_S

HELP = "play a recording or a saved game again and check that it comes out the same"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE and the options."""
    parser.add_argument("file", metavar="FILE", help="a recording (.tfrun) or a save (.save)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Replay and print; status 0 only if every state hash is the one in the file."""
    path = Path(parsed.file)
    content = content_of(path)
    form = RUN if content.startswith(RUN.magic) else SAVE
    loading = Loading(form, [Source(path.name, outer.read(form, content, path.name))], None, load)
    while not loading.work(lambda: False):
        pass
    result = _result(loading)
    print(json.dumps(result, indent=2) if parsed.json else _text(result))
    return 0 if loading.equal else 1


def _result(loading: Loading) -> dict[str, Any]:
    header = loading.header
    return {
        "level": header.level,
        "seed": header.seed,
        "game": header.game,
        "level_changed": any(code == "save.changed" for code, _ in loading.notes),
        "equal": loading.equal,
        "runs": [_run(tab, told) for tab, told in zip(loading.tabs, loading.hashes, strict=True)],
    }


def _run(tab: Tab, told: str) -> dict[str, Any]:
    simulation = tab.simulation
    return {
        "t_s": simulation.now / PS_PER_S,
        "phase": simulation.phase,
        "passed": simulation.passed if simulation.phase == ENDED else None,
        "hash": simulation.state_hash(),
        "told": told,
        "layout_hash": tab.layout_hash(),
    }


def _text(result: dict[str, Any]) -> str:
    lines = [f"{result['level']}, seed {result['seed']}: {'the same' if result['equal'] else 'not the same'}"]
    if result["level_changed"]:
        lines.append("  this version of the game has another level of that name")
    for run in result["runs"]:
        ended = {True: ", passed", False: ", not passed", None: ""}[run["passed"]]
        lines.append(f"  {run['t_s']:.3f} s, {run['phase']}{ended}, hash {run['hash']}")
        if run["hash"] != run["told"]:
            lines.append(f"  the file says {run['told']}")
    return "\n".join(lines)
