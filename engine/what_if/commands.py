"""The `vllm serve` commands of a layout as lines of a shell, with comments between them."""

from __future__ import annotations

from engine.cli.words import words
from engine.floor.layout import Layout
from engine.level.spec import Level
from engine.results.vllm import ALSO, VERSION, notes, proxy, servers

_BREAK = " \\\n  "


def commands(level: Level, layout: Layout) -> list[str]:
    """A text of one or more lines for each command and comment."""
    found = servers(level, layout)
    lines = [f"# vLLM {VERSION} (the options are the same in {ALSO})"]
    lines += [f"# {words(code, params)}" for code, params in notes(layout, found)]
    for server in found:
        lines += [f"# card {server.card}: {server.gpu}", _BREAK.join(server.words())]
    if any(server.role for server in found):
        lines.append(_BREAK.join(proxy(found)))
    return lines
