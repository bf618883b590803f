"""What the requests under way spend their time on at a moment, and which machine they spend it at.

The time of a request is laid on the machine that is to blame: prompts that queue before a core whose output is blocked
wait for the core after it. Counted once a second, the counts are request-seconds (Little's law).
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.floor.floor import Floor
from engine.floor.geometry import Tile
from engine.floor.kinds import KV
from engine.floor.machines.base import Machine
from engine.floor.machines.core import Core
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.machines.draft_model import DraftModel
from engine.floor.machines.model_server import ModelServer
from engine.floor.machines.prefill_core import PrefillCore
from engine.floor.machines.token_maker import TokenMaker

CAUSES = (
    "dock",
    "door",
    "prefill",
    "computing",
    "card",
    "slots",
    "batch",
    "memory",
    "crashed",
    "broken",
    "output",
    "link",
    "preemption",
    "weights",
    "compute",
    "kv",
    "host",
    "draft",
    "rejected",
    "stalled",
)
"""At the Prompt Dock, with nowhere to go; at a Gateway, until a server has a use for it; queued for a machine that
computes prompts and works; in its step; standing still while another machine has the card; for a slot, for the end of a
static batch, for KV memory, for a core that ran out of memory, for one whose card is broken, or before a core whose
tokens lead nowhere; on a link; computed anew after a preemption; and while tokens are made: reading weights, or
multiplying by them; reading KV; host and small kernels; waiting for drafts; checking drafts that were thrown away;
standing still, or going slower, for prompts of others.
"""
WHOLE = 1000
"""Requests are counted in thousandths: those in a step are divided among its parts."""

Spent = tuple[str, Tile, int]
"""A cause, the origin of the machine to blame, thousandths of requests."""


def waits(floor: Floor) -> Iterator[Spent]:
    """Every request under way, once."""
    for machine in floor.machines.values():
        if isinstance(machine, PrefillCore):
            yield from _prefill(machine)
        elif isinstance(machine, DecodeCore):
            yield from _decode(machine)
        elif isinstance(machine, ModelServer):
            yield from _serve(machine)
        elif machine.stand.kind.name in ("prompt_dock", "router") and machine.queue_length():
            yield "dock", place(machine), WHOLE * machine.queue_length()
        elif machine.stand.kind.name == "gateway" and machine.queue_length():
            yield "door", place(machine), WHOLE * machine.queue_length()
    for belt in floor.belts.values():
        if belt.packet == KV:
            sent = 0
            for request in belt.requests():
                sent += floor.requests[request].lost_ps < 0  # a core that ran out of memory awaits nothing
            if sent:
                yield "link", place(floor.machines[belt.target.machine]), WHOLE * sent


def place(machine: Machine) -> Tile:
    """A machine's name here: its origin, which it has in every run of the same layout."""
    return machine.stand.x, machine.stand.y


def _prefill(core: PrefillCore) -> Iterator[Spent]:
    waiting, here = len(core.scheduler.waiting), place(core)
    if core.stepper.through:
        cause, to_blame = _not_taken(core)
        yield cause, to_blame, WHOLE * (waiting + len(core.stepper.through))
    elif core.stepper.run is not None:
        yield "computing", here, WHOLE * core.scheduler.running
        if waiting:
            yield "prefill", here, WHOLE * waiting
    elif waiting and core.outputs:
        yield _for_its_turn(core), here, WHOLE * waiting
    elif waiting:
        yield "output", here, WHOLE * waiting


def _not_taken(core: PrefillCore) -> tuple[str, Tile]:
    """Why nobody takes the prompts that are done: of the Decode Cores behind, the one with the least to do."""
    if not core.outputs:
        return "output", place(core)
    cores = [core.floor.machines[belt.target.machine] for belt in core.outputs]
    least = min(cores, key=lambda one: (one.is_broken, one.load_length(), one.order))
    assert isinstance(least, DecodeCore)
    if least.is_broken:
        return "broken", place(least)
    if least.crashed:
        return "crashed", place(least)
    if not least.way_out:
        return "output", place(least)
    return ("slots" if least.load_length() >= least.slots() else "memory"), place(least)


def _for_its_turn(core: Core) -> str:
    return "card" if core.id in core.here.state.queue else "memory"


def _decode(core: DecodeCore) -> Iterator[Spent]:
    scheduler, here = core.scheduler, place(core)
    running, again = scheduler.running, 0
    for sequence in scheduler.waiting:
        again += core.floor.requests[sequence.id].recompute
    if again:
        yield "preemption", here, WHOLE * again
    joining = len(scheduler.waiting) - again
    if core.stepper.run is None:
        if running + joining:
            yield ("output" if not core.way_out else _for_its_turn(core)), here, WHOLE * (running + joining)
        return
    if any(core.floor.requests[sequence.id].recompute for sequence in scheduler.prefilling):
        yield "preemption", here, WHOLE * (running + joining)
    elif running + joining:  # who waits joins with the next step
        yield from _step(core, WHOLE * (running + joining))


def _serve(server: ModelServer) -> Iterator[Spent]:
    """Those that wait, those whose prompt is computed, and those that decode or stand still meanwhile."""
    scheduler, run, here, again = server.scheduler, server.stepper.run, place(server), 0
    for sequence in scheduler.waiting:
        again += server.floor.requests[sequence.id].recompute
    if again:
        yield "preemption", here, WHOLE * again
    waiting = len(scheduler.waiting) - again
    if run is None:
        if scheduler.running + waiting:
            why = "output" if not server.way_out else _for_its_turn(server)
            yield why, here, WHOLE * (scheduler.running + waiting)
        return
    if waiting:
        yield _not_admitted(server), here, WHOLE * waiting
    if scheduler.prefilling:
        yield "computing", here, WHOLE * len(scheduler.prefilling)
    if run.batch:
        yield from _step(server, WHOLE * run.batch)
    elif scheduler.decoding:
        yield "stalled", here, WHOLE * len(scheduler.decoding)


def _not_admitted(server: ModelServer) -> str:
    """Why the first in the queue does not run."""
    scheduler, pool = server.scheduler, server.here.pool
    if scheduler.running >= scheduler.max_num_seqs:
        return "slots"
    if scheduler.static:
        return "batch"
    first = scheduler.waiting[0]
    return "memory" if pool.blocks(first.known if pool.grows else first.longest) > pool.free else "prefill"


def _step(core: TokenMaker, amount: int) -> Iterator[Spent]:
    """Those that decode, divided among the parts of the step."""
    run, stepper, here = core.stepper.run, core.stepper, place(core)
    assert run is not None
    mixed = isinstance(core, ModelServer)  # its prompts are no hand-offs that make their first token
    cost = stepper.deployment.decode(run.batch + (0 if mixed else len(run.chunks)), run.drafted + 1)
    kv_ps = cost.per_kv_token_ps * run.kv_tokens
    check_ps = cost.base_ps + kv_ps
    whole_ps = max(run.mixed_ps, check_ps)
    parts = {
        "weights" if cost.limit == "bandwidth" else "compute": cost.weights_ps,
        "kv": kv_ps,
        "host": cost.base_ps - cost.weights_ps,
        "stalled" if mixed else "draft": whole_ps - check_ps,
    }
    if run.drafted and stepper.drafted:  # what is thrown away of this step is not known yet: as it was so far
        steps = stepper.drafted // run.drafted
        kept = (stepper.accepted + steps) * 1000 // (stepper.drafted + steps)
        parts = {cause: ps * kept // 1000 for cause, ps in parts.items()}
        parts["rejected"] = whole_ps * (1000 - kept) // 1000
    for cause, ps in parts.items():
        if ps:
            yield cause, here, amount * ps // whole_ps


def drafts(floor: Floor) -> Iterator[tuple[Tile, int, int]]:
    """Of each Decode Core with a Draft Model, the tokens proposed so far, and those of them that were right."""
    for machine in floor.machines.values():
        if isinstance(machine, DecodeCore) and isinstance(machine.stepper.drafter, DraftModel):
            yield place(machine), machine.stepper.drafted, machine.stepper.accepted
