"""What is wrong with a mod, and where: the one form for its author, the player and the command line."""

from __future__ import annotations

from typing import Any

import attrs
from attrs import frozen

from engine.errors import EngineError

LONGEST = 300
"""Characters of a text that are shown."""


@frozen
class LoadProblem:
    """A code with its parameters, and where it is: `file` inside the mod ("": the mod as a whole), `line` from 1 (0:
    no line), `field` ("": none) as in `levels[0]` or `pads[1].width`.
    """

    file: str
    line: int
    field: str
    code: str
    params: dict[str, Any] = attrs.field(factory=dict)

    @classmethod
    def of(cls, error: EngineError, file: str = "", line: int = 0, field: str = "") -> LoadProblem:
        """What an error says, with its place."""
        return cls(file, line, field, error.code, error.params)

    def to_data(self) -> dict[str, Any]:
        """As plain data; what came from outside can be shown: one line, not long, nothing but what prints."""
        params = {name: shown(value) if isinstance(value, str) else value for name, value in self.params.items()}
        return {
            "file": shown(self.file),
            "line": self.line,
            "field": shown(self.field),
            "code": self.code,
            "params": params,
        }


def shown(text: str) -> str:
    """A text from outside as it can be shown anywhere."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:LONGEST])
