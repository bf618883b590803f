"""What a run achieved, as `python -m engine run --json` prints it.

Requests are judged that arrived within the level's window, from the end of the warm-up on. Power and money are those of
the whole run, from its first second, with every card of the level, busy or idle, as a bill would have them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from engine import catalog
from engine.catalog.read import raw
from engine.floor.layout import layout_hash
from engine.floor.machines.core import Core
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.pad import Pad
from engine.level.spec import Goal
from engine.metrics.causes import CAUSES, QUEUE, none
from engine.metrics.ledger import Score
from engine.metrics.memory import MemoryBook
from engine.metrics.percentile import percentile
from engine.physics.energy import card_energy_uj, energy_uj
from engine.physics.money import electricity_nusd, owned_nusd, purchase_nusd, rent_nusd, usd_per_million_tokens
from engine.physics.speculation import expected_tokens
from engine.simulation import Simulation
from engine.supply.told import bill_data, break_even_data
from engine.traffic.request import Request
from engine.units import NUSD_PER_USD, PS_PER_S, as_seconds

PERCENTS = (50, 95, 99)
_UJ_PER_J = 10**6


def report(simulation: Simulation, memory: MemoryBook | None = None) -> dict[str, Any]:
    """All figures of a run in the units of the field; None for what does not exist, or nobody looked at (`memory`)."""
    score, end = simulation.score(), simulation.now
    requests = in_window(simulation)
    return {
        "level": simulation.level.id,
        "seed": simulation.seed,
        "passed": simulation.passed,
        "failed": [judgement.goal.name for judgement in simulation.judge() if not judgement.met],
        "goals": [
            {**attrs.asdict(judgement.goal), "value": judgement.value, "met": judgement.met}
            for judgement in simulation.judge()
        ],
        "tps": score.tps,
        "user_tps": score.user_tps,
        "ttft_p50_s": _seconds(score.ttft_p50_ps),
        "ttft_p95_s": _seconds(score.ttft_p95_ps),
        "pause_p95_s": _seconds(score.pause_p95_ps),
        "tpot_mean_s": _seconds(score.tpot_mean_ps),
        "e2e_p95_s": _seconds(score.e2e_p95_ps),
        "latency_s": {name: statistics(values) for name, values in latencies(requests, end).items()},
        "waiting_s": statistics([waiting_ps(request, end) for request in requests]),
        "goodput": of_tenants(score)
        if simulation.level.tenants
        else goodput(requests, deadlines(simulation.level.goals), score.window_ps),
        "waterfall": waterfall(requests),
        "requests": score.requests,
        "finished": score.finished,
        "out_of_memory": score.out_of_memory,
        "refused": score.refused,
        "preemptions": preemptions(simulation),
        "tokens": score.tokens,
        "usd_per_mtok": usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens()),
        "cost": cost(simulation),
        "bill": bill_data(simulation),
        "break_even": break_even_data(simulation.level) if simulation.level.apis else [],
        "energy": energy(simulation),
        "speculation": speculation(simulation),
        "kv": kv(simulation, memory),
        "pads": [_pad(simulation, pad, memory) for pad in simulation.floor.pads.values()],
        "out_of_memory_reports": [
            {"x": machine.stand.x, "y": machine.stand.y, **machine.report}
            for machine in simulation.floor.machines.values()
            if isinstance(machine, DecodeCore) and machine.report
        ],
        "machines": [
            {
                "kind": machine.stand.kind.name,
                "x": machine.stand.x,
                "y": machine.stand.y,
                "busy": machine.busy_ps(0, end) / end if end else 0.0,
                "queue": machine.queue_length(),
                "state": machine.status(),
            }
            for machine in simulation.floor.machines.values()
        ],
        "sim_seconds": as_seconds(end),
        "layout_hash": layout_hash(simulation.site.layout()),
        "hash": simulation.state_hash(),
    }


# -- requests ---------------------------------------------------------------------------------------------------------


def in_window(simulation: Simulation) -> list[Request]:
    """Requests that arrived within the window and were not refused, in the order of arrival. Call `score` before."""
    from_ps = simulation.level.warmup_s * PS_PER_S
    return [
        request
        for request in simulation.floor.requests.values()
        if request.arrival_ps >= from_ps and not request.refused
    ]


def tpot_ps(request: Request) -> int:
    """Time per token after the first of a finished answer of more than one token, rounded down."""
    return (request.last_token_ps - request.first_token_ps) // (request.output_tokens - 1)


def latencies(requests: Sequence[Request], now: int) -> dict[str, list[int]]:
    """TTFT, TPOT, E2E and the longest pause, in ps, in no order.

    As in the goals: a request without a token counts with its age as TTFT, a stream that stands still with the length
    of its standstill as pause. TPOT and E2E are those of finished requests. Tokens count when they reach the Token
    Dock, so TTFT includes the hand-off.
    """
    started = [request for request in requests if request.tokens]
    done = [request for request in started if request.done]
    return {
        "ttft": [(request.first_token_ps if request.tokens else now) - request.arrival_ps for request in requests],
        "tpot": [tpot_ps(request) for request in done if request.output_tokens > 1],
        "e2e": [request.last_token_ps - request.arrival_ps for request in done],
        "pause": [
            request.longest_pause_ps if request.done else max(request.longest_pause_ps, now - request.last_token_ps)
            for request in started
        ],
    }


def statistics(values_ps: Sequence[int]) -> dict[str, float | None]:
    """Mean and percentiles (nearest rank: a value that occurred) in seconds; None for no values."""
    ascending, total = sorted(values_ps), 0
    for value in ascending:
        total += value
    mean = total / len(ascending) / PS_PER_S if ascending else None
    return {"mean": mean} | {f"p{percent}": _seconds(percentile(ascending, percent)) for percent in PERCENTS}


def waiting_ps(request: Request, now: int) -> int:
    """How long a request waited for a slot, for memory or for a card's turn before its prompt was computed.

    One without a token counts with its age, less what has another cause already.
    """
    if request.tokens:
        return request.causes[QUEUE]
    others = 0
    for cause, ps in enumerate(request.causes):
        others += 0 if cause == QUEUE else ps
    return now - request.arrival_ps - others


def waterfall(requests: Sequence[Request]) -> dict[str, Any]:
    """Where the time of finished requests went, from arrival to the last token: per cause the sum in ps and the mean.

    The sums per cause add up to the sum of all end-to-end times, to the picosecond.
    """
    totals, e2e, count = none(), 0, 0
    for request in requests:
        if request.done:
            totals = [total + ps for total, ps in zip(totals, request.causes, strict=True)]
            e2e += request.last_token_ps - request.arrival_ps
            count += 1
    return {
        "requests": count,
        "mean_s": {
            name: total / count / PS_PER_S if count else None for name, total in zip(CAUSES, totals, strict=True)
        },
        "total_ps": dict(zip(CAUSES, totals, strict=True)),
        "e2e_total_ps": e2e,
    }


def deadlines(goals: Sequence[Goal]) -> dict[str, float]:
    """What a single request has to keep, in seconds, so that the level's goals would be met if all did.

    A goal for a percentile of TTFT or of pauses is the deadline of each request; a goal for tokens per second and user
    is the TPOT that gives it. Goals for the whole factory (`tps`, counts) say nothing of a request, and those for one
    tenant nothing of the others' (`run --json` has a row for each, `by_tenant`).
    """
    limits: dict[str, float] = {}
    for goal in goals:
        if goal.tenant:
            continue
        match goal.metric:
            case "ttft_p95":
                limits["ttft"] = goal.target
            case "pause_p95":
                limits["pause"] = goal.target
            case "user_tps":
                limits["tpot"] = 1 / goal.target
    return limits


def goodput(requests: Sequence[Request], limits_s: Mapping[str, float], window_ps: int) -> dict[str, Any]:
    """Finished requests that kept every deadline: how many, per second of the window, and as a share of those finished.

    Requests under way when the run ends do not count, which takes a little off: none has kept its deadlines yet.
    """
    limits_ps = {name: limit * PS_PER_S for name, limit in limits_s.items()}
    done = [request for request in requests if request.done]
    good = 0
    for request in done:
        reached = {"ttft": request.first_token_ps - request.arrival_ps, "pause": request.longest_pause_ps}
        reached["tpot"] = tpot_ps(request) if request.output_tokens > 1 else 0
        good += all(reached[name] <= limit for name, limit in limits_ps.items())
    return {
        "limits_s": dict(limits_s),
        "requests": good,
        "requests_per_s": good * PS_PER_S / window_ps if window_ps else None,
        "share_of_finished": good / len(done) if done else None,
    }


def of_tenants(score: Score) -> dict[str, Any]:
    """Requests that kept the deadlines of their own tenant; of levels with tenants."""
    return {
        "limits_s": {},
        "requests": score.kept,
        "requests_per_s": score.goodput,
        "share_of_finished": score.kept / score.finished if score.finished else None,
    }


# -- machines and cards -----------------------------------------------------------------------------------------------


def preemptions(simulation: Simulation) -> int:
    """How often a sequence lost its KV for want of memory, warm-up included."""
    total = 0
    for machine in simulation.floor.machines.values():
        if isinstance(machine, Core):
            total += machine.scheduler.preemptions
    return total


def busy_ps(simulation: Simulation, pad: Pad, first_s: int = 0) -> int:
    """Picoseconds since a second in which steps ran on a card, the present one's share included.

    Passes of a Draft Model on a card of its own are not in it: they are part of the Decode Core's steps.
    """
    total = 0
    for machine in simulation.floor.machines.values():
        if isinstance(machine, Core) and machine.pad is pad:
            total += machine.busy_ps(first_s, simulation.now)
    return total


def _pad(simulation: Simulation, pad: Pad, memory: MemoryBook | None) -> dict[str, Any]:
    warmup_s, end = simulation.level.warmup_s, simulation.now
    window_ps = end - warmup_s * PS_PER_S
    busy = busy_ps(simulation, pad)
    return {
        "gpu": pad.gpu.id,
        "utilisation": busy_ps(simulation, pad, warmup_s) / window_ps if window_ps > 0 else None,
        "energy_j": card_energy_uj(pad.gpu, busy, end) / _UJ_PER_J,
        "idle_energy_j": energy_uj(pad.gpu.idle_watts, end - busy) / _UJ_PER_J,
        "fixed_bytes": pad.fixed_bytes,
        "memory": None if memory is None else memory.shares_of(pad.id),
    }


def energy(simulation: Simulation) -> dict[str, Any]:
    """Joules of all cards, idle ones included, and per delivered token.

    A busy card draws its average share of peak power, an idle one with a model loaded its idle share (`catalog costs`).
    """
    total = 0
    for pad in simulation.floor.pads.values():
        total += card_energy_uj(pad.gpu, busy_ps(simulation, pad), simulation.now)
    tokens = simulation.tokens()
    return {"total_j": total / _UJ_PER_J, "j_per_token": total / _UJ_PER_J / tokens if tokens else None}


def cost(simulation: Simulation) -> dict[str, Any]:
    """Dollars of all cards, rented and owned, and per million delivered tokens (warm-up included in both).

    Rented, a card costs its hourly price, busy or idle; `listed` is false where nobody rents one of the cards out and
    what owning it costs stands in. Owned, it costs the part of its purchase, and of the machine around it, that the
    time uses up, and electricity, busy and idle; None where a card's price is not known. Nobody's work is in either.
    """
    pads, end, tokens = list(simulation.floor.pads.values()), simulation.now, simulation.tokens()
    rent = 0
    for pad in pads:
        rent += rent_nusd(pad.gpu.rent_usd_per_hour, end)
    known = raw("gpus.json")
    listed = all("rent_usd_per_hour" in known[pad.gpu.id] for pad in pads)
    result: dict[str, Any] = {"rented": {**_usd(rent, tokens), "listed": listed}, "owned": None}
    if all(pad.gpu.price_usd is not None for pad in pads):
        result["owned"] = _owned(simulation, pads, tokens)
    return result


def _owned(simulation: Simulation, pads: Sequence[Pad], tokens: int) -> dict[str, Any]:
    costs, end = catalog.costs(), simulation.now
    total, purchase, idle = 0, 0, 0
    for pad in pads:
        busy = busy_ps(simulation, pad)
        total += owned_nusd(pad.gpu, costs, busy, end)
        purchase += purchase_nusd((pad.gpu.price_usd or 0.0) + costs.host_usd, costs.years, end)
        idle += electricity_nusd(energy_uj(pad.gpu.idle_watts, end - busy), costs.electricity_usd_per_kwh)
    return {
        **_usd(total, tokens),
        "purchase_usd": purchase / NUSD_PER_USD,
        "electricity_usd": (total - purchase) / NUSD_PER_USD,
        "idle_electricity_usd": idle / NUSD_PER_USD,
    }


def _usd(nusd: int, tokens: int) -> dict[str, float | None]:
    return {"usd": nusd / NUSD_PER_USD, "usd_per_mtok": usd_per_million_tokens(nusd, tokens)}


def speculation(simulation: Simulation) -> dict[str, Any]:
    """Tokens that draft models proposed, those that were right, and the acceptance rate as engines report it.

    That rate is accepted over drafted tokens. It lies below the chance of a single token, as the first wrong one throws
    the rest of a draft away; `expected_tokens_per_step` is what theory says of the level's chance.
    """
    drafted, accepted, steps = 0, 0, 0.0
    proposed = 0
    for machine in simulation.floor.machines.values():
        if isinstance(machine, DecodeCore):
            drafted += machine.stepper.drafted
            accepted += machine.stepper.accepted
        elif machine.stand.kind.name == "draft_model":
            proposed = machine.settings["num_speculative_tokens"]
    expected = None
    if drafted and proposed:
        steps = drafted / proposed
        expected = expected_tokens(simulation.level.acceptance, proposed)
    return {
        "drafted": drafted,
        "accepted": accepted,
        "acceptance": accepted / drafted if drafted else None,
        "tokens_per_step": accepted / steps + 1 if steps else None,
        "expected_tokens_per_step": expected,
    }


def kv(simulation: Simulation, memory: MemoryBook | None) -> dict[str, Any] | None:
    """What sequences in Decode Cores take of KV memory, averaged over time and sequences, against the longest length.

    `saving` is how much less they take than if each had reserved `max_model_len` tokens. It comes from the lengths of
    the run's own requests, looked at once a second; a contiguous reservation saves nothing. None where the level has no
    longest length, where nobody looked, or where no sequence was there.
    """
    longest = simulation.level.max_model_len
    if memory is None or not memory.sequences or not longest:
        return None
    return {
        "max_model_len": longest,
        "sequences": memory.sequences / memory.looks,
        "tokens_per_sequence": memory.tokens / memory.sequences,
        "taken_per_sequence": memory.taken / memory.sequences,
        "saving": 1 - memory.taken / (memory.sequences * longest),
        "looks": memory.looks,
    }


def _seconds(ps: int | None) -> float | None:
    return None if ps is None else as_seconds(ps)
