"""Where a level script declares a field: `pads[0].x` -> its line."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import suppress

MOST_FIELDS = 2000
"""Of a script, that are told; what lies deeper is told by the thing around it."""
_MOST_NAMES = 8


def field_lines(source: str) -> dict[str, int]:
    """Field -> the line where a script declares it ("": the level), as far as it stands in `LEVEL = Level(...)`, or in
    a list, map or call that has a name there.
    """
    names: dict[str, ast.expr] = {}
    lines: dict[str, int] = {}

    def note(place: str, node: ast.expr) -> None:
        for _ in range(_MOST_NAMES):
            if isinstance(node, ast.Name) and node.id in names:
                node = names[node.id]
        if len(lines) >= MOST_FIELDS:
            return
        lines[place] = node.lineno
        match node:
            case ast.Call():
                for word in node.keywords:
                    if word.arg:
                        note(f"{place}.{word.arg}".lstrip("."), word.value)
            case ast.List():
                for index, one in enumerate(node.elts):
                    note(f"{place}[{index}]", one)
            case ast.Dict():
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        note(f"{place}.{key.value}", value)

    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for node in ast.parse(source).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {target.id: node.value for target in targets if isinstance(target, ast.Name)}
        if "LEVEL" in names:
            note("", names.pop("LEVEL"))
    return lines


def line_of(field: str, lines: Mapping[str, int]) -> int:
    """The line of a field, or of the nearest thing around it; 0 when nothing is known."""
    while field and field not in lines:
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return lines.get(field, 0)
