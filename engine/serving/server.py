"""A server: a model on its cards, and the requests of a trace."""

from __future__ import annotations

from collections.abc import Sequence as Listed

from engine.floor.process import Process
from engine.metrics.ledger import Ledger
from engine.physics.roofline import Deployment
from engine.scheduling.scheduler import Scheduler
from engine.scheduling.sequence import Sequence
from engine.scheduling.stepper import Stepper
from engine.traffic.request import Request


class Server(Process):
    """Takes requests at their arrival and runs steps while there is anything to do."""

    def __init__(self, scheduler: Scheduler, deployment: Deployment, arrivals: Listed[Request], ledger: Ledger) -> None:
        super().__init__(0)
        self.scheduler = scheduler
        self.requests = {request.id: request for request in arrivals}
        self.stepper = Stepper(scheduler, deployment, self.requests, ledger)
        self.ledger = ledger
        self._arrivals = arrivals
        self._taken = 0

    @property
    def order(self) -> int:
        """There is only one."""
        return 0

    def act(self, now: int) -> int | None:
        """Take in what has arrived, end what is over, begin the next step."""
        stepper = self.stepper
        stepper.settle(now)
        arrivals, taken = self._arrivals, self._taken
        if taken < len(arrivals) and arrivals[taken].arrival_ps <= now:
            if not self.scheduler.waiting:  # those behind a blocked one change nothing
                stepper.cut(now)
            while taken < len(arrivals) and arrivals[taken].arrival_ps <= now:
                request = arrivals[taken]
                self.ledger.arrived(request)
                self.scheduler.add(Sequence(request.id, request.output_tokens, request.prompt_tokens))
                taken += 1
            self._taken = taken
        if stepper.run is None:
            stepper.begin(now)
        due = stepper.due_ps()
        if taken < len(arrivals):
            next_ps = arrivals[taken].arrival_ps
            return next_ps if due is None else min(due, next_ps)
        return due
