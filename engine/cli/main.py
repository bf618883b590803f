"""Reading the command line. Exit status 0: done and passed; 1: done and not passed; 2: it cannot be done as asked;
130: interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from engine.cli import (
    bench,
    bill,
    calibrate,
    catalog,
    check,
    fidelity,
    levels,
    modding,
    new_level,
    prove,
    replay,
    run,
    simulate,
    sweep,
    validate,
)
from engine.cli.authored import Refused, told
from engine.cli.words import words
from engine.errors import EngineError

COMMANDS = {
    "levels": levels,
    "new-level": new_level,
    "check": check,
    "run": run,
    "sweep": sweep,
    "prove": prove,
    "replay": replay,
    "validate": validate,
    "simulate": simulate,
    "calibrate": calibrate,
    "catalog": catalog,
    "bill": bill,
    "fidelity": fidelity,
    "modding": modding,
    "bench": bench,
}


def main(arguments: Sequence[str]) -> int:
    """Carry out one command; a refusal is one line on the error output."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="The simulation of an LLM serving factory.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        module.add_arguments(commands.add_parser(name, help=module.HELP, description=module.HELP))
    parsed = parser.parse_args(arguments)
    try:
        status: int = COMMANDS[parsed.command].command(parsed)
        return status
    except Refused as refused:
        for line in told(refused.problems):
            print(f"error: {line}", file=sys.stderr)
        return 2
    except EngineError as error:
        print(f"error: {words(error.code, error.params)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 2
