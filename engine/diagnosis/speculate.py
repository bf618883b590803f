"""Turning a factory to speculation: one Decode Core, with a Draft Model before it and a Validation Gate behind."""

from __future__ import annotations

from engine.diagnosis.sketch import Sketch, Step
from engine.floor.kinds import KV
from engine.floor.machines.base import Machine
from engine.floor.machines.decode_core import DecodeCore

_GATE, _DRAFT = "validation_gate", "draft_model"


def speculate(sketch: Sketch, tokens: int) -> list[Step]:
    """What has to be done so that drafts of `tokens` tokens are checked; empty, and nothing done, where it can't be."""
    cores = [core for core in sketch.of_kind("decode_core") if isinstance(core, DecodeCore) and core.way_out]
    if not cores:
        return []
    before = sketch.layout()
    core = max(
        cores, key=lambda one: (one.stepper.drafter is not None, _gate_behind(sketch, one) is not None, -one.order)
    )
    steps = [
        Step("fix.remove", {"kind": "decode_core"}) for other in sketch.of_kind("decode_core") if other is not core
    ]
    sketch.site.remove([other.id for other in sketch.of_kind("decode_core") if other is not core])
    for make in (_one_input, through_a_gate, _drafts):
        made = make(sketch, core, tokens)
        if made is None:
            sketch.become(before)
            return []
        steps += made
    return steps


def _gate_behind(sketch: Sketch, core: Machine) -> Machine | None:
    """A gate that takes the core's tokens and sends them on."""
    for belt in core.outputs:
        machine = sketch.floor.machines[belt.target.machine]
        if machine.stand.kind.name == _GATE and machine.outputs:
            return machine
    return None


def _one_input(sketch: Sketch, core: Machine, tokens: int) -> list[Step] | None:
    """Only one belt brings KV: the other input is for drafts."""
    belts = [belt for belt in core.inputs if belt.packet == KV]
    sketch.site.remove([belt.id for belt in belts[1:]])
    return [_disconnect(sketch, belt.source.machine, core.id) for belt in belts[1:]]


def through_a_gate(sketch: Sketch, core: Machine, tokens: int = 0) -> list[Step] | None:
    """All tokens go through a gate."""
    gate = _gate_behind(sketch, core)
    if gate is not None:
        past = [belt for belt in core.outputs if belt.target.machine != gate.id]
        steps = [_disconnect(sketch, core.id, belt.target.machine) for belt in past]
        sketch.site.remove([belt.id for belt in past])
        return steps
    sketch.site.remove([other.id for other in sketch.of_kind(_GATE)])
    step = _insert_gate(sketch, core)
    return None if step is None else [step]


def _insert_gate(sketch: Sketch, core: Machine) -> Step | None:
    """A Validation Gate between a Decode Core and where its tokens go."""
    if sketch.site.left(_GATE) <= 0:
        return None
    before = sketch.layout()
    ends = [belt.target.machine for belt in core.outputs] or [dock.id for dock in sketch.of_kind("token_dock")]
    sketch.site.remove([belt.id for belt in core.outputs])
    if sketch.add(_GATE, None, [core.id], ends[:1]) is None:
        sketch.become(before)
        return None
    return Step("fix.add_floor", {"kind": _GATE})


def _drafts(sketch: Sketch, core: Machine, tokens: int) -> list[Step] | None:
    """A Draft Model on the core's card proposes so many tokens."""
    settings = {"num_speculative_tokens": tokens}
    for draft in sketch.of_kind(_DRAFT):
        if draft.pad is core.pad and any(belt.target.machine == core.id for belt in draft.outputs):
            if draft.settings["num_speculative_tokens"] == tokens:
                return []
            sketch.site.set(draft.id, "num_speculative_tokens", tokens)
            return [Step("fix.set", {"kind": _DRAFT, "name": "num_speculative_tokens", "value": tokens})]
    sketch.site.remove([draft.id for draft in sketch.of_kind(_DRAFT)])
    if core.pad is None or sketch.add(_DRAFT, core.pad, [], [core.id], settings) is None:
        return None
    return [Step("fix.add_draft", {"kind": _DRAFT, "pad": core.pad.id, "value": tokens})]


def _disconnect(sketch: Sketch, source: int, target: int) -> Step:
    names = [sketch.floor.machines[id].stand.kind.name for id in (source, target)]
    return Step("fix.disconnect", {"from": names[0], "to": names[1]})
