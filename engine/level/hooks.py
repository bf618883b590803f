"""Calling a level's hooks while it is played: asked at whole simulated seconds, answered at once or later, and what is
answered given to the game as a command. Simulated time stands until the answer is there; real time does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine.errors import EngineError
from engine.level.calling import call
from engine.level.data import run_to_data
from engine.level.figures import figures, happenings
from engine.level.hook import At, Every, Happened, Hook
from engine.level.spec import Level
from engine.metrics.first_tokens import FirstTokens
from engine.protocol.commands import COMMAND_VERSION, FROM_HOOKS, give
from engine.simulation import Simulation
from engine.units import PS_PER_S


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


CallerOf = Callable[[Level], HookCaller | None]
"""Who calls a level's hooks; None: nobody."""


class LocalHooks:
    """Calls the hooks of a level of the game, in this process."""

    def __init__(self, level: Level) -> None:
        self._hooks = level.hooks
        self._calls: list[dict[str, Any]] | None = None

    def ask(self, calls: list[dict[str, Any]]) -> None:
        """Remember what to call."""
        self._calls = calls

    def answer(self) -> list[dict[str, Any]] | None:
        """Call now."""
        calls, self._calls = self._calls, None
        return None if calls is None else call(self._hooks, calls)

    def close(self) -> None:
        """Nothing to give up."""
        self._calls = None


def local_hooks(level: Level) -> HookCaller | None:
    """Calls the hooks of a level whose script ran in this process; None where there is no code."""
    return LocalHooks(level) if level.hooks and all(hook.do is not None for hook in level.hooks) else None


class HookRunner:
    """Calls the hooks of one game at a time (`Simulation.hooks`)."""

    def __init__(self, caller: HookCaller) -> None:
        self._caller = caller
        self._asked: list[str] = []
        """The hooks that are being called."""
        self._stale = False
        """Whether what is being called is for a game that is no longer played."""
        self._heard_s = -1
        """The last second at which all hooks have answered."""
        self._first_tokens = FirstTokens()

    @property
    def thinks(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self._asked)

    def attach(self, simulation: Simulation) -> None:
        """Call hooks for `simulation` from now on. Those whose answer at this very time is among its commands are not
        called again.
        """
        self._stale = self.thinks
        self._heard_s = -(-simulation.now // PS_PER_S) - 1
        self._first_tokens = FirstTokens()
        simulation.hooks = self

    def close(self) -> None:
        """Nobody plays any more."""
        self._caller.close()

    def work(self, simulation: Simulation) -> bool:
        """Call what is to be called now, and give what was answered; False while an answer is awaited."""
        if self._stale:
            if self._caller.answer() is None:
                return False
            self._asked, self._stale = [], False
        second, rest = divmod(simulation.now, PS_PER_S)
        if not self._asked:
            if rest or second <= self._heard_s:
                return True
            self._ask(simulation)
        if self._asked:
            answers = self._caller.answer()
            if answers is None:
                return False
            asked, self._asked = self._asked, []
            self._give(simulation, asked, answers)
        self._heard_s = second
        return True

    def _ask(self, simulation: Simulation) -> None:
        if simulation.hook_state.stopped:
            return
        happened = happenings(simulation)
        told = _told(simulation)
        due = [hook for hook in simulation.level.hooks if hook.name not in told and _is_due(hook, simulation, happened)]
        if not due:
            return
        run, memories = run_to_data(figures(simulation, self._first_tokens, happened)), simulation.hook_state.memories
        self._caller.ask([{"name": hook.name, "run": {**run, "memory": memories.get(hook.name, {})}} for hook in due])
        self._asked = [hook.name for hook in due]

    def _give(self, simulation: Simulation, asked: list[str], answers: Any) -> None:
        """Give what was answered, up to the first hook that failed, was stopped, or answered what cannot be."""
        for index, name in enumerate(asked):
            try:
                answer = answers[index]
                if "code" in answer:
                    _stop(simulation, name, answer["code"], answer["params"])
                    return
                effects, memory = answer["effects"], answer["memory"]
                if effects or memory != simulation.hook_state.memories.get(name, {}):
                    second = simulation.now // PS_PER_S
                    message = {"do": "hook", "name": name, "t_s": second, "effects": effects, "memory": memory}
                    give(simulation, {"v": COMMAND_VERSION, **message})
            except EngineError as error:
                _stop(simulation, name, error.code, error.params)
                return
            except (AttributeError, LookupError, TypeError) as error:
                _stop(simulation, name, "hook.answer", {"hook": name, "detail": type(error).__name__})
                return


def _is_due(hook: Hook, simulation: Simulation, happened: list[Happened]) -> bool:
    second = simulation.now // PS_PER_S
    match hook:
        case Every():
            return second > 0 and second % hook.seconds == 0
        case At():
            return second == hook.second
    return any(one.event == hook.event for one in happened)


def _told(simulation: Simulation) -> set[str]:
    """The hooks whose answer at this very time is known already."""
    told = set()
    for at, message in reversed(simulation.commands):
        if at < simulation.now:
            break
        if message["do"] in FROM_HOOKS:
            told.add(message["name"])
    return told


def _stop(simulation: Simulation, name: str, code: str, params: dict[str, Any]) -> None:
    """No hook is called any more; the player is told which one, and why."""
    told = {key: value if type(value) in (int, float, str) else str(value)[:300] for key, value in params.items()}
    give(simulation, {"v": COMMAND_VERSION, "do": "hook_stopped", "name": name, "code": code, "params": told})
