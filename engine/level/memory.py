"""What a level's hooks have done so far: part of a game's state."""

from __future__ import annotations

import json
from typing import Any

from attrs import define, field

from engine.errors import EngineError

MOST_MEMORY = 4000
"""Characters of a hook's memory as JSON."""
_MOST_DEEP = 8


@define
class HookState:
    """Empty for a level without hooks, and as long as nothing has happened."""

    memories: dict[str, dict[str, Any]] = field(factory=dict)
    """Hook -> what it keeps."""
    stopped: str = ""
    """The hook that failed or was stopped; none is called any more."""
    met: dict[str, bool] = field(factory=dict)
    """Goal -> whether it was met at the last whole second, where hooks want to know."""
    turned: list[str] = field(factory=list)
    """Goals for which that has changed then."""

    def dump(self) -> dict[str, Any]:
        """As plain data; {} when there is nothing to say."""
        told: dict[str, Any] = {
            "memories": {name: memory_text(memory) for name, memory in self.memories.items()},
            "stopped": self.stopped,
            "met": dict(self.met),
            "turned": list(self.turned),
        }
        return told if any(told.values()) else {}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        if data:
            self.memories = {name: json.loads(text) for name, text in data["memories"].items()}
            self.stopped, self.met, self.turned = data["stopped"], data["met"], data["turned"]


def memory_text(memory: Any) -> str:
    """A memory as text, equal for equal ones; EngineError `hook.memory` when it is none, or too large."""
    try:
        if not isinstance(memory, dict) or not _is_plain(memory, 0):
            raise ValueError
        text = json.dumps(memory, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError) as error:
        raise EngineError("hook.memory", most=MOST_MEMORY) from error
    if len(text) > MOST_MEMORY:
        raise EngineError("hook.memory", most=MOST_MEMORY)
    return text


def _is_plain(value: Any, depth: int) -> bool:
    if depth > _MOST_DEEP:
        return False
    if isinstance(value, dict):
        return all(type(key) is str and _is_plain(one, depth + 1) for key, one in value.items())
    if isinstance(value, list | tuple):
        return all(_is_plain(one, depth + 1) for one in value)
    if type(value) is int:
        return -(2**63) <= value < 2**63
    if type(value) is str:
        return value.isascii() or bool(value.encode())  # UnicodeEncodeError, a ValueError, for half a character
    return value is None or type(value) in (bool, float)
