"""Options that `validate` and `simulate` share."""

from __future__ import annotations

import argparse


def add_deployment(parser: argparse.ArgumentParser) -> None:
    """Cards, model and link."""
    parser.add_argument("--gpu", required=True, metavar="NAME", help="a card of the catalog")
    parser.add_argument("--model", required=True, metavar="NAME", help="a model of the catalog, or its config.json")
    parser.add_argument("--tp", type=int, metavar="N", help="cards that share the model (tensor parallel)")
    parser.add_argument(
        "--link", metavar="NAME", help="the link between them (default: what joins them on their usual board)"
    )
