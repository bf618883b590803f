"""How a run went: figures for each simulated second, and marks of what happened. Has no effect on the simulation.

A `Recorder` is attached to a simulation that somebody watches; on the command line there is none. The simulation stops
at whole seconds for it, and five times a second where somebody else wants to look too (`Recorder.lookers`): the result
is the same to the bit, since a run may be stopped anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from engine.floor.machines.core import Core
from engine.level.goals import Judgement
from engine.metrics.first_tokens import FirstTokens
from engine.metrics.seconds import recent
from engine.units import PS_PER_S, as_seconds

if TYPE_CHECKING:
    from engine.simulation import Simulation

LOOKS_PER_S = 5
LOOK_PS = PS_PER_S // LOOKS_PER_S
"""Lookers look so often, in simulated time."""
ACCEPTANCE_SPAN_S = 10
QUEUE_OVERFLOW = 8
"""A queue that is longer than this is worth a mark; once more only after it has fallen to half of it."""
JUDGED_EVERY_S = 2
"""Goals are judged so often."""
NOTHING = -1.0
"""Stands for a figure that there is not."""


class Looker(Protocol):
    """Somebody who samples the simulation: add it to `Recorder.lookers`. It must not change anything."""

    def look(self, simulation: Simulation) -> None:
        """Called `LOOKS_PER_S` times a second while the run goes on, when all that is over has been written down.

        Halfway between multiples of `LOOK_PS`: whole seconds have their figures to write down, and no more.
        """

    def rewound(self, simulation: Simulation) -> None:
        """The player has gone back: forget what was seen after `simulation.now`. Looks go on from there; this is at
        least ten seconds before what the player sees next (or the start of the run).
        """


@frozen
class Mark:
    """Something that happened."""

    t_ps: int
    code: str
    params: dict[str, Any]
    """Plain data."""


@frozen
class Second:
    """Figures at the end of a simulated second; `NOTHING` where there are none."""

    tps: float
    """Tokens per second over the last ten seconds."""
    ttft_s: float
    """95th percentile over the first tokens of the last `TTFT_SPAN_PS` and the ages of those that wait for theirs."""
    queue: int
    """Requests that wait in front of a machine."""
    acceptance: float
    """Accepted of the proposed draft tokens, over `ACCEPTANCE_SPAN_S`."""
    vram_bytes: tuple[int, ...]
    """Bytes taken on each pad."""
    proposed: int
    accepted: int
    """Draft tokens of this second."""
    overfull: frozenset[int]
    """Machines whose queue has overflown."""
    met: dict[str, bool]
    """How the goals stood, by their names, as far as something could be said."""
    marks: int
    """How many marks there were."""


class Recorder:
    """Records one simulation; goes on with another one after the player has gone back in time."""

    def __init__(
        self, seconds: Sequence[Second] = (), marks: Sequence[Mark] = (), lookers: Sequence[Looker] = ()
    ) -> None:
        self.seconds = list(seconds)
        """The first is that at one second of simulated time."""
        self.marks = list(marks)
        self.judgements: list[Judgement] = []
        """How the goals stood at `judged_ps`."""
        self.judged_ps = 0
        self.lookers = list(lookers)
        self._first_tokens = FirstTokens()
        self._events = 0
        """How many have been seen."""
        self._drafts: dict[int, tuple[int, int]] = {}
        """Core -> tokens proposed and accepted so far."""

    def attach(self, simulation: Simulation) -> None:
        """Record `simulation` from now on, a whole second; what is recorded of later seconds is forgotten."""
        del self.seconds[simulation.now // PS_PER_S :]
        del self.marks[self.seconds[-1].marks if self.seconds else 0 :]
        self._first_tokens = FirstTokens()
        self._events = len(simulation.floor.events)
        self._drafts = _drafts(simulation)
        self._judge(simulation)
        simulation.recorder = self
        for looker in self.lookers:
            looker.rewound(simulation)

    # -- engine.simulation.Simulation --------------------------------------------------------------------------------

    def next_ps(self, now: int) -> int:
        """When it wants to look next."""
        second = (now // PS_PER_S + 1) * PS_PER_S
        if not self.lookers:
            return second
        half = LOOK_PS // 2
        return min(second, ((now - half) // LOOK_PS + 1) * LOOK_PS + half)

    def look(self, simulation: Simulation) -> None:
        """Look at a simulation that has written down what is over."""
        if simulation.now % PS_PER_S == 0:
            self._record(simulation)
            return
        for looker in self.lookers:
            looker.look(simulation)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _record(self, simulation: Simulation) -> None:
        now, floor, last = simulation.now, simulation.floor, self.seconds[-1] if self.seconds else None
        self._note_events(simulation)
        met = dict(last.met) if last else {}
        if now // PS_PER_S % JUDGED_EVERY_S == 0 or now == simulation.end_ps:
            self._judge(simulation)
            if now >= simulation.level.warmup_s * PS_PER_S:
                self._note_goals(now, met)
        overfull = self._note_queues(simulation, last.overfull if last else frozenset())
        if now == simulation.end_ps:
            self.marks.append(Mark(now, simulation.end_code, {}))
        first_s, window_ps = recent(now)
        queue = 0
        for machine in floor.machines.values():
            queue += machine.queue_length()
        proposed, accepted, acceptance = self._acceptance(simulation)
        self.seconds.append(
            Second(
                tps=floor.ledger.delivered.total(first_s, now // PS_PER_S) * PS_PER_S / window_ps,
                ttft_s=self._ttft_s(simulation),
                queue=queue,
                acceptance=acceptance,
                vram_bytes=tuple(pad.used_bytes for pad in floor.pads.values()),
                proposed=proposed,
                accepted=accepted,
                overfull=overfull,
                met=met,
                marks=len(self.marks),
            )
        )

    def _judge(self, simulation: Simulation) -> None:
        self.judgements, self.judged_ps = simulation.judge(), simulation.now

    def _note_events(self, simulation: Simulation) -> None:
        events = simulation.floor.events
        self.marks += [Mark(at, code, dict(params)) for at, code, params in events[self._events :]]
        self._events = len(events)

    def _note_goals(self, now: int, met: dict[str, bool]) -> None:
        for judgement in self.judgements:
            goal = judgement.goal
            if judgement.value is None:
                continue
            if judgement.met != met.get(goal.name, False):
                params = {"metric": goal.metric} | ({"tenant": goal.tenant} if goal.tenant else {})
                self.marks.append(Mark(now, "goal.met" if judgement.met else "goal.lost", params))
            met[goal.name] = judgement.met

    def _note_queues(self, simulation: Simulation, before: frozenset[int]) -> frozenset[int]:
        overfull = []
        for machine in simulation.floor.machines.values():
            waiting = machine.queue_length()
            if machine.id in before:
                if 2 * waiting > QUEUE_OVERFLOW:
                    overfull.append(machine.id)
            elif waiting > QUEUE_OVERFLOW:
                overfull.append(machine.id)
                params: dict[str, Any] = {"machine": machine.id, "waiting": waiting}
                self.marks.append(Mark(simulation.now, "queue.overflow", params))
        return frozenset(overfull)

    def _ttft_s(self, simulation: Simulation) -> float:
        ttft = self._first_tokens.p95_ps(simulation.floor.requests, simulation.now)
        return NOTHING if ttft is None else as_seconds(ttft)

    def _acceptance(self, simulation: Simulation) -> tuple[int, int, float]:
        """Draft tokens proposed and accepted in this second, and the share over the last seconds."""
        before, self._drafts = self._drafts, _drafts(simulation)
        proposed = accepted = 0
        for core, (drafted, right) in self._drafts.items():
            drafted_before, right_before = before.get(core, (0, 0))
            if drafted_before > drafted:  # its memory was divided anew, and it began afresh
                drafted_before = right_before = 0
            proposed += drafted - drafted_before
            accepted += right - right_before
        all_proposed, all_accepted = proposed, accepted
        for second in self.seconds[-(ACCEPTANCE_SPAN_S - 1) :]:
            all_proposed += second.proposed
            all_accepted += second.accepted
        return proposed, accepted, all_accepted / all_proposed if all_proposed else NOTHING


def _drafts(simulation: Simulation) -> dict[int, tuple[int, int]]:
    cores = [machine for machine in simulation.floor.machines.values() if isinstance(machine, Core)]
    return {core.id: (core.stepper.drafted, core.stepper.accepted) for core in cores}
