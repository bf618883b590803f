"""A server: a model on its cards, and the requests of a trace."""

from __future__ import annotations

from collections.abc import Iterable

from engine.physics.roofline import Deployment
from engine.scheduling.scheduler import Scheduler
from engine.scheduling.sequence import Sequence
from engine.scheduling.stepper import Stepper
from engine.serving.records import Records
from engine.slices import Slices, whole
from engine.traffic.request import Request

_ACTS_A_SLICE = 32
"""Some 1 ms of real time."""


class Server:
    """Takes requests at their arrival and runs steps while there is anything to do.

    It acts alone, so that it needs no event queue: `act` says when it is due next.

    With asynchronous scheduling, vLLM's default, a step is planned while the one before it runs. A request that arrives
    during a step is taken in at its end, when the next one is planned already, and begins with the one after that. The
    moment at which it is taken in is vLLM's `queued_ts`; with `from_queued`, the request's times count from there, as
    those of measured runs do.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        deployment: Deployment,
        arrivals: Iterable[Request],
        records: Records,
        async_scheduling: bool = True,
        from_queued: bool = False,
    ) -> None:
        self.scheduler, self.records = scheduler, records
        self.async_scheduling, self.from_queued = async_scheduling, from_queued
        self.stepper = Stepper(scheduler, deployment, records.open, records)
        self._arrivals = iter(arrivals)
        self._next = next(self._arrivals, None)
        self._arrived: list[Request] = []
        """Those that came during the present step."""
        self._blocked = False
        """Whether somebody was left waiting when the present step was planned."""

    def run(self) -> None:
        """Serve all requests, to the last token."""
        whole(self.run_slices())

    def run_slices(self) -> Slices[None]:
        """The same in slices."""
        due, acts = self._next.arrival_ps if self._next else None, 0
        while due is not None:
            due = self.act(due)
            acts += 1
            if acts % _ACTS_A_SLICE == 0:
                yield

    def act(self, now: int) -> int | None:
        """Write down what is over, take in what has arrived, begin the next step; when to act next (ps), if ever."""
        stepper = self.stepper
        due = stepper.due_ps()
        if due is not None and due <= now:
            stepper.settle(now)
        arrival = self._next
        if arrival is not None and arrival.arrival_ps <= now:
            run = stepper.run
            if self._blocked and run is not None and not run.mixed_ps:  # behind one that waits they change nothing
                while arrival is not None and arrival.arrival_ps <= now:
                    self._queue(arrival)
                    arrival = next(self._arrivals, None)
            else:
                stepper.shorten(now)
                while arrival is not None and arrival.arrival_ps <= now:
                    self._arrived.append(arrival)
                    arrival = next(self._arrivals, None)
            self._next = arrival
        if stepper.run is None:
            self._begin(now)
        due = stepper.due_ps()
        if arrival is None:
            return due
        return arrival.arrival_ps if due is None else min(due, arrival.arrival_ps)

    def _begin(self, now: int) -> None:
        """Begin the next step, planned before those came in that arrived meanwhile, unless nothing ran."""
        stepper, arrived = self.stepper, self._arrived
        if not arrived:
            stepper.begin(now)
            self._blocked = bool(self.scheduler.waiting)
            return
        began = self.async_scheduling and stepper.begin(now)
        self._blocked = bool(self.scheduler.waiting)
        for request in arrived:
            if self.from_queued:
                request.arrival_ps = request.marked_ps = now
            self._queue(request)
        arrived.clear()
        if began:
            stepper.only_one_step()
        else:
            stepper.begin(now)
            self._blocked = bool(self.scheduler.waiting)

    def _queue(self, request: Request) -> None:
        self.records.arrived(request)
        self.scheduler.add(Sequence(request.id, request.output_tokens, request.prompt_tokens))
