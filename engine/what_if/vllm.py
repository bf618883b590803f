"""A layout as `vllm serve` commands: what an engineer would start to have the same in truth.

The names of the options were read in the argument parsers of vLLM 0.33.0, the newest version of December 2026, and of
0.19.0, which served the measured runs; the two agree in all that is used here. What a layout does and vLLM cannot is
said in comments.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from attrs import define, field

from engine import catalog
from engine.catalog.read import raw
from engine.floor.layout import Layout, PlacedMachine
from engine.level.spec import Level
from engine.what_if.counts import pad_of

VERSION = "0.33.0"
ALSO = "0.19.0"
FIRST_PORT, SIDE_CHANNEL, PROXY_PORT = 8000, 5600, 8192
QUANTIZED = {"llama-3.1-8b-w4a16": "RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16"}
_BOTH, _PRODUCER, _CONSUMER = "kv_both", "kv_producer", "kv_consumer"


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
    notes: list[str] = field(factory=list)

    def lines(self, port: int) -> list[str]:
        """The command, with what has to be said of it before."""
        environment = [f"CUDA_VISIBLE_DEVICES={self.card}"]
        if self.role:
            environment.append(f"VLLM_NIXL_SIDE_CHANNEL_PORT={SIDE_CHANNEL + self.card}")
        words = [*environment, "vllm", "serve", shlex.quote(self.model)]
        parts = [" ".join(words), f"--port {port}"]
        parts += [f"--{name} {shlex.quote(value)}" if value else f"--{name}" for name, value in self.options.items()]
        notes = [f"# {note}" for note in self.notes]
        return [f"# card {self.card}: {self.gpu}", *notes, " \\\n  ".join(parts)]


def commands(level: Level, layout: Layout) -> list[str]:
    """The commands, a text of one or more lines each, comments between them."""
    found = servers(level, layout)
    lines = [f"# vLLM {VERSION} (the options are the same in {ALSO})"]
    for number, server in enumerate(found):
        lines += server.lines(FIRST_PORT + number)
    if not found:
        lines.append("# no card of this layout serves a model")
    roles = {server.role for server in found}
    if roles >= {_PRODUCER, _CONSUMER}:
        lines += _proxy(found)
    elif len(found) > 1:
        lines.append("# a load balancer in front of these servers takes the place of the Prompt Docks")
    lines += _beside(layout)
    return lines


def servers(level: Level, layout: Layout) -> list[Server]:
    """What runs on the cards, in their order."""
    on: dict[int, list[PlacedMachine]] = {number: [] for number in range(len(level.pads))}
    for machine in layout.machines:
        number = pad_of(level.pads, machine)
        if number in on:
            on[number].append(machine)
    kinds = {number: {machine.kind for machine in machines} for number, machines in on.items()}
    cores = [here & {"prefill_core", "decode_core"} for here in kinds.values()]
    split = {"prefill_core"} in cores and any("decode_core" in here for here in cores)
    found: list[Server] = []
    for number, machines in on.items():
        for machine in machines:
            if machine.kind == "model_server":
                found.append(_engine(level, number, machine, machines))
        if kinds[number] & {"prefill_core", "decode_core"}:
            found.append(_cores(level, layout, number, machines, split))
    return found


# -- one server --------------------------------------------------------------------------------------------------------


def _engine(level: Level, card: int, server: PlacedMachine, here: list[PlacedMachine]) -> Server:
    """A Model Server, with what stands beside it."""
    beside = {machine.kind: machine for machine in here}
    models = level.models or [level.model]
    result = _server(level, card, models[server.settings.get("model", 0)])
    sharing = sum(machine.kind == "model_server" for machine in here)
    longest = max_model_len(level, here)
    tokens = _setting(level, server, "max_num_batched_tokens")
    seqs = _setting(level, server, "max_num_seqs")
    chunked = "chunker" in beside
    if chunked:
        tokens = min(tokens, _setting(level, beside["chunker"], "chunk_tokens"))
    elif tokens < longest:
        tokens = longest
        result.notes.append(
            "vLLM wants so many batched tokens where it may not cut prompts: those of the longest sequence"
        )
    _common(level, result, seqs, max(tokens, seqs), longest, sharing)
    result.options["enable-chunked-prefill" if chunked else "no-enable-chunked-prefill"] = ""
    _memory(level, result, beside)
    if "batcher" not in beside:
        result.notes.append(
            "without a Batcher: static batches, which vLLM does not have; it always joins between steps"
        )
    if sharing > 1:
        result.notes.append(f"{sharing} servers share this card, each with its part of the memory")
    return result


def _cores(level: Level, layout: Layout, card: int, here: list[PlacedMachine], split: bool) -> Server:
    """Prefill and Decode Cores of a card: one server, or one side of disaggregated prefill."""
    beside = {machine.kind: machine for machine in here}
    prefills = [machine for machine in here if machine.kind == "prefill_core"]
    decodes = [machine for machine in here if machine.kind == "decode_core"]
    result = _server(level, card, level.model)
    seqs = sum(_setting(level, core, "max_num_seqs") for core in decodes)
    tokens = max((_setting(level, core, "max_num_batched_tokens") for core in prefills), default=0)
    _common(level, result, seqs, max(tokens, seqs) if tokens else 0, max_model_len(level, here), 1)
    _memory(level, result, beside)
    if split:
        result.role = _BOTH if prefills and decodes else _PRODUCER if prefills else _CONSUMER
        config = {"kv_connector": "NixlConnector", "kv_role": result.role}
        result.options["kv-transfer-config"] = json.dumps(config)
    elif prefills and decodes:
        result.notes.append("its cores take turns; vLLM puts chunks of prompts and decodes into one step")
    if len(decodes) > 1:
        result.notes.append(f"{len(decodes)} Decode Cores share this card: one server with all their sequences")
    _speculation(level, layout, decodes, result)
    return result


def _server(level: Level, card: int, model: str) -> Server:
    name, options, note = published(model)
    server = Server(card, level.pads[card].gpu, name, options)
    if note:
        server.notes.append(note)
    return server


def _common(level: Level, server: Server, seqs: int, tokens: int, longest: int, sharing: int) -> None:
    if seqs:
        server.options["max-num-seqs"] = str(seqs)
    if tokens:
        server.options["max-num-batched-tokens"] = str(tokens)
    server.options["gpu-memory-utilization"] = f"{level.memory_utilization / sharing:.4g}"
    server.options["max-model-len"] = str(longest)


def _memory(level: Level, server: Server, beside: dict[str, PlacedMachine]) -> None:
    """How KV memory is handed out."""
    if "page_allocator" in beside:
        server.options["block-size"] = str(_setting(level, beside["page_allocator"], "block_size"))
    else:
        server.notes.append("without a Page Allocator: reservations, which vLLM does not have; it always pages")
    server.options["enable-prefix-caching" if "prefix_cache" in beside else "no-enable-prefix-caching"] = ""


def _speculation(level: Level, layout: Layout, decodes: list[PlacedMachine], server: Server) -> None:
    """A Draft Model whose belt leads to a core of this server."""
    origins = {(core.x, core.y) for core in decodes}
    for draft in layout.machines:
        feeds = any(
            (belt.source.x, belt.source.y) == (draft.x, draft.y) and (belt.target.x, belt.target.y) in origins
            for belt in layout.belts
        )
        if draft.kind != "draft_model" or not feeds:
            continue
        name, _, note = published(level.draft_models[_setting(level, draft, "model")])
        config = {
            "method": "draft_model",
            "model": name,
            "num_speculative_tokens": _setting(level, draft, "num_speculative_tokens"),
        }
        server.options["speculative-config"] = json.dumps(config)
        if note:
            server.notes.append(f"draft: {note}")


# -- all of them -------------------------------------------------------------------------------------------------------


def _proxy(found: list[Server]) -> list[str]:
    """The proxy of vLLM's repository, which sends a prompt to a prefiller first, then to a decoder."""
    ports = {role: [str(FIRST_PORT + n) for n, server in enumerate(found) if server.role == role] for role in _SIDES}
    parts = [f"python tests/v1/kv_connector/nixl_integration/toy_proxy_server.py --port {PROXY_PORT}"]
    for role, side in _SIDES.items():
        hosts = " ".join(["localhost"] * len(ports[role]))
        parts.append(f"--{side}-hosts {hosts} --{side}-ports {' '.join(ports[role])}")
    return [
        "# disaggregated prefill over NIXL (uv pip install nixl); the proxy is in vLLM's repository",
        " \\\n  ".join(parts),
    ]


_SIDES = {_PRODUCER: "prefiller", _CONSUMER: "decoder"}


def _beside(layout: Layout) -> list[str]:
    """What stands in front of the servers and is no part of vLLM."""
    kinds = {machine.kind for machine in layout.machines}
    told = {
        "gateway": "quotas and priorities of the Gateway belong to an API gateway in front of the servers "
        "(vLLM itself: --scheduling-policy priority, and a priority in each request)",
        "router": "the Router's policy belongs to a router in front of the servers",
        "api_port": "the API Port is a provider's endpoint, not a server of yours",
    }
    return [f"# {text}" for kind, text in told.items() if kind in kinds]


def max_model_len(level: Level, machines: list[PlacedMachine]) -> int:
    """The longest sequence: as it is set, as the level has it, or what the traffic brings.

    vLLM takes the model's own longest otherwise, and does not start where that does not fit into memory.
    """
    for machine in machines:
        if "max_model_len" in machine.settings:
            return machine.settings["max_model_len"]
    return level.max_model_len or level.offered.prompt.high + level.offered.output.high


def _setting(level: Level, machine: PlacedMachine, name: str) -> int:
    """A setting of a machine, or the level's value for it."""
    return machine.settings.get(name, level.settings[machine.kind][name].value)


def published(model: str) -> tuple[str, dict[str, str], str]:
    """A model's name on Hugging Face, options that its format needs, and what has to be said of it."""
    known = raw("models.json")
    if model in QUANTIZED:
        return QUANTIZED[model], {}, ""
    base = next((id for id in sorted(known, key=len, reverse=True) if model == id or model.startswith(f"{id}-")), "")
    if not base:
        return str(Path(model).parent), {}, ""  # a config.json lies beside the weights
    name = str(known[base]["config"]["source"]).split()[0]
    variant = model.removeprefix(base).removeprefix("-")
    if variant == "fp8":
        return name, {"quantization": "fp8"}, ""
    if variant and variant != "fp16":
        text = (
            f"{catalog.model(model).name} is a GGUF file, which vLLM {VERSION} does not read; these are 16-bit weights"
        )
        return name, {}, text
    return name, {}, ""
