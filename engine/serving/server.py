"""A server: a model on its cards, and the requests of a trace."""

from __future__ import annotations

from collections.abc import Iterable

from engine.physics.roofline import Deployment
from engine.scheduling.scheduler import Scheduler
from engine.scheduling.sequence import Sequence
from engine.scheduling.stepper import Stepper
from engine.serving.records import Records
from engine.traffic.request import Request


class Server:
    """Takes requests at their arrival and runs steps while there is anything to do.

    It acts alone, so that it needs no event queue: `act` says when it is due next.
    """

    def __init__(
        self, scheduler: Scheduler, deployment: Deployment, arrivals: Iterable[Request], records: Records
    ) -> None:
        self.scheduler, self.records = scheduler, records
        self.stepper = Stepper(scheduler, deployment, records.open, records)
        self._arrivals = iter(arrivals)
        self._next = next(self._arrivals, None)

    def run(self) -> None:
        """Serve all requests, to the last token."""
        due = self._next.arrival_ps if self._next else None
        while due is not None:
            due = self.act(due)

    def act(self, now: int) -> int | None:
        """Write down what is over, take in what has arrived, begin the next step; when to act next (ps), if ever."""
        stepper = self.stepper
        stepper.settle(now)
        arrival = self._next
        if arrival is not None and arrival.arrival_ps <= now:
            if not self.scheduler.waiting:  # those behind one that waits change nothing
                stepper.cut(now)
            while arrival is not None and arrival.arrival_ps <= now:
                self.records.arrived(arrival)
                self.scheduler.add(Sequence(arrival.id, arrival.output_tokens, arrival.prompt_tokens))
                arrival = next(self._arrivals, None)
            self._next = arrival
        if stepper.run is None:
            stepper.begin(now)
        due = stepper.due_ps()
        if arrival is None:
            return due
        return arrival.arrival_ps if due is None else min(due, arrival.arrival_ps)
