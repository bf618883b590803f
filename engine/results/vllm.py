"""A layout as `vllm serve` commands: what one would start to have the same in truth, and what they do not say.

The names of the options were read in the argument parsers of vLLM 0.33.0, the newest version of December 2026, and of
0.19.0, which served the measured runs; the two agree in all that is used here. Drafts, disaggregated prefill and GGUF
are as docs.vllm.ai has them (draft models, NixlConnector; GGUF by the plugin vllm-gguf-plugin from 0.24 on).
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from engine import catalog
from engine.catalog.read import raw
from engine.floor.layout import Layout, PlacedMachine
from engine.level.spec import CONTIGUOUS, Level
from engine.memory.paged import DEFAULT_BLOCK_SIZE
from engine.what_if.counts import pad_of

VERSION = "0.33.0"
ALSO = "0.19.0"
PREFILL, DECODE, SERVER = "prefill_core", "decode_core", "model_server"
FIRST_PORT, FIRST_SIDE_CHANNEL, PROXY_PORT = 8100, 5600, 8192
_BOTH, _PRODUCER, _CONSUMER = "kv_both", "kv_producer", "kv_consumer"
_SIDES = {_PRODUCER: "prefiller", _CONSUMER: "decoder"}
_TOO_OLD = frozenset({"gtx-1050", "gtx-1050-ti", "gtx-1060-3gb"})
"""Compute capability 6.1; vLLM needs 7.5 or newer."""
_CHECKPOINTS = {
    "llama-3.1-8b": "meta-llama/Llama-3.1-8B-Instruct",
    "llama-3.1-8b-w4a16": "RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16",
    "llama-3.2-1b": "meta-llama/Llama-3.2-1B-Instruct",
    "llama-3.2-3b": "meta-llama/Llama-3.2-3B-Instruct",
}
"""Those that follow instructions; of other models the catalog's own."""
_FORMATS = {"q4-k-m": "Q4_K_M", "q8-0": "Q8_0", "fp16": "F16"}
_GGUF_REPOSITORIES = {
    "llama-3.1-8b": "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF",
    "llama-3.2-1b": "bartowski/Llama-3.2-1B-Instruct-GGUF",
    "llama-3.2-3b": "bartowski/Llama-3.2-3B-Instruct-GGUF",
}
"""Whose file sizes the catalog takes."""
_IN_FRONT = {"gateway": "production.gateway", "router": "production.router", "api_port": "production.api"}

Note = tuple[str, dict[str, Any]]
"""A code with its parameters."""


@define
class Server:
    """One `vllm serve`."""

    card: int
    """Which of the floor's cards."""
    gpu: str
    model: str
    options: dict[str, str] = field(factory=dict)
    """Without its dashes -> value, "" for none; in this order."""
    role: str = ""
    """In disaggregated prefill."""
    notes: list[Note] = field(factory=list)

    def words(self) -> list[str]:
        """The command, option by option: its first line and those that follow."""
        before = [f"CUDA_VISIBLE_DEVICES={self.card}"] if "port" in self.options else []
        if self.role:
            before.append(f"VLLM_NIXL_SIDE_CHANNEL_PORT={FIRST_SIDE_CHANNEL + self.card}")
        options = [f"--{name} {shlex.quote(value)}" if value else f"--{name}" for name, value in self.options.items()]
        return [" ".join([*before, "vllm", "serve", shlex.quote(self.model)]), *options]


def servers(level: Level, layout: Layout) -> list[Server]:
    """What runs on the cards, in their order."""
    on: dict[int, list[PlacedMachine]] = {number: [] for number in range(len(level.pads))}
    for machine in layout.machines:
        number = pad_of(level.pads, machine)
        if number in on:
            on[number].append(machine)
    cores = {number: {machine.kind for machine in here} & {PREFILL, DECODE} for number, here in on.items()}
    split = any(len(kinds) == 1 for kinds in cores.values()) and sum(map(bool, cores.values())) > 1
    found: list[Server] = []
    for number, here in on.items():
        found += [_engine(level, number, machine, here) for machine in here if machine.kind == SERVER]
        if cores[number]:
            found.append(_cores(level, layout, number, here, split))
    if len(found) > 1:
        for place, server in enumerate(found):
            server.options["port"] = str(FIRST_PORT + place)
    return found


def notes(layout: Layout, found: Sequence[Server]) -> list[Note]:
    """What the commands alone do not say, each thing once."""
    told: list[Note] = [] if found else [("production.nothing", {})]
    if any(server.role for server in found):
        told.append(("production.proxy", {}))
    elif len(found) > 1:
        told.append(("production.balancer", {}))
    for server in found:
        if server.gpu in _TOO_OLD:
            told.append(("production.too_old", {"gpu": catalog.gpu(server.gpu).name}))
    for server in found:
        told += server.notes
    kinds = {machine.kind for machine in layout.machines}
    told += [(code, {}) for kind, code in _IN_FRONT.items() if kind in kinds]
    return [note for place, note in enumerate(told) if note not in told[:place]]


def proxy(found: Sequence[Server]) -> list[str]:
    """The proxy of vLLM's repository, which sends a prompt to a prefiller first, then to a decoder."""
    parts = [f"python tests/v1/kv_connector/nixl_integration/toy_proxy_server.py --port {PROXY_PORT}"]
    for role, side in _SIDES.items():
        ports = [server.options["port"] for server in found if server.role in (role, _BOTH)]
        parts.append(f"--{side}-hosts {' '.join(['localhost'] * len(ports))} --{side}-ports {' '.join(ports)}")
    return parts


# -- one server --------------------------------------------------------------------------------------------------------


def _engine(level: Level, card: int, server: PlacedMachine, here: list[PlacedMachine]) -> Server:
    """A Model Server, with what stands beside it."""
    beside = {machine.kind: machine for machine in here}
    models = level.models or [level.model]
    result = _server(level, card, models[server.settings.get("model", 0)])
    sharing = [machine.kind for machine in here].count(SERVER)
    longest, seqs = _longest(level, here), _setting(level, server, "max_num_seqs")
    tokens, chunked = _setting(level, server, "max_num_batched_tokens"), "chunker" in beside
    if chunked:
        tokens = max(min(tokens, _setting(level, beside["chunker"], "chunk_tokens")), seqs)
    elif tokens < longest:
        tokens = longest
        result.notes.append(("production.whole_prompts", {"tokens": longest}))
    _common(level, result, seqs, tokens, longest, sharing)
    result.options["enable-chunked-prefill" if chunked else "no-enable-chunked-prefill"] = ""
    _memory(level, result, beside, True)
    if "batcher" not in beside:
        result.notes.append(("production.always_joins", {}))
    if sharing > 1:
        result.notes.append(("production.shared_card", {"count": sharing}))
    return result


def _cores(level: Level, layout: Layout, card: int, here: list[PlacedMachine], split: bool) -> Server:
    """Prefill and Decode Cores of a card: one server, or one side of disaggregated prefill."""
    beside = {machine.kind: machine for machine in here}
    prefills = [machine for machine in here if machine.kind == PREFILL]
    decodes = [machine for machine in here if machine.kind == DECODE]
    result = _server(level, card, level.model)
    seqs = tokens = 0
    for core in decodes:
        seqs += _setting(level, core, "max_num_seqs")
    for core in prefills:
        tokens += _setting(level, core, "max_num_batched_tokens")
    _common(level, result, seqs, max(tokens, seqs) if tokens else 0, _longest(level, here), 1)
    _memory(level, result, beside, bool(decodes))
    if split:
        result.role = _BOTH if prefills and decodes else _PRODUCER if prefills else _CONSUMER
        config = {"kv_connector": "NixlConnector", "kv_role": result.role}
        result.options["kv-transfer-config"] = _json(config)
    _speculation(level, layout, decodes, result)
    return result


def _server(level: Level, card: int, model: str) -> Server:
    name, options, is_gguf = _published(model)
    server = Server(card, level.pads[card].gpu, name, options)
    if is_gguf:
        server.notes.append(("production.gguf", {"model": catalog.model(model).name}))
    return server


def _common(level: Level, server: Server, seqs: int, tokens: int, longest: int, sharing: int) -> None:
    server.options["max-model-len"] = str(longest)
    if seqs:
        server.options["max-num-seqs"] = str(seqs)
    if tokens:
        server.options["max-num-batched-tokens"] = str(tokens)
    server.options["gpu-memory-utilization"] = f"{level.memory_utilization / sharing:.4g}"


def _memory(level: Level, server: Server, beside: dict[str, PlacedMachine], decodes: bool) -> None:
    """How KV memory is handed out; vLLM cannot do without blocks."""
    size = DEFAULT_BLOCK_SIZE
    if "page_allocator" in beside:
        size = _setting(level, beside["page_allocator"], "block_size") or size
    elif decodes and level.kv_memory == CONTIGUOUS:
        server.notes.append(("production.always_pages", {"tokens": size}))
    server.options["block-size"] = str(size)
    server.options["enable-prefix-caching" if "prefix_cache" in beside else "no-enable-prefix-caching"] = ""


def _speculation(level: Level, layout: Layout, decodes: list[PlacedMachine], server: Server) -> None:
    """A Draft Model whose belt leads to a core of this server."""
    origins = {(core.x, core.y) for core in decodes}
    feeders = {(belt.source.x, belt.source.y) for belt in layout.belts if (belt.target.x, belt.target.y) in origins}
    for draft in layout.machines:
        if draft.kind != "draft_model" or (draft.x, draft.y) not in feeders:
            continue
        model = level.draft_models[_setting(level, draft, "model")]
        base, variant = _parts(model)
        config = {
            "method": "draft_model",
            "model": _checkpoint(base),
            "num_speculative_tokens": _setting(level, draft, "num_speculative_tokens"),
        }
        server.options["speculative-config"] = _json(config)
        if variant:
            server.notes.append(("production.draft_format", {"model": catalog.model(model).name}))


def _longest(level: Level, machines: list[PlacedMachine]) -> int:
    """The longest sequence: as it is set, as the level has it, or what the traffic brings.

    vLLM takes the model's own longest otherwise, and does not start where that does not fit into memory.
    """
    settings = [machine.settings["max_model_len"] for machine in machines if "max_model_len" in machine.settings]
    return max([*settings, level.max_model_len]) or level.offered.prompt.high + level.offered.output.high


def _setting(level: Level, machine: PlacedMachine, name: str) -> int:
    """A setting of a machine, or the level's value for it."""
    if name in machine.settings:
        return machine.settings[name]
    known = level.settings.get(machine.kind, {}).get(name)
    return 0 if known is None else known.value


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))


# -- models ------------------------------------------------------------------------------------------------------------


def _published(model: str) -> tuple[str, dict[str, str], bool]:
    """A model's name on Hugging Face, options that its format needs, and whether it is a GGUF file."""
    if model in _CHECKPOINTS:
        return _CHECKPOINTS[model], {}, False
    base, variant = _parts(model)
    if variant == "fp8":
        return _checkpoint(base), {"quantization": "fp8"}, False
    if variant in _FORMATS and base in _GGUF_REPOSITORIES:
        return f"{_GGUF_REPOSITORIES[base]}:{_FORMATS[variant]}", {"tokenizer": _checkpoint(base)}, True
    return _checkpoint(base), {}, bool(variant)


def _parts(model: str) -> tuple[str, str]:
    """A model of the catalog and its variant, "" for the weights as published."""
    known = raw("models.json")
    base = next((id for id in sorted(known, key=len, reverse=True) if f"{model}-".startswith(f"{id}-")), model)
    return base, model.removeprefix(base).removeprefix("-")


def _checkpoint(base: str) -> str:
    """A repository; of a model from a config.json, the folder that it lies in."""
    if base in _CHECKPOINTS:
        return _CHECKPOINTS[base]
    known = raw("models.json")
    return str(known[base]["config"]["source"]).split()[0] if base in known else str(Path(base).parent)
