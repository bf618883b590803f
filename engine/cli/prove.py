"""`prove`: that a level teaches what it says."""

from __future__ import annotations

import argparse
import json
from typing import Any

from engine.cli.authored import HELP as AUTHORED
from engine.cli.authored import opened
from engine.proof.prove import FULL_BUDGET, MOST_BUDGET, MOST_SEEDS, SEEDS, prove

HELP = "prove that a level is won with what it teaches, not without it, and at every speed alike"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """LEVEL and the options."""
    parser.add_argument("level", metavar="LEVEL", help=AUTHORED)
    parser.add_argument("--seeds", default=SEEDS, type=int, metavar="N", help=f"1 to {MOST_SEEDS} (default: {SEEDS})")
    parser.add_argument(
        "--budget",
        default=FULL_BUDGET,
        type=int,
        metavar="RUNS",
        help=f"most runs of a search, 1 to {MOST_BUDGET} (default: {FULL_BUDGET})",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Prove and print; status 0 only if everything was proven."""
    with opened(parsed.level) as (level, callers):
        report = prove(level, parsed.seeds, parsed.budget, callers)
    print(json.dumps(report, indent=2) if parsed.json else _text(report))
    return 0 if report["proven"] else 1


def _text(report: dict[str, Any]) -> str:
    reference, unbanned, naive = report["reference"], report["unbanned"], report["naive"]
    lines = [f"{report['level']}: {'proven' if report['proven'] else 'NOT proven'}"]
    lines.append(_line(reference, f"reference passes on {reference['passed']} of {reference['of']} seeds"))
    lines.append(f"      at worst {_values(reference['worst'])}")
    for ban in report["banned"]["bans"]:
        text = (
            f"without {ban['ban']}: {ban['tried']} layouts tried ({ban['method']}), {ban['unbuildable']} not buildable"
        )
        lines.append(_line(ban, text))
        if ban["best"]:
            missed = ", ".join(ban["best"]["missed"]) or "nothing"
            lines.append(f"      the best reached {_values(ban['best']['values'])}; it missed {missed}")
    lines.append(
        _line(unbanned, f"with nothing banned, {unbanned['found']} of {unbanned['of']} searches find a layout")
    )
    lines.append(_line(naive, f"the naive layout fails {naive['reason']} on {naive['failed']} of {naive['of']} seeds"))
    lines.append(f"      it reached {_values(naive['values'])}")
    lines.append(_line(report["speeds"], f"the same at speeds {', '.join(report['speeds']['hashes'])}"))
    return "\n".join(lines)


def _line(proof: dict[str, Any], text: str) -> str:
    return f"  {'ok' if proof['proven'] else 'NO'}  {text}"


def _values(values: dict[str, float | None]) -> str:
    return ", ".join(f"{name} {'-' if value is None else format(value, '.4g')}" for name, value in values.items())
