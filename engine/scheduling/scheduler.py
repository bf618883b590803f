"""Continuous batching, as vLLM v1 does it.

Each step has a budget of `max_num_batched_tokens`. Sequences that decode come first, one token each; then a prompt
that is partly computed; then waiting ones, first come first served, while slots, budget and memory last: a long
prompt is cut into chunks. When a sequence needs a block and none is free, the one that was admitted last is preempted:
its KV is dropped and computed anew later (recompute).

Without chunks, prompts go first: a step computes whole prompts, as many as the budget allows and one at least, and
those that decode stand still meanwhile, as engines did before chunked prefill. A static batch is taken when nothing
runs, and nobody joins it until its longest member is done.

Where memory is shared (`engine.memory.shared`), a prompt whose beginning is there already is computed from its end on;
the blocks of a beginning are shared as soon as they are computed. Source: vLLM, automatic prefix caching.

What a step needs to know about the batch is kept in O(1): it follows from a step counter that all decoding sequences
share.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush

from attrs import define

from engine.memory.pool import KvPool
from engine.memory.shared import SharedPool, keys_of
from engine.scheduling.sequence import Sequence

SEVERAL = -1
"""The owner of blocks that several sequences take together."""


@define(slots=True)
class Chunk:
    """Part of a prompt in a step: `tokens` tokens after `context` that are already computed."""

    sequence: Sequence
    tokens: int
    context: int

    @property
    def last(self) -> bool:
        """Whether the whole prompt is computed after it."""
        return self.context + self.tokens == self.sequence.known


@define(slots=True)
class Step:
    """What is computed together. Without chunks it may be repeated up to `repeats` times with no decision between."""

    batch: int
    """Sequences that decode."""
    kv_tokens: int
    """KV tokens that they read; each repeat reads `batch` more."""
    chunks: list[Chunk]
    repeats: int


class Scheduler:
    """Waiting and running sequences of one engine."""

    def __init__(
        self,
        max_num_seqs: int,
        max_num_batched_tokens: int,
        pool: KvPool,
        decodes: bool = True,
        static: bool = False,
        chunked: bool = True,
    ) -> None:
        self.max_num_seqs, self.max_num_batched_tokens, self.pool = max_num_seqs, max_num_batched_tokens, pool
        self.cache = pool if isinstance(pool, SharedPool) else None
        """The same memory, where beginnings of prompts are shared."""
        self.decodes = decodes
        """Whether sequences go on to decode here; else they leave, with their memory, once their prompt is through."""
        self.static = static
        """Static batching: nobody joins a batch under way. Its members have their memory before their first step."""
        self.chunked = chunked
        """Whether prompts are cut into chunks that share steps with sequences that decode."""
        self.waiting: deque[Sequence] = deque()
        self.prefilling: list[Sequence] = []
        """Sequences with a chunk in the present step; between steps at most one, partly computed, admitted last."""
        self.decoding: dict[int, Sequence] = {}
        """By id, in the order of admission."""
        self.counter = 0
        """Decode steps so far."""
        self.kv_tokens = 0
        """Tokens that the decoding sequences read in the next step."""
        self.preemptions = 0
        self.preempted: list[Sequence] = []
        """Who was preempted by the last plan."""
        self._ends: list[tuple[int, int, Sequence]] = []
        self._needs = [0] * pool.block_size
        """How many decoding sequences need a new block at the steps whose number leaves this remainder."""

    @property
    def running(self) -> int:
        """Sequences that hold a slot."""
        return len(self.decoding) + len(self.prefilling)

    def add(self, sequence: Sequence) -> None:
        """A sequence queues."""
        self.waiting.append(sequence)

    def may_start(self) -> bool:
        """Whether a step is possible at all: something runs, has its memory already, or finds enough of it free."""
        if self.decoding or self.prefilling:
            return True
        if any(sequence.blocks for sequence in self.waiting):
            return True
        if not self.waiting:
            return False
        first = self.waiting[0]
        tokens = first.longest if self.decodes and not self.pool.grows else first.known
        return self.pool.blocks(tokens) <= self.pool.free

    # -- before a step -----------------------------------------------------------------------------------------------

    def plan(self) -> Step | None:
        """The next step, its memory taken; None when nothing can run."""
        self.preempted.clear()
        if self.static:
            self._take_batch()
        if not self.chunked:
            self._put_aside()
            whole: list[Chunk] = []
            self._admit(whole, self.max_num_batched_tokens)
            if whole:
                return Step(0, 0, whole, 1)
        preempted = self._make_room()
        batch = len(self.decoding)
        budget = self.max_num_batched_tokens - batch
        chunks: list[Chunk] = []
        if self.prefilling and budget > 0:
            chunk = self._chunk(self.prefilling[0], budget)
            if chunk is None:
                self._preempt_last()
                preempted = True
            else:
                chunks.append(chunk)
                budget -= chunk.tokens
        if self.waiting and not preempted and self.chunked:
            self._admit(chunks, budget)
        if not batch and not chunks:
            return None
        return Step(batch, self.kv_tokens, chunks, 1 if chunks else self._repeats())

    def _make_room(self) -> bool:
        """Take the blocks that this step's decoding needs; whether somebody was preempted for it."""
        preempted = False
        while not self.pool.take(self._needs[self.counter % self.pool.block_size], SEVERAL):
            self._preempt_last()
            preempted = True
        return preempted

    def _take_batch(self) -> None:
        """Nothing runs: as many as wait and find a slot and memory are the next batch; their blocks mark them."""
        if self.running or any(sequence.blocks for sequence in self.waiting):
            return
        for _, sequence in zip(range(self.max_num_seqs), self.waiting, strict=False):
            tokens = sequence.longest if self.decodes and not self.pool.grows else sequence.known
            found = self._find(sequence)
            if not self.pool.take(self.pool.blocks(tokens) - found, sequence.id):
                self._put_back(sequence, found)
                return
            self._admitted(sequence, self._computed(sequence, found))
            sequence.blocks = self.pool.blocks(tokens)

    def _admit(self, chunks: list[Chunk], budget: int) -> None:
        while self.waiting and budget > 0 and self.running < self.max_num_seqs:
            if self.static and not self.waiting[0].blocks:
                return
            if not self.chunked and chunks and self.waiting[0].known > budget:
                return
            chunk = self._next_chunk(budget)
            if chunk is None and not self.running:
                self._bring_forward()
                chunk = self._next_chunk(budget)
            if chunk is None:
                return
            self.prefilling.append(self.waiting.popleft())
            chunks.append(chunk)
            budget -= chunk.tokens

    def _next_chunk(self, budget: int) -> Chunk | None:
        first = self.waiting[0]
        return self._chunk(first, budget if self.chunked else first.known)

    def _bring_forward(self) -> None:
        """Nothing runs and the first has no room: one that has its memory already goes before it, else all would
        stand.
        """
        for sequence in self.waiting:
            if sequence.blocks:
                self.waiting.remove(sequence)
                self.waiting.appendleft(sequence)
                return

    def _chunk(self, sequence: Sequence, budget: int) -> Chunk | None:
        found = 0 if sequence.blocks else self._find(sequence)
        computed = sequence.computed or self._computed(sequence, found)
        tokens = min(sequence.known - computed, budget)
        if self.pool.grows:
            wanted = computed + tokens
        else:
            wanted = sequence.longest if self.decodes else sequence.known
        blocks = self.pool.blocks(wanted) - sequence.blocks - found
        if sequence.blocks:
            fits = True
        else:  # admitted only if all that is known of it fits, not just this chunk (vLLM: scheduler_reserve_full_isl)
            fits = self.pool.blocks(max(wanted, sequence.known)) - found <= self.pool.free
        if tokens <= 0 or not fits or (blocks > 0 and not self.pool.take(blocks, sequence.id)):
            if found:
                self._put_back(sequence, found)
            return None
        if not sequence.blocks:
            self._admitted(sequence, computed)
        sequence.computed = computed
        sequence.blocks += found + max(blocks, 0)
        return Chunk(sequence, tokens, computed)

    def _computed(self, sequence: Sequence, found: int) -> int:
        """Tokens that need not be computed when the first so many blocks were found: all but one at most."""
        return min(found, (sequence.known - 1) // self.pool.block_size) * self.pool.block_size

    def _admitted(self, sequence: Sequence, computed: int) -> None:
        sequence.computed = computed
        if self.cache is not None:
            self.cache.asked += sequence.known
            self.cache.found += computed

    def _find(self, sequence: Sequence) -> int:
        """Take what is still there of a sequence without memory: its prefix, then blocks of its own; how many."""
        own, keys = self.pool.take_back(sequence.id), self._keys(sequence)
        if self.cache is None or not keys:
            return own
        sequence.shared = self.cache.hold(keys)
        if sequence.shared < len(keys):
            self.pool.give_back(own, sequence.id)  # what comes before them is lost
            own = 0
        return sequence.shared + own

    def _put_back(self, sequence: Sequence, found: int) -> None:
        """There is no room for it after all."""
        self.pool.give_back(found - sequence.shared, sequence.id, again=True)
        self._let_go(sequence)

    def _keys(self, sequence: Sequence) -> range:
        """Of the blocks that its prefix fills; the last token of a prompt is always its own."""
        own = sequence.known - sequence.made - 1
        return keys_of(sequence.prefix, min(sequence.prefix_tokens, own), self.pool.block_size)

    def _let_go(self, sequence: Sequence) -> None:
        """Share nothing any more."""
        if self.cache is not None and sequence.shared:
            self.cache.let_go(self._keys(sequence)[: sequence.shared])
            sequence.shared = 0

    def _free(self, sequence: Sequence) -> None:
        """A sequence that leaves gives back its memory."""
        self.pool.give_back(sequence.blocks - sequence.shared, sequence.id)
        self._let_go(sequence)

    def _preempt_last(self) -> None:
        if self.prefilling:
            victim = self.prefilling.pop()
            computed = victim.computed
        else:
            _, victim = self.decoding.popitem()
            self._leave(victim)
            computed = victim.known - 1
        full = min(computed // self.pool.block_size, victim.blocks)  # only full blocks can be found again
        self.pool.give_back(victim.blocks - full, victim.id)
        self.pool.give_back(full - victim.shared, victim.id, again=True)
        self._let_go(victim)
        victim.blocks = victim.computed = 0
        self.waiting.appendleft(victim)
        self.preempted.append(victim)
        self.preemptions += 1

    def _repeats(self) -> int:
        """How many steps may follow one another with no decision: until one ends, or blocks run out."""
        while self._ends[0][2].ends != self._ends[0][0]:
            heappop(self._ends)  # preempted meanwhile
        most = self._ends[0][0] - self.counter
        if not self.pool.grows:
            return most
        size, free = self.pool.block_size, self.pool.free
        cycles = free // max(len(self.decoding), 1)
        if cycles * size >= most:
            return most
        steps, free = max(cycles * size, 1), free - self._blocks_for(max(cycles * size, 1))
        while steps < most:
            free -= self._needs[(self.counter + steps) % size]
            if free < 0:
                break
            steps += 1
        return steps

    def _blocks_for(self, steps: int) -> int:
        """Blocks that `steps` steps from now need, the first step's (already taken) left out."""
        size = self.pool.block_size
        if not self.pool.grows:
            return 0
        cycles, rest = divmod(steps, size)
        first = self.counter % size
        needs = cycles * len(self.decoding) - self._needs[first]
        for step in range(rest):
            needs += self._needs[(first + step) % size]
        return needs

    # -- after a step ------------------------------------------------------------------------------------------------

    def decoded(self, steps: int, more: bool = False) -> list[Sequence]:
        """`steps` repeats of a step are over: every decoding sequence has that many more tokens; those that end.

        With `more` the next repeat is already under way: its memory is taken.
        """
        batch = len(self.decoding)
        if not batch:
            return []
        if steps > 1:
            taken = self.pool.take(self._blocks_for(steps), SEVERAL)
            assert taken, "a run was planned for longer than its blocks last"
        self.counter += steps
        self.kv_tokens += steps * batch
        ended: list[Sequence] = []
        while self._ends and self._ends[0][0] <= self.counter:
            ends, _, sequence = heappop(self._ends)
            if sequence.ends == ends:
                sequence.ends = -1
                ended.append(sequence)
        for sequence in ended:
            del self.decoding[sequence.id]
            self._leave(sequence)
            self._free(sequence)
        if more:
            taken = self.pool.take(self._needs[self.counter % self.pool.block_size], SEVERAL)
            assert taken, "a run was planned for longer than its blocks last"
        return ended

    def prefilled(self, chunks: list[Chunk]) -> list[Sequence]:
        """The step's chunks are computed; the sequences whose prompt is through.

        Each has made a token; those that have more to make decode from now on, one that is done has left. A scheduler
        that does not decode hands all of them over with their memory.
        """
        through: list[Sequence] = []
        partly: list[Sequence] = []
        for chunk in chunks:
            sequence = chunk.sequence
            sequence.computed += chunk.tokens
            self._publish(sequence)
            if not chunk.last:
                partly.append(sequence)
                continue
            through.append(sequence)
            if not self.decodes:
                continue
            sequence.known += 1
            sequence.made += 1
            if sequence.made < sequence.output_tokens:
                self._join(sequence)
            else:
                self._free(sequence)
        self.prefilling = partly
        return through

    def _publish(self, sequence: Sequence) -> None:
        """Share what is computed of its prefix."""
        if self.cache is not None and sequence.prefix >= 0:
            keys = self._keys(sequence)[: sequence.computed // self.pool.block_size]
            self.cache.publish(keys[sequence.shared :], sequence.id)
            sequence.shared = len(keys)

    def _join(self, sequence: Sequence) -> None:
        sequence.joined = self.counter
        sequence.ends = self.counter + sequence.output_tokens - sequence.made
        self.rejoin(sequence)

    def rejoin(self, sequence: Sequence) -> None:
        """Count in a sequence that decodes and says itself since when."""
        self.decoding[sequence.id] = sequence
        self.kv_tokens += sequence.known + self.counter - sequence.joined
        if self.pool.grows:
            self._needs[self._remainder(sequence)] += 1
        heappush(self._ends, (sequence.ends, sequence.id, sequence))

    def gain(self, sequence: Sequence, tokens: int) -> None:
        """A decoding sequence has made tokens beyond the one of this step (accepted drafts)."""
        if not tokens:
            return
        reached = sequence.known + self.counter - sequence.joined
        if self.pool.grows:
            blocks = self.pool.blocks(reached + tokens) - self.pool.blocks(reached)
            taken = self.pool.take(blocks, SEVERAL)
            assert taken, "a draft was checked without room for it"
            self._needs[self._remainder(sequence)] -= 1
        sequence.known += tokens
        sequence.made += tokens
        sequence.ends -= tokens
        self.kv_tokens += tokens
        if self.pool.grows:
            self._needs[self._remainder(sequence)] += 1
        heappush(self._ends, (sequence.ends, sequence.id, sequence))

    def may_gain(self, tokens: int) -> bool:
        """Whether there is room for every decoding sequence to make `tokens` more in this step."""
        return not self.pool.grows or self.pool.free >= len(self.decoding) * self.pool.blocks(tokens + 1)

    def _leave(self, sequence: Sequence) -> None:
        """Write down what a sequence has reached when it no longer decodes."""
        if self.pool.grows:
            self._needs[self._remainder(sequence)] -= 1
        steps = self.counter - sequence.joined
        self.kv_tokens -= sequence.known + steps
        sequence.known += steps
        sequence.made += steps
        if self.pool.grows:
            sequence.blocks = self.pool.blocks(sequence.known - 1)
        sequence.joined = sequence.ends = -1

    def _remainder(self, sequence: Sequence) -> int:
        """A step needs a new block for a sequence when all that is known but the last token fills its blocks."""
        return (sequence.joined - sequence.known + 1) % self.pool.block_size

    def made(self, sequence: Sequence) -> int:
        """Tokens of the answer so far."""
        return sequence.made + (self.counter - sequence.joined if sequence.joined >= 0 else 0)

    def untake(self) -> None:
        """The step that was planned will not be made: give back what its decoding took."""
        self.pool.give_back(self._needs[self.counter % self.pool.block_size], SEVERAL)

    def abandon(self, decoding: bool) -> None:
        """The step that was planned is given up: prompts in it wait again, with the memory that they have.

        `decoding`: whether sequences decode in it.
        """
        if decoding:
            self.untake()
        self._put_aside()

    def _put_aside(self) -> None:
        """Prompts that are partly computed wait, with the memory that they have."""
        self.waiting.extendleft(reversed(self.prefilling))
        self.prefilling = []

    def evict(self, decoding: bool) -> list[Sequence]:
        """Forget all sequences and give back their memory; what each of them has reached is written down.

        `decoding`: whether a step is under way in which sequences decode.
        """
        if decoding:
            self.untake()
        gone = list(self.decoding.values())
        for sequence in gone:
            self._leave(sequence)
        self.decoding.clear()
        self._ends.clear()
        gone += self.prefilling
        gone += self.waiting
        self.prefilling = []
        self.waiting.clear()
        for sequence in gone:
            self._free(sequence)
            sequence.blocks = sequence.computed = 0
        return gone
