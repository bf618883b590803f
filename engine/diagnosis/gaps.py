"""Pipelines that are not whole: a machine that is missing, or that nothing leads to or on from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from engine.diagnosis.waits import place
from engine.floor.floor import Floor
from engine.floor.geometry import Tile
from engine.floor.kinds import DRAFT, KV
from engine.floor.machines.api_port import ApiPort
from engine.floor.machines.base import Machine
from engine.floor.machines.core import Core
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.machines.draft_model import DraftModel
from engine.floor.machines.token_maker import TokenMaker


@frozen
class Gap:
    """What is missing, and where."""

    code: str
    params: dict[str, Any] = field(factory=dict)
    where: Tile | None = None
    """The machine; None: there is none."""
    whole: bool = False
    """Whether requests are served all the same, by other machines."""


def gaps(floor: Floor) -> list[Gap]:
    """All gaps, those that stop everything first, in the order of the requests' way."""
    served = _is_served(floor)
    found = [Gap(gap.code, gap.params, gap.where, served) for gap in _gaps(floor)]
    return sorted(found, key=lambda gap: gap.code != "gap.no_machine")


def _is_served(floor: Floor) -> bool:
    """Whether some requests get from a Prompt Dock to a Token Dock."""
    reached = {machine.id: machine for machine in _of(floor, "prompt_dock")}
    todo = list(reached.values())
    while todo:
        machine = todo.pop()
        if isinstance(machine, TokenMaker | ApiPort) and machine.way_out:
            return True
        for belt in machine.outputs:
            if belt.packet != DRAFT and belt.target.machine not in reached:
                target = reached[belt.target.machine] = floor.machines[belt.target.machine]
                todo.append(target)
    return False


def _missing(floor: Floor) -> list[str]:
    """The kinds without which nothing is served."""
    cores = [kind for kind in ("prefill_core", "decode_core") if not _of(floor, kind)]
    if _of(floor, "model_server") or _of(floor, "api_port") or not _of(floor, "prompt_dock"):
        return []
    whole = len(cores) == 2 and bool(floor.level.allowed.get("model_server"))
    return ["model_server"] if whole else cores


def _gaps(floor: Floor) -> Iterator[Gap]:
    for kind in _missing(floor):
        yield Gap("gap.no_machine", {"kind": kind})
    docks = _of(floor, "prompt_dock")
    for dock in docks:
        if not dock.outputs:
            yield _gap("gap.no_output", dock)
    for core in _of(floor, "prefill_core"):
        if not core.inputs:
            yield _gap("gap.no_input", core)
        if not core.outputs:
            yield _gap("gap.no_output", core)
    for core in _of(floor, "decode_core"):
        assert isinstance(core, DecodeCore)
        if not any(belt.packet == KV for belt in core.inputs):
            yield _gap("gap.no_input", core)
        if not core.outputs:
            yield _gap("gap.no_output", core)
        elif not core.way_out:
            yield _gap("gap.leads_nowhere", core)
        if any(belt.packet == DRAFT for belt in core.inputs) and core.way_out and core.stepper.drafter is None:
            yield _gap("gap.no_gate", core)
    for server in _of(floor, "model_server"):
        assert isinstance(server, TokenMaker)
        if not server.inputs:
            yield _gap("gap.no_input", server)
        if not server.outputs:
            yield _gap("gap.no_output", server)
        elif not server.way_out:
            yield _gap("gap.leads_nowhere", server)
    for gate in _of(floor, "validation_gate"):
        if not gate.inputs:
            yield _gap("gap.no_input", gate)
        if not gate.outputs:
            yield _gap("gap.no_output", gate)
        if gate.inputs and gate.outputs and not _checks(floor, gate):
            yield _gap("gap.no_draft", gate)
    for draft in _of(floor, "draft_model"):
        assert isinstance(draft, DraftModel)
        if not draft.outputs:
            yield _gap("gap.no_output", draft)
        elif not draft.proposes():
            yield _gap("gap.draft_shares", draft)
    for allocator in _of(floor, "page_allocator"):
        if allocator.pad is not None and not any(isinstance(core, Core) for core in allocator.pad.cores):
            yield _gap("gap.no_core", allocator)
    for passive in (*_of(floor, "batcher"), *_of(floor, "chunker")):
        if passive.pad is not None and not floor.on_pad(passive.pad, "model_server"):
            yield _gap("gap.no_server", passive)
    for cache in _of(floor, "prefix_cache"):
        if cache.pad is not None and not (floor.on_pad(cache.pad, "model_server") and cache.pad.pool.grows):
            yield _gap("gap.no_prefix_memory", cache)
    for machine in (*_of(floor, "gateway"), *_of(floor, "router")):
        if not machine.inputs:
            yield _gap("gap.no_input", machine)
        if not machine.outputs:
            yield _gap("gap.no_output", machine)


def _checks(floor: Floor, gate: Machine) -> bool:
    """Whether some Decode Core with drafts sends its tokens through the gate."""
    for core in _of(floor, "decode_core"):
        assert isinstance(core, DecodeCore)
        if core.stepper.drafter is not None and any(belt.source.machine == gate.id for belt in core.way_out):
            return True
    return False


def _of(floor: Floor, kind: str) -> list[Machine]:
    found = [machine for machine in floor.machines.values() if machine.stand.kind.name == kind]
    return sorted(found, key=lambda machine: machine.order)


def _gap(code: str, machine: Machine) -> Gap:
    return Gap(code, {"kind": machine.stand.kind.name}, place(machine))
