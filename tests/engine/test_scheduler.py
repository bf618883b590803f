"""The scheduler: what no sequence of arrivals and steps may ever break."""

from collections.abc import Iterator

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.memory.arena import Arena
from engine.memory.contiguous import ContiguousPool
from engine.memory.paged import PagedPool
from engine.scheduling.scheduler import Scheduler, Step
from engine.scheduling.sequence import Sequence

BLOCK = 4


@attrs.frozen
class Case:
    """An engine with few blocks, and sequences that arrive before given steps."""

    max_num_seqs: int
    max_num_batched_tokens: int
    blocks: int
    arrivals: list[tuple[int, int, int]]
    """Before which plan, prompt tokens, output tokens; the longest fits into all blocks."""
    runs: int
    """Of the repeats that a step offers, how many are taken at once."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    seqs = draw(st.integers(1, 6))
    blocks = draw(st.integers(2, 24))
    longest = blocks * BLOCK
    lengths = st.tuples(st.integers(0, 30), st.integers(1, longest - 1), st.integers(1, longest))
    arrivals = [
        (before, prompt, min(output, longest - prompt + 1))
        for before, prompt, output in draw(st.lists(lengths, max_size=12))
    ]
    return Case(seqs, draw(st.integers(seqs, 40)), blocks, sorted(arrivals), draw(st.integers(1, 50)))


def steps(case: Case, scheduler: Scheduler, ended: list[Sequence]) -> Iterator[Step]:
    """Plan and carry out steps until all is done; yields each step while its memory is taken."""
    arrivals, plans = list(enumerate(case.arrivals)), 0
    while True:
        while arrivals and arrivals[0][1][0] <= plans:
            id, (_, prompt, output) = arrivals.pop(0)
            scheduler.add(Sequence(id, output, prompt))
        step = scheduler.plan()
        plans += 1
        assert plans < 50_000, "it never ends"
        if step is None:
            assert not scheduler.waiting, "somebody waits, nothing runs, and nothing is planned"
            if not arrivals:
                return
            continue
        yield step
        ended += scheduler.decoded(min(step.repeats, case.runs))
        ended += [sequence for sequence in scheduler.prefilled(step.chunks) if sequence.made >= sequence.output_tokens]


def reached(scheduler: Scheduler, sequence: Sequence) -> int:
    """Tokens of a decoding sequence whose KV is there once the present step is over."""
    return sequence.known + scheduler.counter - sequence.joined


@settings(max_examples=200, deadline=None)
@given(cases())
def test_tokens_and_blocks_are_conserved(case: Case) -> None:
    pool = PagedPool(case.blocks, BLOCK)
    scheduler = Scheduler(case.max_num_seqs, case.max_num_batched_tokens, pool)
    ended: list[Sequence] = []
    for step in steps(case, scheduler, ended):
        decoding = list(scheduler.decoding.values())
        assert step.batch == len(decoding)
        assert step.batch + sum(chunk.tokens for chunk in step.chunks) <= case.max_num_batched_tokens
        assert len(decoding) + len(scheduler.prefilling) <= case.max_num_seqs
        assert all(chunk.tokens > 0 for chunk in step.chunks)
        assert [chunk.sequence for chunk in step.chunks] == scheduler.prefilling
        assert all(chunk.last for chunk in step.chunks[:-1]), "only the last prompt is cut"
        assert step.kv_tokens == sum(reached(scheduler, sequence) for sequence in decoding)
        # each sequence holds exactly the blocks of its tokens: it wastes less than one
        held = sum(pool.blocks(reached(scheduler, sequence)) for sequence in decoding)
        held += sum(pool.blocks(chunk.context + chunk.tokens) for chunk in step.chunks)
        assert pool.used == held
        assert pool.used + pool.free == pool.total
    assert sorted((sequence.id, sequence.made) for sequence in ended) == [
        (id, output) for id, (_, _, output) in enumerate(case.arrivals)
    ]
    assert pool.used == 0
    assert scheduler.kv_tokens == 0


@settings(max_examples=200, deadline=None)
@given(cases())
def test_first_come_first_served_and_the_last_admitted_is_preempted(case: Case) -> None:
    scheduler = Scheduler(case.max_num_seqs, case.max_num_batched_tokens, PagedPool(case.blocks, BLOCK))
    admitted: list[int] = []
    running: list[int] = []
    """In the order of their last admission."""
    ended: list[Sequence] = []
    for step in steps(case, scheduler, ended):
        running = [id for id in running if id not in {sequence.id for sequence in ended}]
        for victim in scheduler.preempted:
            assert running.pop() == victim.id
        for chunk in step.chunks:
            if chunk.sequence.id not in running:
                running.append(chunk.sequence.id)
            if chunk.sequence.id not in admitted:
                admitted.append(chunk.sequence.id)
        assert set(running) == {*scheduler.decoding, *(chunk.sequence.id for chunk in step.chunks)}
    assert admitted == sorted(admitted)


@settings(max_examples=200, deadline=None)
@given(cases())
def test_what_is_found_again_after_a_preemption_was_there_before(case: Case) -> None:
    """A preempted sequence computes its prompt and answer anew, but for whole blocks that nobody has used since."""
    scheduler = Scheduler(case.max_num_seqs, case.max_num_batched_tokens, PagedPool(case.blocks, BLOCK))
    computed: dict[int, int] = {}
    fresh: set[int] = set()
    for step in steps(case, scheduler, []):
        fresh |= {sequence.id for sequence in scheduler.preempted}
        for chunk in step.chunks:
            before = computed.get(chunk.sequence.id, 0)
            if chunk.sequence.id in fresh:
                assert chunk.context <= before
                assert chunk.context % BLOCK == 0
                fresh.discard(chunk.sequence.id)
            else:
                assert chunk.context == before
            assert chunk.context + chunk.tokens <= chunk.sequence.known
            computed[chunk.sequence.id] = chunk.context + chunk.tokens
        for sequence in scheduler.decoding.values():
            computed[sequence.id] = reached(scheduler, sequence) - 1 + min(step.repeats, case.runs)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_a_run_of_steps_is_the_same_as_its_steps_one_by_one(case: Case) -> None:
    def history(runs: int) -> list[tuple[int, int, int, list[tuple[int, int, int]]]]:
        scheduler = Scheduler(case.max_num_seqs, case.max_num_batched_tokens, PagedPool(case.blocks, BLOCK))
        every = attrs.evolve(case, runs=runs, arrivals=[(0, prompt, output) for _, prompt, output in case.arrivals])
        found = []
        for step in steps(every, scheduler, []):
            chunks = [(chunk.sequence.id, chunk.tokens, chunk.context) for chunk in step.chunks]
            for repeat in range(min(step.repeats, runs)):
                found.append((step.batch, step.kv_tokens + repeat * step.batch, scheduler.preemptions, chunks))
        return found

    assert history(1) == history(10**9) == history(case.runs)


@settings(max_examples=100, deadline=None)
@given(cases())
def test_reserved_memory_never_runs_out_under_way(case: Case) -> None:
    """With one piece for the longest length, nobody is preempted, and nobody has more than one piece."""
    pool = ContiguousPool(Arena(case.blocks * 10), block_size=case.blocks * BLOCK, piece_bytes=25)
    scheduler = Scheduler(case.max_num_seqs, case.max_num_batched_tokens, pool)
    if pool.free == 0:
        return
    ended: list[Sequence] = []
    for _ in steps(case, scheduler, ended):
        assert pool.used == scheduler.running
        assert all(len(starts) == 1 for starts in pool.starts.values())
    assert scheduler.preemptions == 0
    assert len(ended) == len(case.arrivals)
    assert pool.used == 0


@settings(max_examples=100, deadline=None)
@given(cases())
def test_nobody_joins_a_static_batch_under_way(case: Case) -> None:
    pool = PagedPool(case.blocks, BLOCK, grows=False)
    scheduler = Scheduler(case.max_num_seqs, 10**6, pool, static=True)
    batch: set[int] = set()
    ended: list[Sequence] = []
    for step in steps(case, scheduler, ended):
        joins = {chunk.sequence.id for chunk in step.chunks}
        assert not (joins and step.batch)
        batch = joins or batch
        assert set(scheduler.decoding) <= batch
    assert scheduler.preemptions == 0
    assert len(ended) == len(case.arrivals)


def test_a_long_prompt_is_cut_so_that_decoding_goes_on() -> None:
    scheduler = Scheduler(4, 16, PagedPool(100, BLOCK))
    scheduler.add(Sequence(1, 20, 3))
    first = scheduler.plan()
    assert first is not None
    scheduler.prefilled(first.chunks)
    scheduler.add(Sequence(2, 5, 40))
    budgets = []
    while not scheduler.decoding.get(2):
        step = scheduler.plan()
        assert step is not None
        budgets.append((step.batch, [chunk.tokens for chunk in step.chunks]))
        scheduler.decoded(1)
        scheduler.prefilled(step.chunks)
    assert budgets == [(1, [15]), (1, [15]), (1, [10])]


def test_a_prompt_is_admitted_only_when_all_of_it_fits() -> None:
    """Not just its first chunk; it would be preempted halfway."""
    scheduler = Scheduler(4, 8, PagedPool(8, BLOCK))
    scheduler.add(Sequence(1, 4, 8))
    scheduler.add(Sequence(2, 4, 28))
    step = scheduler.plan()
    assert step is not None
    scheduler.prefilled(step.chunks)
    for _ in range(3):
        step = scheduler.plan()
        assert step is not None
        assert step.chunks == []
        scheduler.decoded(1)
    step = scheduler.plan()
    assert step is not None
    assert [chunk.sequence.id for chunk in step.chunks] == [2]


def test_preempted_sequences_come_back_before_those_that_wait() -> None:
    scheduler = Scheduler(2, 64, PagedPool(6, BLOCK))
    for id in (1, 2, 3):
        scheduler.add(Sequence(id, 12, 8))
    order: list[int] = []
    while step := scheduler.plan():
        order += [chunk.sequence.id for chunk in step.chunks]
        scheduler.decoded(1)
        scheduler.prefilled(step.chunks)
    assert order == [1, 2, 2, 3, 3]
    assert scheduler.preemptions == 2


@pytest.mark.parametrize("output", [1, 2])
def test_an_answer_of_one_token_ends_with_its_prompt(output: int) -> None:
    scheduler = Scheduler(2, 64, PagedPool(6, BLOCK))
    scheduler.add(Sequence(1, output, 8))
    step = scheduler.plan()
    assert step is not None
    assert [sequence.made for sequence in scheduler.prefilled(step.chunks)] == [1]
    assert scheduler.running == output - 1
