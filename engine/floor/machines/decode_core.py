"""Decode Core: one token per sequence per step, one step after another; sequences join and leave between steps.

A run of steps with the same batch is an exact arithmetic series, taken in one jump: `run` holds where it stands, and
`settle` writes down the steps that are over by a given moment. Cutting a run anywhere changes nothing in what happens.
"""

from __future__ import annotations

from attrs import define, field

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, WAITING_PAD, WORKING, Machine
from engine.metrics.seconds import PerSecond
from engine.physics.roofline import DecodeCost
from engine.traffic.request import Request
from engine.units import PS_PER_S


@define
class Run:
    """Steps with one batch, from now on: the first begins at `start_ps`, each reads `batch` KV tokens more than the
    one before.
    """

    start_ps: int
    steps: int
    kv_tokens: int
    batch: int

    def steps_by(self, cost: DecodeCost, now: int) -> int:
        """How many steps are over at `now`."""
        low, high = 0, self.steps
        while low < high:
            middle = (low + high + 1) // 2
            if self.start_ps + cost.steps_ps(middle, self.kv_tokens, self.batch) <= now:
                low = middle
            else:
                high = middle - 1
        return low


@define
class DecodeCoreState:
    """What a checkpoint keeps."""

    expected: list[int] = field(factory=list)
    """Requests with a slot whose KV is on its way."""
    arrived: list[int] = field(factory=list)
    """Requests whose KV is here; they join at the next step."""
    running: list[int] = field(factory=list)
    run: Run | None = None
    turn_used: bool = False
    """Whether a step was made since the pad was given to this core."""
    busy: PerSecond = field(factory=PerSecond)


class DecodeCore(Machine):
    """Continuous batching with at most `max_num_seqs` sequences."""

    state_class = DecodeCoreState
    state: DecodeCoreState

    # -- taking sequences in ---------------------------------------------------------------------------------------

    def has_room(self, request: Request) -> bool:
        """Whether a slot is free, and memory for the whole sequence."""
        assert self.pad is not None
        return self.load() < self.slots() and self.pad.vram.fits(request.id, self._whole_bytes(request))

    def reserve(self, request: Request) -> None:
        """Set a slot and the memory aside."""
        assert self.pad is not None
        self.pad.vram.hold(request.id, self._whole_bytes(request))
        self.state.expected.append(request.id)

    def _whole_bytes(self, request: Request) -> int:
        return self.floor.kv_bytes(request.prompt_tokens + request.output_tokens)

    def receive(self, request: int, belt: Belt | None) -> None:
        """A sequence's KV has arrived: its sender may forget it."""
        self.state.expected.remove(request)
        self.state.arrived.append(request)
        if belt is not None:
            sender = self.floor.machines[belt.source.machine].pad
            if sender is not None and sender is not self.pad:
                sender.free(request)
        self.nudge()

    # -- steps ------------------------------------------------------------------------------------------------------

    def act(self, now: int) -> int | None:
        """End the run that is over, let sequences leave and join, begin the next run."""
        state = self.state
        assert self.pad is not None
        self.settle(now)
        if state.run is not None and (state.arrived or self._must_yield() or not self.outputs):
            at_a_boundary = state.run.start_ps == now
            state.run.steps = 0 if at_a_boundary or not self.outputs else min(state.run.steps, 1)
        if state.run is not None and state.run.steps == 0:
            state.run = None
        if state.run is None:
            self._between_runs(now)
        return self._due()

    def _must_yield(self) -> bool:
        return self.pad is not None and self.pad.contested and self.state.turn_used

    def _between_runs(self, now: int) -> None:
        state, requests = self.state, self.floor.requests
        assert self.pad is not None
        for id in [id for id in state.running if requests[id].done]:
            state.running.remove(id)
            self.pad.free(id)
        for id in state.arrived:
            requests[id].joined_ps = now
        state.running.extend(state.arrived)
        state.arrived.clear()
        if not state.running or not self.outputs:
            state.turn_used = False
            self.pad.release(self.id)
            return
        if self._must_yield():
            state.turn_used = False
            self.pad.release(self.id)
        if self.pad.acquire(self.id):
            steps, kv_tokens = None, 0
            for id in state.running:
                left = requests[id].output_tokens - requests[id].tokens
                steps = left if steps is None else min(steps, left)
                kv_tokens += requests[id].context_tokens
            assert steps is not None
            if self.pad.contested:
                steps = 1
            state.run = Run(now, steps, kv_tokens, len(state.running))

    def _due(self) -> int | None:
        run = self.state.run
        if run is None:
            return None
        steps = min(run.steps, 1) if self.floor.step_by_step else run.steps
        return run.start_ps + self._cost(run).steps_ps(steps, run.kv_tokens, run.batch)

    def _cost(self, run: Run) -> DecodeCost:
        assert self.pad is not None
        return self.floor.decode_cost(self.pad.gpu, run.batch)

    # -- writing down what has happened ----------------------------------------------------------------------------

    def settle(self, now: int) -> None:
        """Count the tokens of all steps that are over by `now`."""
        run = self.state.run
        if run is None:
            return
        cost = self._cost(run)
        steps = run.steps_by(cost, now)
        if steps == 0:
            return
        first = run.start_ps + cost.steps_ps(1, run.kv_tokens, run.batch)
        end = run.start_ps + cost.steps_ps(steps, run.kv_tokens, run.batch)
        last_step = cost.base_ps + cost.per_kv_token_ps * (run.kv_tokens + (steps - 1) * run.batch)
        self._deliver(run, cost, steps)
        delay = self._delay_ps()
        for id in self.state.running:
            request = self.floor.requests[id]
            if request.tokens == 0:
                request.first_token_ps = first + delay
                self.floor.ledger.started(request)
            else:
                request.longest_pause_ps = max(request.longest_pause_ps, first + delay - request.last_token_ps)
            if steps > 1:
                request.longest_pause_ps = max(request.longest_pause_ps, last_step)
            request.tokens += steps
            request.last_token_ps = end + delay
            if request.done:
                self.floor.ledger.finished(request)
        self.state.busy.add_span(run.start_ps, end)
        if self.pad is not None:
            self.pad.state.busy.add_span(run.start_ps, end)
        run.start_ps, run.kv_tokens, run.steps = end, run.kv_tokens + steps * run.batch, run.steps - steps
        self.state.turn_used = True

    def _deliver(self, run: Run, cost: DecodeCost, steps: int) -> None:
        """Tokens per second at the Token Dock, second by second in closed form."""
        delay, done = self._delay_ps(), 0
        ends = Run(run.start_ps, steps, run.kv_tokens, run.batch)
        second = (run.start_ps + cost.steps_ps(1, run.kv_tokens, run.batch) + delay) // PS_PER_S
        while done < steps:
            before = ends.steps_by(cost, (second + 1) * PS_PER_S - 1 - delay)
            if before > done:
                self.floor.ledger.delivered.add(second, (before - done) * run.batch)
                done = before
            second += 1
        if self.floor.watcher is not None and self.outputs:
            belt = self.outputs[0]
            horizon = self.floor.watcher.horizon_ps(belt)
            for step in range(ends.steps_by(cost, horizon) + 1, steps + 1):
                at = run.start_ps + cost.steps_ps(step, run.kv_tokens, run.batch)
                self.floor.watcher.made(belt, at, run.batch)

    def _delay_ps(self) -> int:
        return self.outputs[0].latency_ps(BYTES_PER_TOKEN_ID, BYTES_PER_TOKEN_ID) if self.outputs else 0

    # -- what others want to know ----------------------------------------------------------------------------------

    def cancel(self, request: int) -> None:
        """A hand-off that was under way will not arrive."""
        self.state.expected.remove(request)

    def evict(self) -> list[int]:
        """Forget all requests, give the pad back."""
        state = self.state
        requests = state.running + state.arrived + state.expected
        state.running, state.arrived, state.expected, state.run = [], [], [], None
        state.turn_used = False
        if self.pad is not None:
            self.pad.release(self.id)
        return requests

    def load(self) -> int:
        """Slots that are taken."""
        state = self.state
        return len(state.expected) + len(state.arrived) + len(state.running)

    def queue_length(self) -> int:
        """Sequences that are here but not in the batch yet."""
        return len(self.state.arrived)

    def batch_size(self) -> int:
        """Sequences in the batch."""
        return len(self.state.running)

    def slots(self) -> int:
        """Most sequences at a time."""
        return self.settings["max_num_seqs"]

    def limit(self) -> str:
        """What binds the present step."""
        return self._cost(self.state.run).limit if self.state.run else "none"

    def step_ps(self) -> int:
        """Length of the present step."""
        run = self.state.run
        return self._cost(run).steps_ps(1, run.kv_tokens, run.batch) if run else 0

    def busy_ps(self, first_s: int, now: int) -> int:
        """Work since second `first_s`, the present step's share included."""
        state = self.state
        done = state.busy.total(first_s, len(state.busy.buckets))
        return done + (max(now - max(state.run.start_ps, first_s * PS_PER_S), 0) if state.run else 0)

    def status(self) -> str:
        """What the core does or waits for."""
        if self.state.run is not None:
            return WORKING
        if not self.outputs or not self.floor.inputs.get(self.id):
            return UNCONNECTED if not self.load() else BLOCKED
        return WAITING_PAD if self.state.running or self.state.arrived else IDLE
