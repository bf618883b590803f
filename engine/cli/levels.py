"""`levels`: what can be played."""

from __future__ import annotations

import argparse

from engine.level.load import campaign

HELP = "list the levels of the campaign"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def command(parsed: argparse.Namespace) -> int:
    """A line a level: number, name, goals."""
    for level in campaign():
        goals = ", ".join(
            f"{goal.metric} {'>=' if goal.at_least else '<='} {goal.target:g}{'' if goal.metric == 'tps' else ' s'}"
            for goal in level.goals
        )
        print(f"{level.number}  {level.id}  {goals}")
    return 0
