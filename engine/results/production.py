"""What a factory would be in production: the `vllm serve` commands that match it, and what it would cost a month.

Flags are those of vLLM 0.20 and newer (docs.vllm.ai: engine arguments, draft models, NixlConnector, GGUF).
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any

from engine import catalog
from engine.catalog.read import raw
from engine.floor.machines import DecodeCore, DraftModel, Machine
from engine.floor.pad import Pad
from engine.level.spec import CONTIGUOUS
from engine.memory.paged import DEFAULT_BLOCK_SIZE
from engine.metrics.report import busy_ps
from engine.physics.energy import card_energy_uj
from engine.physics.money import electricity_nusd, purchase_nusd, rent_nusd, usd_per_million_tokens
from engine.simulation import Simulation
from engine.units import NUSD_PER_USD, PS_PER_S

PREFILL, DECODE = "prefill_core", "decode_core"
MONTH_PS = 365 * 24 * 3600 * PS_PER_S // 12
_UJ_PER_KWH = 3600 * 10**9
_FIRST_PORT, _FIRST_SIDE_CHANNEL = 8100, 5600
_TOO_OLD = frozenset({"gtx-1050", "gtx-1050-ti", "gtx-1060-3gb"})
"""Compute capability 6.1; vLLM needs 7.5 or newer."""
_CHECKPOINTS = {
    "llama-3.1-8b": "meta-llama/Llama-3.1-8B-Instruct",
    "llama-3.2-1b": "meta-llama/Llama-3.2-1B-Instruct",
    "llama-3.2-3b": "meta-llama/Llama-3.2-3B-Instruct",
}
_FORMATS = {"q4-k-m": "Q4_K_M", "q8-0": "Q8_0"}
_GGUF_REPOSITORIES = {
    "llama-3.1-8b": "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF",
    "llama-3.2-1b": "bartowski/Llama-3.2-1B-Instruct-GGUF",
    "llama-3.2-3b": "bartowski/Llama-3.2-3B-Instruct-GGUF",
}
"""Whose file sizes the catalog takes."""


def production(simulation: Simulation) -> dict[str, Any]:
    """{cards: [{gpu, count}], commands: [text], notes: [{code, params}], month}."""
    pads = _used(simulation)
    return {
        "cards": _cards(pads),
        "commands": [_command(simulation, pad, place, pads) for place, pad in enumerate(pads)],
        "notes": _notes(simulation, pads),
        "month": month(simulation),
    }


# -- the command line -------------------------------------------------------------------------------------------------


def _used(simulation: Simulation) -> list[Pad]:
    """Cards on which a core works."""
    return [pad for pad in simulation.floor.pads.values() if _cores(simulation, pad)]


def _cores(simulation: Simulation, pad: Pad) -> list[Machine]:
    return [core for kind in (PREFILL, DECODE) for core in simulation.floor.on_pad(pad, kind)]


def _kinds(simulation: Simulation, pad: Pad) -> set[str]:
    return {core.stand.kind.name for core in _cores(simulation, pad)}


def _cards(pads: Sequence[Pad]) -> list[dict[str, Any]]:
    counts: dict[str, int] = {}
    for pad in pads:
        counts[pad.gpu.name] = counts.get(pad.gpu.name, 0) + 1
    return [{"gpu": name, "count": count} for name, count in counts.items()]


def _split(simulation: Simulation, pads: Sequence[Pad]) -> bool:
    """Whether KV goes from card to card, so that servers have to hand it over."""
    return any(len(_kinds(simulation, pad)) == 1 for pad in pads) and len(pads) > 1


def _command(simulation: Simulation, pad: Pad, place: int, pads: Sequence[Pad]) -> str:
    level = simulation.level
    words = ["vllm", "serve", *_model(level.model)]
    options: dict[str, str] = {"--max-model-len": str(_longest(simulation, pad))}
    seqs = _total(simulation, pad, DECODE, "max_num_seqs")
    batched = _total(simulation, pad, PREFILL, "max_num_batched_tokens")
    if seqs:
        options["--max-num-seqs"] = str(seqs)
    if batched:
        options["--max-num-batched-tokens"] = str(batched)
    options["--block-size"] = str(_block_size(pad))
    options["--gpu-memory-utilization"] = f"{level.memory_utilization:g}"
    draft = _draft(simulation, pad)
    if draft is not None:
        options["--speculative-config"] = _json(draft)
    prefix: list[str] = []
    if _split(simulation, pads):
        prefix = [f"CUDA_VISIBLE_DEVICES={pad.id}", f"VLLM_NIXL_SIDE_CHANNEL_PORT={_FIRST_SIDE_CHANNEL + place}"]
        options["--port"] = str(_FIRST_PORT + place)
        options["--kv-transfer-config"] = _json({"kv_connector": "NixlConnector", "kv_role": _role(simulation, pad)})
    words += [word for option in options.items() for word in option]
    words.append("--no-enable-prefix-caching")  # requests of the levels share no prefix
    return " ".join([*prefix, *(shlex.quote(word) for word in words)])


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))


def _model(id: str) -> list[str]:
    """The checkpoint as vLLM takes it: a repository, and for GGUF the format and the tokenizer of the original."""
    base, quantized = _parts(id)
    if quantized is None:
        return [_CHECKPOINTS.get(base, base)]
    return [f"{_GGUF_REPOSITORIES.get(base, base)}:{quantized}", "--tokenizer", _CHECKPOINTS.get(base, base)]


def _parts(id: str) -> tuple[str, str | None]:
    for suffix, name in _FORMATS.items():
        if id.endswith(f"-{suffix}"):
            return id.removesuffix(f"-{suffix}"), name
    return id, None


def _longest(simulation: Simulation, pad: Pad) -> int:
    level = simulation.level
    settings = [core.settings["max_model_len"] for core in _cores(simulation, pad) if "max_model_len" in core.settings]
    traffic = level.offered
    return max([*settings, level.max_model_len]) or traffic.prompt.high + traffic.output.high


def _total(simulation: Simulation, pad: Pad, kind: str, name: str) -> int:
    """A limit of all machines of a kind on a card, which in production are one server."""
    total = 0
    for core in simulation.floor.on_pad(pad, kind):
        total += core.settings.get(name, 0)
    return total


def _block_size(pad: Pad) -> int:
    """vLLM cannot do without blocks: its default where there are none here."""
    return pad.pool.block_size if pad.pool.grows else DEFAULT_BLOCK_SIZE


def _draft(simulation: Simulation, pad: Pad) -> dict[str, Any] | None:
    for core in simulation.floor.on_pad(pad, DECODE):
        drafter = core.stepper.drafter if isinstance(core, DecodeCore) else None
        if isinstance(drafter, DraftModel):
            base, _ = _parts(simulation.level.draft_models[drafter.settings["model"]])
            return {
                "method": "draft_model",
                "model": _CHECKPOINTS.get(base, base),
                "num_speculative_tokens": drafter.settings["num_speculative_tokens"],
            }
    return None


def _role(simulation: Simulation, pad: Pad) -> str:
    kinds = _kinds(simulation, pad)
    if kinds == {PREFILL}:
        return "kv_producer"
    return "kv_consumer" if kinds == {DECODE} else "kv_both"


def _notes(simulation: Simulation, pads: Sequence[Pad]) -> list[dict[str, Any]]:
    """What the commands alone do not say."""
    level, notes = simulation.level, list[tuple[str, dict[str, Any]]]()
    if not pads:
        notes.append(("production.nothing", {}))
    if _split(simulation, pads):
        notes.append(("production.proxy", {}))
    for gpu in {pad.gpu.id: pad.gpu for pad in pads}.values():
        if gpu.id in _TOO_OLD:
            notes.append(("production.too_old", {"gpu": gpu.name}))
    if _parts(level.model)[1] is not None:
        notes.append(("production.gguf", {"model": catalog.model(level.model).name}))
    for pad in pads:
        for draft in simulation.floor.on_pad(pad, "draft_model"):
            id = level.draft_models[draft.settings["model"]]
            if _parts(id)[1] is not None:
                notes.append(("production.draft_format", {"model": catalog.model(id).name}))
        decodes = DECODE in _kinds(simulation, pad)
        if decodes and level.kv_memory == CONTIGUOUS and not simulation.floor.on_pad(pad, "page_allocator"):
            notes.append(("production.always_pages", {"tokens": DEFAULT_BLOCK_SIZE}))
    return [{"code": code, "params": params} for code, params in notes]


# -- the bill ---------------------------------------------------------------------------------------------------------


def month(simulation: Simulation) -> dict[str, Any]:
    """A month of this load on the cards that are used, in dollars.

    `rented`: their hourly price, on demand, for the whole month; `listed` is false where nobody rents one of them out
    and what owning it costs stands in. `owned`: a month's part of purchase and host, and electricity as busy as in this
    run; None where a card's price is not known. Nobody's work is in either. `tokens`: what the load of the run delivers
    in a month.
    """
    pads, span = _used(simulation), simulation.now
    tokens = simulation.tokens() * MONTH_PS // span if span else 0
    rent = 0
    for pad in pads:
        rent += rent_nusd(pad.gpu.rent_usd_per_hour, MONTH_PS)
    known = raw("gpus.json")
    rented = {**_usd(rent, tokens), "listed": all("rent_usd_per_hour" in known[pad.gpu.id] for pad in pads)}
    return {"tokens": tokens, "rented": rented, "owned": _owned(simulation, pads, tokens)}


def _owned(simulation: Simulation, pads: Sequence[Pad], tokens: int) -> dict[str, Any] | None:
    if any(pad.gpu.price_usd is None for pad in pads):
        return None
    costs, purchase, energy = catalog.costs(), 0, 0
    for pad in pads:
        busy = busy_ps(simulation, pad) * MONTH_PS // simulation.now if simulation.now else 0
        purchase += purchase_nusd((pad.gpu.price_usd or 0.0) + costs.host_usd, costs.years, MONTH_PS)
        energy += card_energy_uj(pad.gpu, busy, MONTH_PS)
    electricity = electricity_nusd(energy, costs.electricity_usd_per_kwh)
    return {
        **_usd(purchase + electricity, tokens),
        "purchase_usd": purchase / NUSD_PER_USD,
        "electricity_usd": electricity / NUSD_PER_USD,
        "kwh": energy / _UJ_PER_KWH,
        "usd_per_kwh": costs.electricity_usd_per_kwh,
        "years": costs.years,
    }


def _usd(nusd: int, tokens: int) -> dict[str, Any]:
    return {"usd": nusd / NUSD_PER_USD, "usd_per_mtok": usd_per_million_tokens(nusd, tokens)}
