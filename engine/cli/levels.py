"""`levels`: what can be played."""

from __future__ import annotations

import argparse

from engine.level.load import campaign
from engine.level.spec import Goal

HELP = "list the levels of the campaign"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def command(parsed: argparse.Namespace) -> int:
    """A line a level: number, name, goals."""
    for level in campaign():
        print(f"{level.number}  {level.id}  {', '.join(map(_told, level.goals))}")
    return 0


def _told(goal: Goal) -> str:
    unit = " s" if goal.metric.endswith(("_p95", "_p99")) else ""
    return f"{goal.name} {'>=' if goal.at_least else '<='} {goal.target:g}{unit}"
