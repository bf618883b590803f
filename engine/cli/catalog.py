"""`catalog`: what the engine knows of cards, models, links, hosts and prices, and where it has it from."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from attrs import asdict

from engine import catalog
from engine.catalog.equation import equations
from engine.catalog.read import model_shape, raw
from engine.errors import EngineError
from engine.physics.kv_cache import kv_bytes_per_token

HELP = "print the catalog, with the source of each figure"
KINDS = ("gpus", "models", "benchmarks", "links", "hosts", "apis", "places", "costs")

_PICK: dict[str, Callable[[str], Any]] = {
    "gpus": catalog.gpu,
    "benchmarks": catalog.benchmark,
    "links": catalog.link,
    "hosts": catalog.host,
    "apis": catalog.api,
    "places": catalog.place,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """KIND, ID and the options."""
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"one of {', '.join(KINDS)} (default: all, in brief)")
    parser.add_argument("id", nargs="?", metavar="ID", help="one entry; for models also the path of a config.json")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Print all, a kind or one entry."""
    if parsed.kind is None:
        print(json.dumps({kind: _all(kind) for kind in KINDS}, indent=2) if parsed.json else _brief())
        return 0
    kind = parsed.kind if parsed.kind.endswith("s") else parsed.kind + "s"
    if kind not in KINDS:
        raise EngineError("catalog.kind", kind=parsed.kind, known=", ".join(KINDS))
    if parsed.id is None:
        found = _all(kind)
        print(json.dumps(found, indent=2) if parsed.json else "\n".join(_sourced(kind, found)))
    else:
        entry = _entry(kind, parsed.id)
        print(json.dumps(entry, indent=2) if parsed.json else "\n".join([parsed.id, *_sourced("", entry)]))
    return 0


def _all(kind: str) -> dict[str, Any]:
    if kind == "models":
        return {id: _entry(kind, id) for id in catalog.models()}
    return raw(f"{kind}.json")


def _entry(kind: str, id: str) -> dict[str, Any]:
    """An entry as it lies in the catalog, and for a model what follows from its shape."""
    if kind == "models":
        model, shape = catalog.model(id), model_shape(id)
        return {
            "name": model.name,
            **_model_sources(id),
            "equations": equations(model, shape),
            "parameters": model.parameters,
            "weight_bytes": model.weight_bytes,
            "weight_bytes_read": model.weight_bytes_read,
            "kv_bytes_per_token": kv_bytes_per_token(model),
            "shape": asdict(shape),
        }
    if kind in _PICK:
        _PICK[kind](id)
    found = raw(f"{kind}.json")
    if id not in found:
        raise EngineError("catalog.kind", kind=id, known=", ".join(found))
    entry: dict[str, Any] = found[id]
    return entry


def _model_sources(id: str) -> dict[str, Any]:
    if id.endswith(".json"):
        return {"source": id}
    entries = raw("models.json")
    base = max((name for name in entries if id == name or id.startswith(f"{name}-")), key=len)
    config = entries[base]["config"]
    found: dict[str, Any] = {"source": config["source"], "date": config["date"]}
    if id != base:
        variant = entries[base]["variants"][id.removeprefix(f"{base}-")]
        found.update({name: figure for name, figure in variant.items() if name != "name"})
    return found


def _brief() -> str:
    lines = ["gpus"]
    for id, gpu in catalog.gpus().items():
        lines.append(
            f"  {id:22}{gpu.vram_bytes / 2**30:7.1f} GiB {gpu.bandwidth_bytes_per_s / 1e9:7.0f} GB/s "
            f"{gpu.flops / 1e12:7.1f} TFLOPS {gpu.peak_watts:5.0f} W  ${gpu.rent_usd_per_hour:.2f}/h"
        )
    lines.append("models")
    for id, model in catalog.models().items():
        lines.append(
            f"  {id:22}{model.parameters / 1e9:7.2f} B {model.weight_bytes / 1e9:9.2f} GB "
            f"{kv_bytes_per_token(model) / 1024:8.4g} KiB of KV per token"
        )
    lines.append("links")
    for id, link in catalog.links().items():
        lines.append(f"  {id:22}{link.bytes_per_s / 1e9:7.4g} GB/s {link.latency_s * 1e6:5.0f} us")
    lines.append("hosts")
    for id, host in catalog.hosts().items():
        lines.append(f"  {id:22}{host.name}")
    lines.append("benchmarks")
    for id, benchmark in catalog.benchmarks().items():
        best = ", ".join(f"{model} {figure.value:g}" for model, figure in benchmark.models.items())
        lines.append(f"  {id:22}{benchmark.asks}: {best}")
    lines.append("apis")
    for id, api in catalog.apis().items():
        lines.append(
            f"  {id:22}${api.nusd_per_token_in / 1e3:.2f} in, ${api.nusd_per_token_out / 1e3:.2f} out per million, "
            f"first after {api.ttft_ps / 1e12:.2f} s"
        )
    lines.append("places")
    for id, place in catalog.places().items():
        lines.append(f"  {id:22}${place.usd_per_kwh:.4f} per kWh")
    return "\n".join([*lines, "", "With a kind, and perhaps an id: every figure with its source."])


def _sourced(name: str, data: Any, depth: int = 0) -> list[str]:
    """A line per figure: name, value, source, date."""
    indent = "  " * depth
    if not isinstance(data, dict):
        return [f"{indent}{name}: {data}"]
    if "value" in data:
        return [f"{indent}{name}: {data['value']}  [{data['source']}, {data['date']}]"]
    lines = [f"{indent}{name}"] if name else []
    for key, value in data.items():
        lines += _sourced(key, value, depth + 1)
    return lines
