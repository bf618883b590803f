"""The one thing that holds the factory back, with a figure: from what was seen of a run."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from engine.diagnosis.evidence import Evidence
from engine.diagnosis.waits import place
from engine.floor.floor import Floor
from engine.floor.geometry import Tile
from engine.floor.kinds import KV
from engine.floor.machines.base import Machine
from engine.floor.machines.core import Core
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.machines.model_server import ModelServer
from engine.traffic.kinds import mean_tokens
from engine.units import MIB, PS_PER_MS

WAITING = ("dock", "door", "prefill", "card", "slots", "batch", "memory", "crashed", "broken", "output", "preemption")
BEFORE_FIRST_TOKEN = (*WAITING, "link")
WHILE_DECODING = ("weights", "compute", "kv", "host", "draft", "rejected", "stalled", "preemption")
_STANDSTILL = ("crashed", "broken", "preemption", "stalled")
LOOKED_AT = {
    "tps": BEFORE_FIRST_TOKEN,
    "ttft_p95": (*BEFORE_FIRST_TOKEN, "computing"),
    "pause_p95": _STANDSTILL,
    "pause_p99": _STANDSTILL,
    "user_tps": WHILE_DECODING,
    "usd_per_task": WHILE_DECODING,
    "usd_per_mtok": WHILE_DECODING,
}
"""Which causes hold a metric back. A Decode Core that waits for the card holds back pauses and a user's tokens too."""
_LITTLE = 0.1
"""Share of the requests' time that is not worth a word while the goals are met."""


@frozen
class Cause:
    """What holds the factory back, and by how much."""

    code: str
    params: dict[str, Any] = field(factory=dict)
    where: Tile | None = None
    """The machine to blame."""
    weight: float = 0.0
    """Requests whose time it takes, on average."""


def heaviest(floor: Floor, evidence: Evidence, metric: str, met: bool, last: Cause | None, lead: float) -> Cause | None:
    """What holds `metric` back most; the cause that was named last, unless another one weighs `lead` times as much.
    None where requests are served as they come.
    """
    machines = {place(machine): machine for machine in floor.machines.values()}
    counted, everything = LOOKED_AT.get(metric, BEFORE_FIRST_TOKEN), 0.0
    if met and metric != "user_tps":
        counted = WAITING
    weights: dict[tuple[str, Tile], float] = {}
    for cause, where in evidence.spent:
        amount, machine = evidence.requests(cause, where), machines.get(where)
        everything += amount
        if machine is not None and amount > 0 and _counts(cause, machine, metric, counted):
            weights[cause, where] = amount
    least = 0.0 if not met or metric == "user_tps" else _LITTLE * everything
    found = [
        (-amount, where, _code(cause, machines[where]), cause)
        for (cause, where), amount in weights.items()
        if amount > least
    ]
    if not found:
        return None
    first = min(found)
    if last is not None:
        same = min((one for one in found if (one[2], one[1]) == (last.code, last.where)), default=first)
        first = same if first[0] > lead * same[0] else first
    amount, where, code, cause = -first[0], *first[1:]
    return Cause(code, _params(cause, machines[where], evidence), where, amount)


def _counts(cause: str, machine: Machine, metric: str, counted: tuple[str, ...]) -> bool:
    """Whether a cause holds a metric back: streams that stand still for want of the card have their first token."""
    if cause == "card" and isinstance(machine, DecodeCore):
        return metric != "ttft_p95"
    return cause in counted


def _code(cause: str, machine: Machine) -> str:
    return "bottleneck.chunks" if cause == "computing" and _cuts(machine) else f"bottleneck.{cause}"


def _cuts(machine: Machine) -> bool:
    """Whether the level's longest prompt is computed in several steps."""
    longest = machine.floor.traffic.prompt.high
    return isinstance(machine, ModelServer) and machine.scheduler.chunked and machine.max_num_batched_tokens() < longest


def _params(cause: str, machine: Machine, evidence: Evidence) -> dict[str, Any]:
    """The figures of a cause's text."""
    where, told = place(machine), dict[str, Any](kind=machine.stand.kind.name)
    waiting = _count(evidence.waiting(cause, where))
    if machine.pad is not None:
        told["pad"] = machine.pad.id
    match cause:
        case "slots":
            return {**told, "slots": machine.slots(), "waiting": waiting}
        case "prefill":
            share = evidence.share(where, "compute", "bandwidth")
            return {**told, "percent": _percent(share), "waiting": waiting}
        case "computing":
            return {**told, **(_chunks(machine, _batch_of(evidence, where)) if _cuts(machine) else _prompt(machine))}
        case "stalled":
            return {**told, "percent": _percent(_share_of_steps(evidence, cause, where))}
        case "card":
            return {**told, "percent": _percent(evidence.share(where, "card"))}
        case "memory":
            pad = machine.pad
            assert pad is not None
            size = pad.pool.total * pad.kv_bytes_per_block
            return {**told, "waiting": waiting, "mib": size // MIB}
        case "link":
            return {**told, **_link(machine)}
        case "broken":
            return told
        case "rejected":
            drafted, accepted = evidence.drafted(where)
            return {**told, "percent": _percent(1 - accepted / drafted if drafted else 0.0)}
        case "weights" | "compute" | "kv" | "host" | "draft":
            return {
                **told,
                "percent": _percent(_share_of_steps(evidence, cause, where)),
                "batch": _batch(evidence, where),
            }
    return {**told, "waiting": waiting}


def _prompt(machine: Machine) -> dict[str, int]:
    """How long the level's longest prompt takes here."""
    assert machine.pad is not None
    tokens = machine.floor.traffic.prompt.high
    model = machine.model() if isinstance(machine, Core) else None
    step_ps = machine.floor.deployment(machine.pad.gpu, model).prefill([tokens]).step_ps
    return {"tokens": tokens, "ms": step_ps // PS_PER_MS}


def _chunks(machine: Machine, batch_of: float) -> dict[str, int]:
    """In how many steps, and how long, the level's longest prompt is computed beside so many answers."""
    assert isinstance(machine, ModelServer)
    tokens, batch = machine.floor.traffic.prompt.high, round(batch_of)
    part = max(machine.max_num_batched_tokens() - batch, 1)
    prompt, output = mean_tokens(machine.floor.streams)
    chunk = part, (tokens - part) // 2, False
    deployment = machine.floor.deployment(machine.here.gpu, machine.model())
    step_ps = deployment.mixed(batch, batch * (int(prompt) + int(output) // 2), [chunk]).step_ps
    chunks = -(-tokens // part)
    return {"tokens": tokens, "chunks": chunks, "ms": chunks * step_ps // PS_PER_MS}


def _link(machine: Machine) -> dict[str, int]:
    """The slowest belt that leads KV here, for a prompt of the level's longest kind."""
    floor, slowest = machine.floor, {"tiles": 0, "ms": 0}
    tokens = floor.traffic.prompt.high
    for belt in machine.inputs:
        if belt.packet == KV and floor.machines[belt.source.machine].pad is not machine.pad:
            ms = belt.latency_ps(floor.kv_bytes(tokens), floor.layer_bytes(tokens)) // PS_PER_MS
            if ms > slowest["ms"]:
                slowest = {"tiles": len(belt.tiles), "ms": ms}
    return slowest


def _share_of_steps(evidence: Evidence, cause: str, where: Tile) -> float:
    total = _batch_of(evidence, where)
    return evidence.requests(cause, where) / total if total else 0.0


def _batch(evidence: Evidence, where: Tile) -> int:
    """Sequences in a step, on average over the steps."""
    share = evidence.share(where, "compute", "bandwidth")
    return _count(_batch_of(evidence, where) / share) if share else 1


def _batch_of(evidence: Evidence, where: Tile) -> float:
    total = 0.0
    for cause in ("weights", "compute", "kv", "host", "draft", "rejected", "stalled"):
        total += evidence.requests(cause, where)
    return total


def _count(amount: float, least: int = 1) -> int:
    return max(round(amount), least)


def _percent(share: float) -> int:
    return min(round(share * 100), 100)


def broken(floor: Floor) -> Cause | None:
    """A card that has failed, with a core on it."""
    cores = [machine for machine in floor.machines.values() if machine.is_broken and isinstance(machine, Core)]
    if not cores:
        return None
    first = min(cores, key=lambda core: core.order)
    return Cause("bottleneck.broken", {"kind": first.stand.kind.name, "pad": first.here.id}, place(first))


def crashed(floor: Floor) -> Cause | None:
    """A core that has run out of memory and stands still."""
    cores = [machine for machine in floor.machines.values() if isinstance(machine, DecodeCore) and machine.crashed]
    if not cores:
        return None
    first, lost = min(cores, key=lambda core: core.order), 0
    for request in floor.requests.values():
        lost += request.lost_ps == first.report["t_ps"]
    return Cause("bottleneck.out_of_memory", {"kind": first.stand.kind.name, "lost": lost}, place(first))
