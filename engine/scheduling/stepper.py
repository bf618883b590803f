"""A scheduler in time: its steps, one after another, on a card.

Steps with the same batch are taken in one jump: `run` says where it stands, and `settle` writes down the steps that are
over by a given moment. A run may be cut at any step; what happens is the same to the bit.
"""

from __future__ import annotations

from math import sqrt
from typing import Protocol

from attrs import define

from engine.metrics.causes import HOST, KV, LINK, OTHERS, PREEMPTION, PREFILL, QUEUE, REJECTED, WEIGHTS, none
from engine.metrics.seconds import PerSecond
from engine.metrics.usage import Usage
from engine.physics.roofline import DecodeCost, Deployment
from engine.scheduling.pauses import Pauses
from engine.scheduling.scheduler import Chunk, Scheduler, Step
from engine.scheduling.sequence import Sequence
from engine.traffic.request import Request
from engine.units import PS_PER_S

_MANY_PAUSES = 256


class Books(Protocol):
    """Where what requests have reached is written down."""

    delivered: PerSecond

    def started(self, request: Request) -> None:
        """Its first token was made."""

    def finished(self, request: Request) -> None:
        """Its last token was made."""


class TokenWatcher(Protocol):
    """Somebody who draws tokens."""

    def horizon_ps(self) -> int:
        """Tokens made longer ago than this need not be told."""

    def made(self, at_ps: int, requests: list[int]) -> None:
        """Tokens were made at a time, one for each entry of `requests`, in the order of the batch."""

    def drafted(self, at_ps: int, proposed: list[int]) -> None:
        """A draft model began at a time to propose tokens, one for each entry of `proposed`."""

    def rejected(self, at_ps: int, requests: list[int], behind: int) -> None:
        """Drafts were thrown away, one for each entry of `requests`, when `behind` tokens were made."""


class Drafter(Protocol):
    """A draft model and the gate that checks its proposals."""

    def proposes(self) -> int:
        """How many tokens it proposes now; 0: it is not in use."""

    def draft_ps(self, sequences: list[Sequence], contexts: list[int], tokens: int) -> int:
        """How long proposing `tokens` tokens takes for a batch of sequences with these contexts, links included."""

    def accepts(self, tokens: int) -> int:
        """How many of `tokens` proposed tokens one sequence accepts: a coin each, cut at the first that is wrong."""


@define(slots=True)
class Run:
    """The present step, and how often it is repeated from `start_ps` on."""

    start_ps: int
    repeats: int
    batch: int
    kv_tokens: int
    chunks: list[Chunk]
    mixed_ps: int
    """Length of a step with chunks; 0: without."""
    limit: str
    drafted: int = 0
    """Draft tokens per sequence that the step checks."""


class Stepper:
    """Runs a scheduler's steps and keeps the requests' books."""

    def __init__(
        self, scheduler: Scheduler, deployment: Deployment, requests: dict[int, Request], ledger: Books
    ) -> None:
        self.scheduler, self.deployment, self.requests, self.ledger = scheduler, deployment, requests, ledger
        self.run: Run | None = None
        self.through: list[Sequence] = []
        """Sequences that a scheduler which does not decode has finished, for its owner to take."""
        self.delay_ps = 0
        """From a token's making to its delivery."""
        self.last_end_ps = 0
        """The end of the last step."""
        self.spent = none()
        """Time per cause that a sequence which has always been decoding would have spent."""
        self.pauses = Pauses()
        self.steps = 0
        """Steps that are over."""
        self.busy = PerSecond()
        self.card_busy: PerSecond | None = None
        """The card's own book, where others work on it too."""
        self.drafter: Drafter | None = None
        self.drafted = self.accepted = 0
        """Tokens that a draft model has proposed, and those of them that were right."""
        self.watcher: TokenWatcher | None = None
        self.usage: Usage | None = None
        """Whose work the steps are, where there are tenants."""
        self.joined: dict[int, tuple[int, list[int]]] = {}
        """Request -> the number of tokens of the batch so far (`_beat`) and what was spent when it began to decode."""
        self.stood: list[int] = []
        """While the batch stands still for whole prompts: when it made its last token, and the ends of the steps since
        but the last.
        """
        self.stands = 0
        """How often it has stood still for a step."""

    # -- runs ----------------------------------------------------------------------------------------------------------

    def begin(self, now: int) -> bool:
        """Start the next step, if there is anything to do."""
        step = self.scheduler.plan()
        self._note_preempted(now)
        if step is None:
            return False
        mixed_ps = 0
        if step.chunks:
            chunks = [(chunk.tokens, chunk.context, chunk.last) for chunk in step.chunks]
            cost = self.deployment.mixed(step.batch, step.kv_tokens, chunks)
            mixed_ps, limit = cost.step_ps, cost.limit
            for chunk in step.chunks:
                self._begin_prefill(chunk.sequence, now)
        else:
            limit = self.deployment.decode(step.batch).limit
        self.run = Run(now, step.repeats, step.batch, step.kv_tokens, step.chunks, mixed_ps, limit)
        if not step.chunks and self.drafter is not None:
            self._draft(self.run, self.drafter)
        if self.usage is not None:
            self.usage.begin(self._tokens_of(step))
        return True

    def _tokens_of(self, step: Step) -> dict[int, int]:
        """Tenant -> tokens that it has in a step."""
        tokens: dict[int, int] = {}
        for id in self.scheduler.decoding if step.batch else ():
            tenant = self.requests[id].tenant
            tokens[tenant] = tokens.get(tenant, 0) + 1
        for chunk in step.chunks:
            tenant = self.requests[chunk.sequence.id].tenant
            tokens[tenant] = tokens.get(tenant, 0) + chunk.tokens
        return tokens

    def _draft(self, run: Run, drafter: Drafter) -> None:
        """Make the run one speculative step: propose, then check all proposals and one more token at once."""
        tokens = drafter.proposes()
        if not tokens or not self.scheduler.may_gain(tokens):
            return
        check = self.deployment.decode(run.batch, tokens + 1)
        run.repeats, run.drafted, run.limit = 1, tokens, check.limit
        sequences = list(self.scheduler.decoding.values())
        contexts = [sequence.known + self.scheduler.counter - sequence.joined for sequence in sequences]
        run.mixed_ps = drafter.draft_ps(sequences, contexts, tokens) + check.steps_ps(1, run.kv_tokens, run.batch)
        if self.watcher is not None:
            self.watcher.drafted(run.start_ps, [sequence.id for sequence in sequences for _ in range(tokens)])

    def due_ps(self, step_by_step: bool = False) -> int | None:
        """When the run (or, step by step, the present step) is over."""
        run = self.run
        if run is None:
            return None
        if run.mixed_ps:
            return run.start_ps + run.mixed_ps
        repeats = min(run.repeats, 1) if step_by_step else run.repeats
        return run.start_ps + self._cost(run).steps_ps(repeats, run.kv_tokens, run.batch)

    def cut(self, now: int) -> None:
        """End the run at the end of the present step, or at once between two steps. Call after `settle(now)`."""
        run = self.run
        if run is None or run.mixed_ps:
            return
        if run.start_ps == now:
            self.scheduler.untake()
            self.run = None
        else:
            run.repeats = 1

    def only_one_step(self) -> None:
        """Somebody waits for the card: no repeats."""
        assert self.run is not None
        self.run.repeats = 1

    def abort(self) -> None:
        """The present step is given up, its work lost."""
        if self.run is not None:
            self.scheduler.abandon(self.run.batch > 0)
            self.run = None

    def shorten(self, now: int) -> None:
        """End the run with the step that is under way at `now`, whatever is written down of those before it."""
        run = self.run
        if run is not None and not run.mixed_ps:
            run.repeats = min(run.repeats, _steps_by(run, self._cost(run), now) + 1)

    def settle(self, now: int) -> None:
        """Write down all steps that are over by `now`; a run that is over is gone afterwards."""
        run = self.run
        if run is None:
            return
        if run.mixed_ps:
            if run.start_ps + run.mixed_ps <= now:
                self._end_mixed(run)
            return
        cost = self._cost(run)
        steps = _steps_by(run, cost, now)
        if steps:
            self._end_steps(run, cost, steps)

    def evict(self) -> list[int]:
        """Give up all sequences, the present step's work included; the requests that were here. Settle first."""
        gone = self.scheduler.evict(self.run is not None and self.run.batch > 0)
        self.run = None
        for sequence in gone:
            self._leave_batch(sequence)
        self.stood = []
        gone += self.through
        self.through = []
        return [sequence.id for sequence in gone]

    def parts(self, run: Run, ps: int) -> list[int]:
        """So much of the present step of a run, by cause, for those that decode: weights and KV are read in layer after
        layer, so each has its share. What drafting takes counts for weights: reading the draft model's is most of it.
        """
        cost = self.deployment.decode(run.batch, run.drafted + 1)
        step = run.mixed_ps or cost.steps_ps(1, run.kv_tokens, run.batch)
        parts = none()
        parts[KV], parts[HOST] = cost.per_kv_token_ps * run.kv_tokens, cost.base_ps - cost.weights_ps
        parts[WEIGHTS] = step - parts[KV] - parts[HOST] if run.drafted else cost.weights_ps
        parts[OTHERS] = step - parts[WEIGHTS] - parts[KV] - parts[HOST]
        shares = [ps * part // step for part in parts]
        shares[WEIGHTS] += ps - sum(shares)  # a few picoseconds of rounding
        return shares

    def _cost(self, run: Run) -> DecodeCost:
        return self.deployment.decode(run.batch)

    # -- ends of steps -----------------------------------------------------------------------------------------------

    def _end_steps(self, run: Run, cost: DecodeCost, steps: int) -> None:
        first = run.start_ps + cost.steps_ps(1, run.kv_tokens, run.batch)
        end = run.start_ps + cost.steps_ps(steps, run.kv_tokens, run.batch)
        self._pause(first)
        if steps > 1:
            last_step = cost.base_ps + cost.per_kv_token_ps * (run.kv_tokens + (steps - 1) * run.batch)
            self.pauses.add(self._beat + steps, last_step)
        self._spend(run, cost, steps, end)
        self._deliver(run, cost, steps)
        self.steps += steps
        self._work(run.start_ps, end)
        self.last_end_ps = end
        more = steps < run.repeats
        for sequence in self.scheduler.decoded(steps, more):
            self._end(sequence)
        if more:
            run.start_ps, run.kv_tokens, run.repeats = end, run.kv_tokens + steps * run.batch, run.repeats - steps
        else:
            self.run = None
            if len(self.pauses.steps) > _MANY_PAUSES:
                joined = [self.joined[id][0] for id in self.scheduler.decoding]
                self.pauses.forget_before(min(joined, default=self._beat))

    def _end_mixed(self, run: Run) -> None:
        end = run.start_ps + run.mixed_ps
        self.steps += 1
        self._work(run.start_ps, end)
        if run.drafted:
            self._end_drafted(run, end)
            return
        made = list(self.scheduler.decoding) if run.batch else []
        if run.batch:
            self._pause(end)
            self._spend(run, self.deployment.decode(run.batch), 1, end)
        elif self.scheduler.decoding:
            self._stand(end)
        self.run, self.last_end_ps = None, end
        if run.batch:
            for sequence in self.scheduler.decoded(1):
                self._end(sequence)
        for sequence in self.scheduler.prefilled(run.chunks):
            self._end_prefill(sequence, end)
            if self.scheduler.decodes:
                made.append(sequence.id)
        for sequence in self.scheduler.prefilling:
            self._end_chunk(sequence, end)
        if made:
            self._tell(end, made)
            self.ledger.delivered.add((end + self.delay_ps) // PS_PER_S, len(made))

    def _end_drafted(self, run: Run, end: int) -> None:
        """Each sequence has the drafts that it accepted and one token more, all at the same moment."""
        assert self.drafter is not None
        scheduler, made = self.scheduler, run.batch
        self._pause(end)
        gained: list[tuple[Sequence, int]] = []
        for sequence in scheduler.decoding.values():
            left = sequence.output_tokens - scheduler.made(sequence)
            accepted = self.drafter.accepts(run.drafted)
            self.drafted += run.drafted
            self.accepted += accepted
            gained.append((sequence, min(accepted, left - 1)))
        step_ps = end - run.start_ps
        self.spent[OTHERS] += run.start_ps - self.last_end_ps
        whole = run.batch * (run.drafted + 1)
        kept = run.batch
        for sequence, extra in gained:
            scheduler.gain(sequence, extra)
            made += extra
            kept += extra
        rejected = step_ps * (whole - kept) // whole
        self.spent[REJECTED] += rejected
        for cause, ps in enumerate(self.parts(run, step_ps - rejected)):
            self.spent[cause] += ps
        self.run, self.last_end_ps = None, end
        for sequence in scheduler.decoded(1):
            self._end(sequence)
        self._tell_checked(run, end, gained)
        self.ledger.delivered.add((end + self.delay_ps) // PS_PER_S, made)

    @property
    def _beat(self) -> int:
        """Tokens that a sequence which has always been decoding has made, and the steps for which it stood still."""
        return self.scheduler.counter + self.stands

    def _pause(self, end: int) -> None:
        """The batch makes a token at `end`: the gap before it, longer for those that have stood still longer."""
        for place, since in enumerate(self.stood):
            self.pauses.add(self._beat + 1 - len(self.stood) + place, end - since)
        self.pauses.add(self._beat + 1, end - self.last_end_ps)
        self.stood = []

    def _stand(self, end: int) -> None:
        """A step of whole prompts ends; those that decode have stood still for it."""
        self.stood.append(self.last_end_ps)
        self.stands += 1
        self.spent[OTHERS] += end - self.last_end_ps

    def _work(self, start: int, end: int) -> None:
        self.busy.add_span(start, end)
        if self.usage is not None:
            self.usage.worked(end - start)
        if self.card_busy is not None:
            self.card_busy.add_span(start, end)

    def _spend(self, run: Run, cost: DecodeCost, steps: int, end: int) -> None:
        """Account for the time since the last step's end, for those that decode."""
        spent = self.spent
        weights, kv = steps * cost.weights_ps, cost.per_kv_token_ps * cost.kv_reads(steps, run.kv_tokens, run.batch)
        host = steps * (cost.base_ps - cost.weights_ps)
        spent[WEIGHTS] += weights
        spent[KV] += kv
        spent[HOST] += host
        spent[OTHERS] += end - self.last_end_ps - weights - kv - host

    def _deliver(self, run: Run, cost: DecodeCost, steps: int) -> None:
        """Tokens per second of delivery, second by second in closed form."""
        done, second = 0, (run.start_ps + self.delay_ps) // PS_PER_S
        while done < steps:
            by = _steps_by(run, cost, (second + 1) * PS_PER_S - 1 - self.delay_ps, steps)
            if by > done:
                self.ledger.delivered.add(second, (by - done) * run.batch)
                done = by
            second += 1
        if self.watcher is not None:
            batch = list(self.scheduler.decoding)
            for step in range(_steps_by(run, cost, self.watcher.horizon_ps(), steps) + 1, steps + 1):
                self.watcher.made(run.start_ps + cost.steps_ps(step, run.kv_tokens, run.batch), batch)

    def _tell(self, at_ps: int, made: list[int]) -> None:
        if self.watcher is not None and at_ps > self.watcher.horizon_ps():
            self.watcher.made(at_ps, made)

    def _tell_checked(self, run: Run, end: int, gained: list[tuple[Sequence, int]]) -> None:
        if self.watcher is None or end <= self.watcher.horizon_ps():
            return
        made, rejected = list[int](), list[int]()
        for sequence, extra in gained:
            made += [sequence.id] * (extra + 1)
            rejected += [sequence.id] * (run.drafted - extra)
        self.watcher.made(end, made)
        self.watcher.rejected(end, rejected, len(made))

    # -- requests ------------------------------------------------------------------------------------------------------

    def _begin_prefill(self, sequence: Sequence, now: int) -> None:
        request = self.requests[sequence.id]
        if request.prefill_start_ps < 0:
            request.prefill_start_ps = now
        if not request.recompute:
            request.mark(QUEUE, now)

    def _end_chunk(self, sequence: Sequence, end: int) -> None:
        """More of its prompt is to come."""
        request = self.requests[sequence.id]
        if not request.recompute:
            request.mark(PREFILL, end)

    def _end_prefill(self, sequence: Sequence, end: int) -> None:
        request = self.requests[sequence.id]
        request.mark(PREEMPTION if request.recompute else PREFILL, end)
        request.recompute = False
        request.prefill_end_ps = end
        if not self.scheduler.decodes:
            self.through.append(sequence)
            return
        delivered = end + self.delay_ps
        if request.tokens == 0:
            request.first_token_ps = delivered
            self.ledger.started(request)
        else:
            request.longest_pause_ps = max(request.longest_pause_ps, delivered - request.last_token_ps)
        request.tokens, request.last_token_ps = sequence.made, delivered
        if sequence.made >= sequence.output_tokens:
            self._finish(request)
        else:
            self.joined[sequence.id] = self._beat, list(self.spent)

    def _end(self, sequence: Sequence) -> None:
        self._leave_batch(sequence)
        self._finish(self.requests[sequence.id])

    def _finish(self, request: Request) -> None:
        request.causes[LINK] += self.delay_ps
        self.ledger.finished(request)

    def _note_preempted(self, now: int) -> None:
        for sequence in self.scheduler.preempted:
            request = self.requests[sequence.id]
            if not self._leave_batch(sequence) and not request.recompute:
                request.mark(PREFILL, now)
            request.recompute = True

    def _leave_batch(self, sequence: Sequence) -> bool:
        """Write into the request what happened to it while it decoded, up to its last token; whether it did."""
        found = self.joined.pop(sequence.id, None)
        if found is None:
            return False
        joined, spent_before = found
        request = self.requests[sequence.id]
        for cause, spent in enumerate(self.spent):
            request.causes[cause] += spent - spent_before[cause]
        request.marked_ps = self.last_end_ps
        self._write(request, sequence.made, joined)
        return True

    def _write(self, request: Request, made: int, joined: int) -> None:
        request.tokens = made
        if not self.stood:
            request.last_token_ps = self.last_end_ps + self.delay_ps
        elif request.prefill_end_ps <= self.stood[0]:  # else it was the prefill's, which is written down
            request.last_token_ps = self.stood[0] + self.delay_ps
        request.longest_pause_ps = max(request.longest_pause_ps, self.pauses.longest_since(joined + 1))

    def write(self) -> None:
        """Write into the requests that decode what they have reached, for whoever wants to read them now."""
        for id, (joined, _) in self.joined.items():
            self._write(self.requests[id], self.scheduler.made(self.scheduler.decoding[id]), joined)


def _steps_by(run: Run, cost: DecodeCost, now: int, most: int | None = None) -> int:
    """How many of the run's steps are over at `now`: a good guess from the quadratic equation, then exactly."""
    steps, left, kv_tokens, batch = run.repeats if most is None else most, now - run.start_ps, run.kv_tokens, run.batch
    if left < cost.base_ps + cost.per_kv_token_ps * kv_tokens:
        return 0
    if cost.steps_ps(steps, kv_tokens, batch) <= left:
        return steps
    half = cost.per_kv_token_ps * batch / 2
    linear = cost.base_ps + cost.per_kv_token_ps * kv_tokens - half
    steps = min(int(2 * left / (linear + sqrt(linear * linear + 4 * half * left))), steps - 1)
    while cost.steps_ps(steps, kv_tokens, batch) > left:
        steps -= 1
    while cost.steps_ps(steps + 1, kv_tokens, batch) <= left:
        steps += 1
    return steps
