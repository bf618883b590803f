"""`fidelity`: how far each rule is from measured reality, computed; the page `docs/fidelity.md`."""

from __future__ import annotations

import argparse
import sys

from engine.fidelity.data import missing
from engine.fidelity.page import PAGE, SECTIONS, page, unavailable

HELP = "compute how far each rule is from measured reality"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--write", action="store_true", help="write docs/fidelity.md instead of printing the page")
    parser.add_argument("--only", choices=[section.id for section in SECTIONS], help="print one subject")


def command(parsed: argparse.Namespace) -> int:
    """Print or write; without the measured data say what it takes, and leave the page alone (status 2)."""
    if parsed.only is not None:
        (section,) = (section for section in SECTIONS if section.id == parsed.only)
        lacking = {section.title: missing(section.data)} if missing(section.data) else {}
    else:
        lacking = unavailable()
    if lacking:
        for title, names in lacking.items():
            print(f"cannot compute {title!r}: no {', '.join(names)}", file=sys.stderr)
        print("set TOKEN_FACTORY_DATA to the folder of the measured data; the page is as it was", file=sys.stderr)
        return 2
    if parsed.only is not None:
        print(section.markdown())
    elif parsed.write:
        PAGE.write_text(page(), encoding="utf-8")
        print(f"wrote {PAGE.name}")
    else:
        print(page())
    return 0
