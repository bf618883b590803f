"""The live numbers of a factory, each by its name: computed from the level's cards, model and link and from the run so
far, never written down. `None` where there is nothing to say yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from engine import catalog
from engine.catalog.api import Api
from engine.catalog.gpu import Gpu
from engine.floor.belt import Belt, latency_ps
from engine.floor.kinds import KV
from engine.floor.machines import ApiPort, Gateway, Machine
from engine.floor.machines.core import Core
from engine.floor.machines.token_maker import TokenMaker
from engine.floor.pad import Pad
from engine.level.spec import CONTIGUOUS
from engine.memory.paged import DEFAULT_BLOCK_SIZE
from engine.memory.shared import SharedPool
from engine.metrics import report
from engine.metrics.fairness import jain
from engine.metrics.ledger import Score
from engine.metrics.seconds import recent
from engine.metrics.tenants import NOBODY, accounts
from engine.physics.kv_cache import kv_bytes_per_token, layer_kv_bytes
from engine.physics.money import usd_per_million_tokens
from engine.physics.roofline import DecodeCost, Deployment
from engine.physics.speculation import best_draft_tokens, expected_tokens, reported_acceptance, speed_up
from engine.simulation import Simulation
from engine.supply.break_even import OwnedHour
from engine.traffic.kinds import mean_tokens
from engine.units import MIB, NUSD_PER_USD, PS_PER_MS, PS_PER_S, as_seconds

Value = float | int | None


@frozen
class Figure:
    """A number and the name of its unit (`unit.NAME` in the translations)."""

    unit: str
    of: Callable[[Simulation], Value]


def figure(simulation: Simulation, name: str) -> dict[str, Any]:
    """A figure as messages have it: {code, value, unit}."""
    found = FIGURES[name]
    return {"code": f"figure.{name}", "value": found.of(simulation), "unit": f"unit.{found.unit}"}


# -- the factory: what stands where, and what the level is about ------------------------------------------------------


def _worker(simulation: Simulation, kind: str) -> str:
    """Who does a core's work in this level: the core, or a Model Server where there is none."""
    settings = simulation.level.settings
    return "model_server" if kind not in settings and "model_server" in settings else kind


def _first(simulation: Simulation, kind: str) -> Machine | None:
    kind = _worker(simulation, kind)
    machines = [one for one in simulation.floor.machines.values() if one.stand.kind.name == kind]
    return min(machines, key=lambda machine: machine.order, default=None)


def _pad(simulation: Simulation, kind: str) -> Pad:
    """The card on which the first machine of a kind stands; before there is one, the last card of the level."""
    machine, pads = _first(simulation, kind), list(simulation.floor.pads.values())
    return pads[-1] if machine is None or machine.pad is None else machine.pad


def _deployment(simulation: Simulation, kind: str) -> Deployment:
    machine = _first(simulation, kind)
    model = machine.model() if isinstance(machine, Core) else None
    return simulation.floor.deployment(_pad(simulation, kind).gpu, model)


def _prompt(simulation: Simulation) -> int:
    """The longest prompt of the level, in tokens."""
    return simulation.floor.traffic.prompt.high


def _context(simulation: Simulation) -> int:
    """Tokens of a sequence halfway through a mean answer to a mean prompt."""
    prompt, output = mean_tokens(simulation.floor.streams)
    return int(prompt) + int(output) // 2


def _cost(simulation: Simulation, batch: int) -> DecodeCost:
    return _deployment(simulation, "decode_core").decode(batch)


def _step_ms(simulation: Simulation, batch: int) -> float:
    context = _context(simulation)
    return _cost(simulation, batch).steps_ps(1, batch * context, batch) / PS_PER_MS


def _setting(simulation: Simulation, kind: str, name: str) -> int:
    """A setting of the first machine of a kind; before there is one, what the level gives it."""
    machine = _first(simulation, kind)
    if machine is not None and name in machine.settings:
        return machine.settings[name]
    return simulation.level.settings[_worker(simulation, kind)][name].value


def _slots(simulation: Simulation) -> int:
    return _setting(simulation, "decode_core", "max_num_seqs")


def _kv_belt(simulation: Simulation) -> Belt | None:
    belts = [belt for belt in simulation.floor.belts.values() if belt.packet == KV]
    return min(belts, key=lambda belt: (len(belt.tiles), belt.order), default=None)


def _tiles(simulation: Simulation) -> int | None:
    belt = _kv_belt(simulation)
    return None if belt is None else len(belt.tiles)


def _handoff_s(simulation: Simulation) -> float:
    floor, prompt = simulation.floor, _prompt(simulation)
    return as_seconds(
        latency_ps(floor.link, _tiles(simulation) or 0, floor.kv_bytes(prompt), floor.layer_bytes(prompt))
    )


def _tile_ms(simulation: Simulation) -> float:
    chunk = layer_kv_bytes(simulation.floor.model, _prompt(simulation))
    return latency_ps(simulation.floor.link, 1, 0, chunk) / PS_PER_MS


def _ridge_tokens(gpu: Gpu, deployment: Deployment) -> float:
    """Tokens a step at which multiplying takes as long as reading the weights."""
    model = deployment.model
    products = 2 * (model.multiplied_parameters + model.head_parameters) / (gpu.flops * gpu.compute_efficiency)
    weights = model.weight_bytes_read / (gpu.bandwidth_bytes_per_s * gpu.bandwidth_efficiency)
    return weights / products


def _ridge(simulation: Simulation) -> float:
    return _ridge_tokens(_pad(simulation, "decode_core").gpu, _deployment(simulation, "decode_core"))


# -- long prompts -----------------------------------------------------------------------------------------------------


def _chunk_tokens(simulation: Simulation) -> int | None:
    """Of a Chunker; None where the level has none."""
    return _setting(simulation, "chunker", "chunk_tokens") if "chunker" in simulation.level.settings else None


def _prompt_part(simulation: Simulation) -> int | None:
    """Prompt tokens in a step beside those that decode now."""
    chunk = _chunk_tokens(simulation)
    return None if chunk is None else max(chunk - (_batch(simulation) or 0), 1)


def _chunks(simulation: Simulation) -> int | None:
    """Steps that the longest prompt takes."""
    part = _prompt_part(simulation)
    return None if part is None else -(-_prompt(simulation) // part)


def _chunk_ms(simulation: Simulation) -> float | None:
    """A step with a part of the longest prompt, halfway through it, and those that decode now."""
    part, batch = _prompt_part(simulation), _batch(simulation) or 0
    if part is None:
        return None
    tokens = min(part, _prompt(simulation))
    chunk = tokens, (_prompt(simulation) - tokens) // 2, False
    mixed = _deployment(simulation, "model_server").mixed(batch, batch * _context(simulation), [chunk])
    return mixed.step_ps / PS_PER_MS


# -- memory -----------------------------------------------------------------------------------------------------------


def _kv_memory_bytes(simulation: Simulation) -> int:
    """Room for KV on the Decode Core's card with its models loaded; before they are, with the level's model."""
    pad, model = _pad(simulation, "decode_core"), simulation.floor.model
    room = int(pad.gpu.vram_bytes * simulation.level.memory_utilization)
    return max(room - (pad.fixed_bytes or pad.gpu.overhead_bytes + model.weight_bytes), 0)


def _kv_token_bytes(simulation: Simulation) -> int:
    """KV of a token on the Decode Core's card: a draft model that stands there keeps its own."""
    total = kv_bytes_per_token(simulation.floor.model)
    for draft in simulation.floor.on_pad(_pad(simulation, "decode_core"), "draft_model"):
        total += draft.kv_bytes_per_token()
    return total


def _longest(simulation: Simulation) -> int | None:
    """The longest sequence that a contiguous reservation is made for; None where the level has none."""
    if simulation.level.kv_memory != CONTIGUOUS:
        return None
    return _setting(simulation, "decode_core", "max_model_len")


def _reserved_mib(simulation: Simulation) -> float | None:
    longest = _longest(simulation)
    return None if longest is None else simulation.floor.kv_bytes(longest) / MIB


def _reserved_fit(simulation: Simulation) -> int | None:
    longest = _longest(simulation)
    return None if longest is None else _kv_memory_bytes(simulation) // simulation.floor.kv_bytes(longest)


def _paged_fit(simulation: Simulation) -> int:
    """Sequences of the mean length that fit when nothing is reserved."""
    return _kv_memory_bytes(simulation) // (_kv_token_bytes(simulation) * _context(simulation))


def _block_tokens(simulation: Simulation) -> int | None:
    if "page_allocator" not in simulation.level.allowed:
        return None
    if "page_allocator" not in simulation.level.settings:
        return DEFAULT_BLOCK_SIZE
    return _setting(simulation, "page_allocator", "block_size")


def _block_kib(simulation: Simulation) -> float | None:
    tokens = _block_tokens(simulation)
    return None if tokens is None else simulation.floor.kv_bytes(tokens) / 1024


def _block_waste(simulation: Simulation) -> float | None:
    tokens = _block_tokens(simulation)
    return None if tokens is None else (tokens - 1) / 2


def _pool_used(simulation: Simulation) -> float | None:
    simulation.settle()
    pool = _pad(simulation, "decode_core").pool
    return pool.used / pool.total * 100 if pool.total else None


def _preemptions(simulation: Simulation) -> int:
    return report.preemptions(simulation)


# -- speculation ------------------------------------------------------------------------------------------------------


def _draft(simulation: Simulation) -> Deployment | None:
    """The draft model on its card; None where the level has none."""
    level = simulation.level
    if not level.draft_models:
        return None
    model = catalog.model(level.draft_models[_setting(simulation, "draft_model", "model")])
    return simulation.floor.draft_deployment(_pad(simulation, "draft_model").gpu, model)


def _guesses(simulation: Simulation) -> int | None:
    if not simulation.level.draft_models:
        return None
    return _setting(simulation, "draft_model", "num_speculative_tokens")


def _pass_ms(simulation: Simulation) -> float | None:
    draft = _draft(simulation)
    return None if draft is None else draft.decode(1).steps_ps(1, _context(simulation), 1) / PS_PER_MS


def _draft_cost(simulation: Simulation) -> float | None:
    taken = _pass_ms(simulation)
    return None if taken is None else taken / _step_ms(simulation, 1)


def _of_guesses(
    compute: Callable[[float, int], float],
) -> Callable[[Simulation], Value]:
    def value(simulation: Simulation) -> Value:
        guesses = _guesses(simulation)
        return None if guesses is None else compute(simulation.level.acceptance, guesses)

    return value


def _speed_up(simulation: Simulation) -> float | None:
    guesses, cost = _guesses(simulation), _draft_cost(simulation)
    if guesses is None or cost is None:
        return None
    return speed_up(simulation.level.acceptance, guesses, cost)


def _best_guesses(simulation: Simulation) -> int | None:
    cost = _draft_cost(simulation)
    return None if cost is None else best_draft_tokens(simulation.level.acceptance, cost)


def _measured_acceptance(simulation: Simulation) -> float | None:
    found: float | None = report.speculation(simulation)["acceptance"]
    return None if found is None else found * 100


def _measured_per_step(simulation: Simulation) -> float | None:
    found: float | None = report.speculation(simulation)["tokens_per_step"]
    return found


# -- the run so far ---------------------------------------------------------------------------------------------------


def _scored(value: Callable[[Score], Value]) -> Callable[[Simulation], Value]:
    return lambda simulation: value(simulation.score())


def _s(ps: int | None) -> float | None:
    return None if ps is None else as_seconds(ps)


def _ms(ps: int | None) -> float | None:
    return None if ps is None else ps / PS_PER_MS


def _busy(kind: str) -> Callable[[Simulation], Value]:
    def value(simulation: Simulation) -> Value:
        """Per cent of the last ten seconds that machines of a kind worked, the busiest of them."""
        first_s, window_ps = recent(simulation.now)
        shares = [
            min(machine.busy_ps(first_s, simulation.now) / window_ps, 1.0) * 100
            for machine in simulation.floor.machines.values()
            if machine.stand.kind.name == _worker(simulation, kind)
        ]
        return max(shares, default=None)

    return value


def _batch(simulation: Simulation) -> int | None:
    cores = [core for core in simulation.floor.machines.values() if isinstance(core, TokenMaker)]
    return max((core.scheduler.running for core in cores), default=None)


def _queue(simulation: Simulation) -> int:
    total = 0
    for machine in simulation.floor.machines.values():
        total += machine.queue_length()
    return total


def _recent_tps(simulation: Simulation) -> float:
    first_s, window_ps = recent(simulation.now)
    delivered = simulation.floor.ledger.delivered
    return delivered.total(first_s, -(-simulation.now // PS_PER_S)) * PS_PER_S / window_ps


def _goodput(simulation: Simulation) -> float | None:
    score = simulation.score()
    limits = report.deadlines(simulation.level.goals)
    found: float | None = report.goodput(report.in_window(simulation), limits, score.window_ps)["requests_per_s"]
    return found


def _rent(simulation: Simulation) -> float:
    total = 0.0
    for pad in simulation.floor.pads.values():
        total += pad.gpu.rent_usd_per_hour
    return total


def _watts(simulation: Simulation) -> float | None:
    if not simulation.now:
        return None
    joules: float = report.energy(simulation)["total_j"]
    return joules / as_seconds(simulation.now)


def _joules(simulation: Simulation) -> float | None:
    found: float | None = report.energy(simulation)["j_per_token"]
    return found


# -- a shared server --------------------------------------------------------------------------------------------------


def _shared_pools(simulation: Simulation) -> list[SharedPool]:
    simulation.settle()
    return [pad.pool for pad in simulation.floor.pads.values() if isinstance(pad.pool, SharedPool)]


def _prefix_hits(simulation: Simulation) -> float:
    """Of the prompts' tokens, those whose KV was there."""
    asked = found = 0
    for pool in _shared_pools(simulation):
        asked += pool.asked
        found += pool.found
    return 100 * found / asked if asked else 0.0


def _prefix_blocks(simulation: Simulation) -> int:
    blocks = 0
    for pool in _shared_pools(simulation):
        blocks += len(pool.references)
    return blocks


def _let_in(simulation: Simulation) -> int:
    """Requests that wait in Gateways."""
    waiting = 0
    for machine in simulation.floor.machines.values():
        waiting += machine.queue_length() if isinstance(machine, Gateway) else 0
    return waiting


def _ways(simulation: Simulation) -> int:
    router = _first(simulation, "router")
    return 0 if router is None else len(router.outputs)


def _idle_share(simulation: Simulation) -> float:
    """Of the cards' time, what no tenant's step has used."""
    used, cards = 0, len(simulation.floor.pads)
    for account in accounts(simulation):
        used += account.gpu_ps if account.tenant != NOBODY else 0
    return 100 * (1 - used / (simulation.now * cards)) if simulation.now else 100.0


# -- who supplies the tokens ------------------------------------------------------------------------------------------


def _of_api(compute: Callable[[Api], float]) -> Callable[[Simulation], Value]:
    """Of the offer that the first API Port has; before there is one, of the level's first."""

    def value(simulation: Simulation) -> Value:
        apis, port = simulation.level.apis, _first(simulation, "api_port")
        if not apis:
            return None
        return compute(catalog.api(apis[port.offer if isinstance(port, ApiPort) else 0]))

    return value


def _of_ports(compute: Callable[[ApiPort], int]) -> Callable[[Simulation], Value]:
    """Of all API Ports together."""

    def value(simulation: Simulation) -> Value:
        simulation.settle()
        total = 0
        for machine in simulation.floor.machines.values():
            total += compute(machine) if isinstance(machine, ApiPort) else 0
        return total

    return value


def _own_usd(busy_share: float) -> Callable[[Simulation], Value]:
    """An hour of one's own card, the level's first that is sold."""

    def value(simulation: Simulation) -> Value:
        supply = simulation.level.supply
        place = None if supply is None else catalog.place(supply.place)
        usd_per_kwh = catalog.costs().electricity_usd_per_kwh if place is None else place.usd_per_kwh
        for pad in simulation.floor.pads.values():
            if pad.gpu.price_usd is not None:
                return OwnedHour.of(pad.gpu, catalog.costs(), usd_per_kwh).nusd(busy_share) / NUSD_PER_USD
        return None

    return value


def _quantised(compute: Callable[[Simulation, Deployment], float]) -> Callable[[Simulation], Value]:
    """Of the level's model in 4 bits; None where the catalog has no such one."""

    def value(simulation: Simulation) -> Value:
        id = f"{simulation.level.model}-w4a16"
        if id not in catalog.models():
            return None
        return compute(simulation, Deployment(_pad(simulation, "model_server").gpu, catalog.model(id)))

    return value


def _score(benchmark: str, model: str) -> Callable[[Simulation], Value]:
    return lambda simulation: catalog.benchmark(benchmark).score(model)


FIGURES: dict[str, Figure] = {
    # a shared server
    "prefix_hits": Figure("percent", _prefix_hits),
    "prefix_blocks": Figure("count", _prefix_blocks),
    "tenants": Figure("count", lambda simulation: len(simulation.level.tenants)),
    "refused": Figure("count", _scored(lambda score: score.refused)),
    "let_in": Figure("count", _let_in),
    "fairness": Figure("ratio", _scored(lambda score: jain(score.shares) or 0.0)),
    "least_on_time": Figure("percent", _scored(lambda score: 100 * min(score.shares, default=0.0))),
    "ways": Figure("count", _ways),
    "idle_share": Figure("percent", _idle_share),
    # the level
    "prompt_tokens": Figure("tokens", _prompt),
    "output_tokens": Figure("tokens", lambda simulation: simulation.floor.traffic.output.high),
    "arrival_s": Figure("s", lambda simulation: as_seconds(simulation.floor.traffic.interval_ps)),
    "cards": Figure("count", lambda simulation: len(simulation.floor.pads)),
    "bandwidth": Figure("gb_per_s", lambda simulation: _pad(simulation, "decode_core").gpu.bandwidth_bytes_per_s / 1e9),
    "flops": Figure("tflops", lambda simulation: _pad(simulation, "prefill_core").gpu.flops / 1e12),
    # steps
    "prefill_s": Figure(
        "s",
        lambda simulation: as_seconds(_deployment(simulation, "prefill_core").prefill([_prompt(simulation)]).step_ps),
    ),
    "prefill_tps": Figure(
        "tokens_per_s",
        lambda simulation: (
            _prompt(simulation)
            * PS_PER_S
            / _deployment(simulation, "prefill_core").prefill([_prompt(simulation)]).step_ps
        ),
    ),
    "weights_gb": Figure("gb", lambda simulation: simulation.floor.model.weight_bytes_read / 1e9),
    "step_ms": Figure("ms", lambda simulation: _step_ms(simulation, 1)),
    "step_full_ms": Figure("ms", lambda simulation: _step_ms(simulation, _slots(simulation))),
    "tps_alone": Figure("tokens_per_s", lambda simulation: 1000 / _step_ms(simulation, 1)),
    "tps_full": Figure(
        "tokens_per_s", lambda simulation: _slots(simulation) * 1000 / _step_ms(simulation, _slots(simulation))
    ),
    "ridge_tokens": Figure("tokens", _ridge),
    "slots": Figure("count", _slots),
    "batch": Figure("count", _batch),
    # long prompts
    "chunk_tokens": Figure("tokens", _chunk_tokens),
    "chunks": Figure("count", _chunks),
    "chunk_ms": Figure("ms", _chunk_ms),
    # KV memory
    "kv_token_kib": Figure("kib", lambda simulation: kv_bytes_per_token(simulation.floor.model) / 1024),
    "kv_prompt_mib": Figure("mib", lambda simulation: simulation.floor.kv_bytes(_prompt(simulation)) / MIB),
    "kv_memory_mib": Figure("mib", lambda simulation: _kv_memory_bytes(simulation) / MIB),
    "kv_memory_tokens": Figure(
        "tokens", lambda simulation: _kv_memory_bytes(simulation) // _kv_token_bytes(simulation)
    ),
    "kv_used": Figure("percent", _pool_used),
    "reserved_mib": Figure("mib", _reserved_mib),
    "reserved_fit": Figure("count", _reserved_fit),
    "paged_fit": Figure("count", _paged_fit),
    "block_tokens": Figure("tokens", _block_tokens),
    "block_kib": Figure("kib", _block_kib),
    "block_waste": Figure("tokens", _block_waste),
    "preemptions": Figure("count", _preemptions),
    # links
    "link_gb_per_s": Figure("gb_per_s", lambda simulation: simulation.floor.link.bytes_per_s / 1e9),
    "handoff_s": Figure("s", _handoff_s),
    "handoff_tiles": Figure("count", _tiles),
    "tile_ms": Figure("ms", _tile_ms),
    # speculation
    "acceptance": Figure(
        "percent", lambda simulation: simulation.level.acceptance * 100 if simulation.level.draft_models else None
    ),
    "guesses": Figure("count", _guesses),
    "draft_pass_ms": Figure("ms", _pass_ms),
    "draft_cost": Figure("ratio", _draft_cost),
    "tokens_per_step": Figure("tokens", _of_guesses(expected_tokens)),
    "reported_acceptance": Figure(
        "percent", _of_guesses(lambda acceptance, guesses: reported_acceptance(acceptance, guesses) * 100)
    ),
    "speed_up": Figure("ratio", _speed_up),
    "best_guesses": Figure("count", _best_guesses),
    "measured_acceptance": Figure("percent", _measured_acceptance),
    "measured_per_step": Figure("tokens", _measured_per_step),
    # the run
    "tps": Figure("tokens_per_s", _scored(lambda score: score.tps)),
    "tps_recent": Figure("tokens_per_s", _recent_tps),
    "user_tps": Figure("tokens_per_s", _scored(lambda score: score.user_tps)),
    "ttft_p50_s": Figure("s", _scored(lambda score: _s(score.ttft_p50_ps))),
    "ttft_p95_s": Figure("s", _scored(lambda score: _s(score.ttft_p95_ps))),
    "pause_p95_s": Figure("s", _scored(lambda score: _s(score.pause_p95_ps))),
    "tpot_ms": Figure("ms", _scored(lambda score: _ms(score.tpot_mean_ps))),
    "goodput": Figure("requests_per_s", _goodput),
    "queue": Figure("count", _queue),
    "prefill_busy": Figure("percent", _busy("prefill_core")),
    "decode_busy": Figure("percent", _busy("decode_core")),
    # money and power
    "rent": Figure("usd_per_h", _rent),
    "rent_one": Figure("usd_per_h", lambda simulation: simulation.floor.pads[0].gpu.rent_usd_per_hour),
    "usd_per_mtok": Figure(
        "usd_per_mtok", lambda simulation: usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens())
    ),
    "api_usd_in": Figure("usd_per_mtok", _of_api(lambda api: api.nusd_per_token_in / 1e3)),
    "api_usd_out": Figure("usd_per_mtok", _of_api(lambda api: api.nusd_per_token_out / 1e3)),
    "api_ttft_s": Figure("s", _of_api(lambda api: as_seconds(api.ttft_ps))),
    "api_tps": Figure("tokens_per_s", _of_api(lambda api: PS_PER_S / api.tpot_ps)),
    "api_calls": Figure("count", _of_ports(lambda port: port.batch_size())),
    "own_idle_usd": Figure("usd_per_h", _own_usd(0.0)),
    "own_busy_usd": Figure("usd_per_h", _own_usd(1.0)),
    "weights_4_bit_gb": Figure("gb", _quantised(lambda _, four: four.model.weight_bytes_read / 1e9)),
    "step_4_bit_ms": Figure(
        "ms",
        _quantised(
            lambda simulation, four: four.decode(1).steps_ps(1, _context(simulation), 1) / PS_PER_MS,
        ),
    ),
    "prefill_4_bit_s": Figure(
        "s", _quantised(lambda simulation, four: as_seconds(four.prefill([_prompt(simulation)]).step_ps))
    ),
    "summaries_3b": Figure("points", _score("tldr9", "llama-3.2-3b")),
    "summaries_8b": Figure("points", _score("tldr9", "llama-3.1-8b")),
    "code_8b": Figure("points", _score("humaneval", "llama-3.1-8b")),
    "code_8b_4_bit": Figure("points", _score("humaneval", "llama-3.1-8b-w4a16")),
    "watts": Figure("w", _watts),
    "j_per_token": Figure("j_per_token", _joules),
}
