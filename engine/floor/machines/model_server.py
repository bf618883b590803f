"""Model Server: a whole engine on one card, as vLLM is: it computes prompts and makes the tokens of their answers.

How it does both depends on what stands beside it on its pad. Without a Batcher it serves static batches, as
FasterTransformer did: a batch is taken when nothing runs, each member reserves memory for its whole answer, nobody
joins, and the longest answer holds all. With a Batcher sequences join and leave between steps (continuous batching:
Yu et al., Orca, OSDI 2022). Without a Chunker a step computes whole prompts, and those that decode stand still; with
one, prompts are cut into chunks that share steps with them (Agrawal et al., Sarathi-Serve, OSDI 2024). Page Allocator
and Prefix Cache change its memory. How long an answer will be is known in advance, which a true engine has to guess.
"""

from __future__ import annotations

from engine import catalog
from engine.catalog.model import Model
from engine.floor.belt import Belt
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, WAITING_MEMORY, WAITING_PAD, WORKING
from engine.floor.machines.token_maker import TokenMaker
from engine.level.rules import MAX_MODELS
from engine.metrics.causes import LINK, PREEMPTION
from engine.physics.kv_cache import kv_bytes_per_token
from engine.scheduling.scheduler import Scheduler
from engine.scheduling.sequence import Sequence


class ModelServer(TokenMaker):
    """A model, a scheduler and a queue."""

    # -- what stands beside it -------------------------------------------------------------------------------------

    def model(self) -> Model:
        """What it serves."""
        return catalog.model(self.floor.served(self.settings))

    def max_num_seqs(self) -> int:
        """Most sequences at a time; a budget of tokens has to last for those that decode."""
        return min(self.settings["max_num_seqs"], self.max_num_batched_tokens())

    def max_num_batched_tokens(self) -> int:
        """Most tokens in a step, those that decode included; a Chunker makes it less."""
        tokens = self.settings["max_num_batched_tokens"]
        for chunker in self.floor.on_pad(self.here, "chunker")[:1]:
            tokens = min(tokens, chunker.settings["chunk_tokens"])
        return tokens

    def new_scheduler(self) -> Scheduler:
        """As the machines on the pad have it."""
        scheduler = super().new_scheduler()
        scheduler.static, scheduler.chunked = self._ways()
        return scheduler

    def _ways(self) -> tuple[bool, bool]:
        """Whether batches are static, and whether prompts are cut."""
        return not self.floor.on_pad(self.here, "batcher"), bool(self.floor.on_pad(self.here, "chunker"))

    def connected(self) -> None:
        """Take over what has changed with the next step."""
        scheduler, stepper = self.scheduler, self.stepper
        before = scheduler.static, scheduler.chunked, scheduler.max_num_seqs, scheduler.max_num_batched_tokens
        super().connected()
        scheduler.static, scheduler.chunked = self._ways()
        after = scheduler.static, scheduler.chunked, scheduler.max_num_seqs, scheduler.max_num_batched_tokens
        if stepper.run is not None and before != after:
            stepper.settle(self.now)
            stepper.cut(self.now)

    # -- requests --------------------------------------------------------------------------------------------------

    def receive(self, request: int, belt: Belt | None) -> None:
        """A prompt has arrived; one that would never fit into the memory is refused."""
        asked, scheduler = self.floor.requests[request], self.scheduler
        asked.mark(PREEMPTION if asked.recompute else LINK, self.now)
        longest = asked.prompt_tokens + asked.output_tokens
        pool, most = self.here.pool, self.floor.level.max_model_len or longest
        if longest > most or pool.blocks(longest - 1) > pool.total:
            asked.refused = True
            self.floor.ledger.refused(asked)
            self.here.freed()
            return
        if self.floor.level.models:
            asked.model = self.model().id
        sequence = Sequence(request, asked.output_tokens, asked.prompt_tokens + asked.tokens, made=asked.tokens)
        if asked.prefix >= 0:
            sequence.prefix = asked.prefix * MAX_MODELS + self.settings.get("model", 0)  # each model has KV of its own
            sequence.prefix_tokens = asked.prefix_tokens
        if not scheduler.waiting and not scheduler.static:
            self.stepper.settle(self.now)
            self.stepper.cut(self.now)
        scheduler.add(sequence)
        self.nudge()

    def evict(self) -> list[int]:
        """Forget all requests, give back pad and memory."""
        requests = self.stepper.evict()
        self.here.release(self.id, self.now)
        self.here.freed()
        return requests

    # -- what others want to know ----------------------------------------------------------------------------------

    def weight_bytes(self) -> int:
        """An engine has weights of its own, though another one on the same card has the same."""
        return self.model().weight_bytes

    def kv_bytes_per_token(self) -> int:
        """Of its model."""
        return kv_bytes_per_token(self.model())

    def slots(self) -> int:
        """Most sequences at a time."""
        return self.max_num_seqs()

    def doing(self) -> str:
        """What the server does or waits for."""
        if self.stepper.run is not None:
            return WORKING
        if not self.way_out or not self.inputs:
            return BLOCKED if self.load_length() else UNCONNECTED
        if self.scheduler.running or self.scheduler.waiting:
            return WAITING_PAD if self.id in self.here.state.queue else WAITING_MEMORY
        return IDLE
