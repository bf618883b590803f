"""./factory export: the game for Linux, Windows and macOS. What is missing is said before anything is made."""

import argparse

from tools.export import inputs, linux, macos, source, windows
from tools.export.target import MACOS_INTEL, WINDOWS


def run(arguments: list[str]) -> int:
    """Carry out ./factory export."""
    parser = argparse.ArgumentParser(prog="./factory export", description=__doc__)
    inputs.options(parser)
    found = inputs.find([WINDOWS, MACOS_INTEL], inputs.named(parser.parse_args(arguments)))
    sources = source.read()
    linux.export(sources)
    windows.export(sources, found[WINDOWS])
    macos.export(sources, found[MACOS_INTEL], MACOS_INTEL)
    return 0
