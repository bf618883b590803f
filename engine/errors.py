"""The one error of the engine: a code with parameters, never words (the view has the words)."""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """Something that was asked for cannot be done.

    `code` is one of `engine.protocol.codes.CODES`; `params` fill the placeholders of its text.
    """

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(f"{code} {params}" if params else code)
        self.code = code
        self.params = params
