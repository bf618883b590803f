"""Calling a level's hooks while it is played: asked at whole simulated seconds, answered at once or later, and what is
answered given to the game as a command. Simulated time stands until the answer is there; real time does not.
"""

from __future__ import annotations

from typing import Any, Protocol


class HookCaller(Protocol):
    """Somebody who has the code of hooks: this process, or a worker."""

    def ask(self, calls: list[dict[str, Any]]) -> None:
        """Begin to call hooks, one after the other: `{"name", "run"}` each, `run` as `engine.level.data.run_to_data`
        has it. Only when nothing is asked.
        """

    def answer(self) -> list[dict[str, Any]] | None:
        """None: not yet. Else, for each call in its order, `{"name", "effects", "memory"}` (effects as
        `engine.level.data.effects_to_data` has them), or `{"name", "code", "params"}` for one that failed or was
        stopped: no hook of the level is called again then, and calls after it have no answer.
        """

    def close(self) -> None:
        """Nobody will ask again; whatever is asked is given up."""
