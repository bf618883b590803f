"""What a hook is told: the figures of a game at a whole simulated second."""

from __future__ import annotations

from engine.level.hook import (
    BUILT,
    CRASH,
    END,
    GOAL_LOST,
    GOAL_MET,
    START,
    GoalFigures,
    Happened,
    MachineFigures,
    PadFigures,
    Run,
)
from engine.metrics.first_tokens import FirstTokens
from engine.metrics.seconds import recent
from engine.protocol.commands import FROM_HOOKS
from engine.simulation import Simulation
from engine.units import PS_PER_S, as_seconds

_NOT_BUILT = ("start", "reboot", *FROM_HOOKS)


def figures(simulation: Simulation, first_tokens: FirstTokens, happened: list[Happened]) -> Run:
    """The figures of now, without a memory. Changes nothing."""
    simulation.settle()
    floor, site, now = simulation.floor, simulation.site, simulation.now
    first_s, window_ps = recent(now)
    ttft_ps = first_tokens.p95_ps(floor.requests, now)
    machines, queue = sorted(floor.machines.values(), key=lambda machine: machine.order), 0
    for machine in machines:
        queue += machine.queue_length()
    return Run(
        t_s=now // PS_PER_S,
        tps=floor.ledger.delivered.total(first_s, now // PS_PER_S) * PS_PER_S / window_ps,
        ttft_p95_s=None if ttft_ps is None else as_seconds(ttft_ps),
        queue=queue,
        delivered=simulation.tokens(),
        pads=[PadFigures(pad.used_bytes / pad.gpu.vram_bytes, pad.broken) for pad in floor.pads.values()],
        machines=[
            MachineFigures(
                machine.stand.kind.name,
                machine.stand.x,
                machine.stand.y,
                -1 if machine.pad is None else machine.pad.id,
                machine.status(),
                machine.queue_length(),
                dict(machine.settings),
            )
            for machine in machines
        ],
        left={kind: site.left(kind) for kind in site.allowed},
        goals=[GoalFigures(one.goal.metric, one.value, one.met, one.goal.tenant) for one in simulation.judge()],
        happened=happened,
    )


def happenings(simulation: Simulation) -> list[Happened]:
    """What has happened since the last whole second, at a whole second. It follows from the game's state and commands
    alone, so that it is the same after going back in time.
    """
    now = simulation.now
    before = now - PS_PER_S
    found = [START] if now == 0 else []
    if any(before <= request.lost_ps < now for request in simulation.floor.requests.values()):
        found.append(CRASH)
    if _has_built(simulation, before, now):
        found.append(BUILT)
    if now == simulation.end_ps:
        found.append(END)
    state = simulation.hook_state
    goals = [Happened(GOAL_MET if state.met[name] else GOAL_LOST, *name.split()) for name in state.turned]
    return [*map(Happened, found), *goals]


def _has_built(simulation: Simulation, from_ps: int, to_ps: int) -> bool:
    """Whether the player built something after the start, at a time from `from_ps` to before `to_ps`."""
    for at, message in reversed(simulation.commands):
        if at < from_ps or message["do"] == "start":
            return False
        if at < to_ps and message["do"] not in _NOT_BUILT:
            return True
    return False
