"""Making a pipeline whole, step by step: each gap by the smallest thing that closes it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.diagnosis.gaps import Gap, gaps
from engine.diagnosis.sketch import Sketch, Step
from engine.diagnosis.speculate import through_a_gate
from engine.diagnosis.waits import place
from engine.floor.kinds import DRAFT, KINDS, KV
from engine.floor.machines.base import Machine
from engine.floor.machines.core import Core
from engine.floor.machines.token_maker import TokenMaker
from engine.floor.pad import Pad

MOST_STEPS = 12
_BEFORE = {
    "prefill_core": ("prompt_dock",),
    "decode_core": ("prefill_core",),
    "validation_gate": ("decode_core",),
    "model_server": ("prompt_dock", "router", "gateway"),
    "token_dock": ("decode_core", "validation_gate", "model_server"),
}
_AFTER = {
    "prompt_dock": ("prefill_core", "model_server"),
    "model_server": ("token_dock",),
    "prefill_core": ("decode_core",),
    "decode_core": ("token_dock", "validation_gate"),
    "validation_gate": ("token_dock",),
    "draft_model": ("decode_core",),
}
"""Who may feed whom, the plain way first."""


def repair(sketch: Sketch) -> Iterator[list[Step] | None]:
    """Close gap after gap; yields the steps so far when requests are served, else None. What can't be closed is
    removed.
    """
    steps: list[Step] = []
    for _ in range(MOST_STEPS):
        found = gaps(sketch.floor)
        step = next((step for gap in found if (step := _close(sketch, gap)) is not None), None)
        if step is None:
            return
        steps.append(step)
        left = gaps(sketch.floor)
        yield list(steps) if not left or left[0].whole else None


def _close(sketch: Sketch, gap: Gap) -> Step | None:
    if gap.code == "gap.no_machine":
        return add(sketch, gap.params["kind"])
    assert gap.where is not None
    machine = sketch.at(gap.where)
    kind = machine.stand.kind.name
    match gap.code:
        case "gap.no_output":
            step = _connect(sketch, machine, outwards=True)
        case "gap.no_input":
            step = _connect(sketch, machine, outwards=False)
        case "gap.no_gate":
            step = next(iter(through_a_gate(sketch, machine) or []), None)
            if step is None:
                return _without_drafts(sketch, sketch.at(gap.where))
        case "gap.no_draft":
            step = add(sketch, "draft_model")
        case "gap.draft_shares" | "gap.no_core" | "gap.no_server":
            step = _to_a_core(sketch, machine)
        case _:
            step = None
    if step is None and machine.id not in sketch.site.fixed and gap.code != "gap.leads_nowhere":
        sketch.site.remove([sketch.at(gap.where).id])
        step = Step("fix.remove", {"kind": kind})
    return step


def _connect(sketch: Sketch, machine: Machine, outwards: bool) -> Step | None:
    """A belt more from or to a machine; where none finds its way, the machine is moved."""
    kind = machine.stand.kind.name
    others = [one for name in (_AFTER if outwards else _BEFORE).get(kind, ()) for one in sketch.of_kind(name)]
    others.sort(key=lambda one: _worse(one, machine))
    for other in others:
        source, target = (machine, other) if outwards else (other, machine)
        if sketch.connect(source.id, target.id):
            return Step("fix.connect", {"from": source.stand.kind.name, "to": target.stand.kind.name})
    if machine.id not in sketch.site.fixed and others:
        more = ([], [others[0].id]) if outwards else ([others[0].id], [])
        if sketch.move(machine.id, machine.pad, *more) is not None:
            return Step("fix.closer", {"kind": kind})
    return None


def _without_drafts(sketch: Sketch, core: Machine) -> Step:
    """No gate finds room: no drafts either."""
    drafts = [belt.source.machine for belt in core.inputs if belt.packet == DRAFT]
    sketch.site.remove(drafts)
    return Step("fix.remove", {"kind": "draft_model"})


def _worse(other: Machine, machine: Machine) -> tuple[bool, int]:
    """Those first that have a use for it, then the nearer ones."""
    useful = isinstance(other, Core) and not (other.inputs and other.outputs)
    apart = abs(other.stand.x - machine.stand.x) + abs(other.stand.y - machine.stand.y)
    return not useful, apart


def add(sketch: Sketch, kind: str, pad: Pad | None = None, settings: dict[str, int] | None = None) -> Step | None:
    """A machine more, with the belts that it needs, on `pad` or the best one."""
    if sketch.site.left(kind) <= 0:
        return None
    if not KINDS[kind].on_pad:
        return None
    pads = [pad] if pad is not None else _pads_for(sketch, kind)
    for where in pads:
        sources, targets = _neighbours(sketch, kind, where)
        for feeders in [sources[:1], []] if sources else [[]]:
            for takers in [targets[:1], []] if targets else [[]]:
                if sketch.add(kind, where, feeders, takers, settings) is not None:
                    return Step("fix.add", {"kind": kind, "pad": where.id})
    return None


def _neighbours(sketch: Sketch, kind: str, pad: Pad) -> tuple[list[int], list[int]]:
    """Who may feed a new machine, and whom it may feed, the best first."""

    def free(machine: Machine, ports: int, belts: int) -> bool:
        return belts < ports

    sources = [
        one.id
        for name in _BEFORE.get(kind, ())
        for one in sketch.of_kind(name)
        if free(one, len(one.stand.kind.outputs), len(one.outputs))
    ]
    takers = [
        one
        for name in _AFTER.get(kind, ())
        for one in sketch.of_kind(name)
        if free(one, len(one.stand.kind.inputs), len(one.inputs))
    ]
    packet = DRAFT if kind == "draft_model" else KV
    takers = [
        one for one in takers if one.pad is None or not any(belt.packet == packet for belt in one.inputs)
    ] or takers
    if kind == "draft_model":
        takers.sort(key=lambda one: one.pad is not pad)
    return sources, [one.id for one in takers]


def _pads_for(sketch: Sketch, kind: str) -> list[Pad]:
    """Cards for a new machine: a core where none is yet, all else where tokens are made."""
    pads = list(sketch.floor.pads.values())
    if kind in ("prefill_core", "decode_core", "model_server"):
        return sorted(pads, key=lambda pad: any(isinstance(one, Core) for one in pad.cores))
    return sorted(pads, key=lambda pad: not any(isinstance(one, TokenMaker) for one in pad.cores))


def _to_a_core(sketch: Sketch, machine: Machine) -> Step | None:
    """Move a machine to the card of a core that makes tokens: of its own, or of any."""
    served = [sketch.floor.machines[belt.target.machine] for belt in machine.outputs]
    served = served or [*sketch.of_kind("decode_core"), *sketch.of_kind("model_server")]
    for pad in dict.fromkeys(core.pad for core in served):
        if pad is not None and pad is not machine.pad and sketch.move(sketch.at(place(machine)).id, pad) is not None:
            return Step("fix.move", {"kind": machine.stand.kind.name, "pad": pad.id})
    return None
