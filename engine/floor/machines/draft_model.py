"""Draft Model: a small model that proposes the next tokens, one cheap pass each, for the main model to check at
once.
"""

from __future__ import annotations

from typing import Any

from numpy.random import Generator

from engine import catalog
from engine.catalog.model import Model
from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import IDLE, UNCONNECTED, WORKING, Machine
from engine.floor.machines.core import Core
from engine.physics.kv_cache import kv_bytes_per_token
from engine.scheduling.sequence import Sequence

_COIN_SIDES = 1 << 32


class DraftModel(Machine):
    """Proposes `num_speculative_tokens` tokens a step; each is right with the level's probability, until one is not."""

    random: Generator

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.known: dict[int, int] = {}
        """Request -> tokens whose KV the draft model has too."""

    @property
    def model(self) -> Model:
        """The small model."""
        return catalog.model(self.floor.level.draft_models[self.settings["model"]])

    def weight_bytes(self) -> int:
        """Its weights lie beside the main model's."""
        return self.model.weight_bytes

    def kv_bytes_per_token(self) -> int:
        """It keeps a KV cache of its own."""
        return kv_bytes_per_token(self.model)

    # -- engine.scheduling.stepper.Drafter -----------------------------------------------------------------------------

    def proposes(self) -> int:
        """Its setting; 0 when it shares another card than the Decode Core's with a core that needs it."""
        core = self._core()
        if core is None or self.pad is None:
            return 0
        alone = not any(isinstance(machine, Core) for machine in self.pad.cores)
        return self.settings["num_speculative_tokens"] if core.pad is self.pad or alone else 0

    def draft_ps(self, sequences: list[Sequence], contexts: list[int], tokens: int) -> int:
        """One pass per token over the batch, the prompts that it does not know yet before; from another card, the
        links.
        """
        assert self.pad is not None
        deployment = self.floor.draft_deployment(self.pad.gpu, self.model)
        total, kv_tokens = 0, 0
        for sequence, context in zip(sequences, contexts, strict=True):
            known = self.known.get(sequence.id, 0)
            if known == 0:
                total += deployment.prefill([context]).step_ps
            kv_tokens += context
        self.known = dict(zip((sequence.id for sequence in sequences), contexts, strict=True))
        total += deployment.decode(len(sequences)).steps_ps(tokens, kv_tokens, len(sequences))
        core = self._core()
        if core is not None and core.pad is not self.pad:
            size = BYTES_PER_TOKEN_ID * tokens * len(sequences)
            total += 2 * self.outputs[0].latency_ps(size, size)
        return total

    def accepts(self, tokens: int) -> int:
        """A coin per token, cut at the first that is wrong."""
        heads = round(self.floor.level.acceptance * _COIN_SIDES)
        for accepted in range(tokens):
            if int(self.random.integers(_COIN_SIDES)) >= heads:
                return accepted
        return tokens

    def _core(self) -> Machine | None:
        return self.floor.machines[self.outputs[0].target.machine] if self.outputs else None

    # -- a machine -------------------------------------------------------------------------------------------------

    def act(self, now: int) -> int | None:
        """Its passes are part of the Decode Core's steps."""
        return None

    def receive(self, request: int, belt: Belt | None) -> None:
        """Nothing comes here."""
        raise AssertionError("a Draft Model has no input")

    def evict(self) -> list[int]:
        """Forget what it knows."""
        self.known = {}
        return []

    def dump(self) -> dict[str, Any]:
        """What it knows."""
        return {"known": [[id, tokens] for id, tokens in self.known.items()]}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        self.known = dict(data["known"])

    def doing(self) -> str:
        """Whether the Decode Core at its belt's end is in a step with its drafts."""
        core = self._core()
        if core is None:
            return UNCONNECTED
        drafting = isinstance(core, Core) and core.stepper.run is not None and core.stepper.run.drafted > 0
        return WORKING if drafting else IDLE

    def limit(self) -> str:
        """What binds its passes."""
        core = self._core()
        if core is None or self.pad is None or self.status() != WORKING:
            return "none"
        return self.floor.draft_deployment(self.pad.gpu, self.model).decode(max(core.batch_size(), 1)).limit

    def busy_ps(self, first_s: int, now: int) -> int:
        """It works whenever its Decode Core does."""
        core = self._core()
        return core.busy_ps(first_s, now) if core is not None and self.status() == WORKING else 0
