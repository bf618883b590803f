"""Reading the catalog: JSON checked against the schema, once per process."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from cattrs import Converter

from engine.catalog.api import Api, ApiFigures
from engine.catalog.benchmark import Benchmark
from engine.catalog.config import read_config, shape_of
from engine.catalog.costs import CostFigures, Costs
from engine.catalog.gpu import Gpu, GpuFigures
from engine.catalog.host import Host, HostFigures
from engine.catalog.link import Link, LinkFigures
from engine.catalog.model import Model, ModelFigures
from engine.catalog.place import Place, PlaceFigures
from engine.catalog.shape import Shape
from engine.errors import EngineError

_T = TypeVar("_T")
_DATA = Path(__file__).parent / "data"
_CONVERTER = Converter(forbid_extra_keys=True)
DEFAULT_HOST = "vllm-0.19"


def raw(file: str) -> dict[str, Any]:
    """A file of the catalog as it lies there."""
    found: dict[str, Any] = json.loads((_DATA / file).read_text(encoding="utf-8"))
    return found


def _entries(file: str, schema: type[_T]) -> dict[str, _T]:
    return {id: _CONVERTER.structure(entry, schema) for id, entry in raw(file).items()}


@cache
def costs() -> Costs:
    """Power and money that are the same for all cards."""
    return Costs.of(_CONVERTER.structure(raw("costs.json"), CostFigures))


@cache
def hosts() -> Mapping[str, Host]:
    """All hosts (serving software) by id."""
    return {id: Host.of(id, figures) for id, figures in _entries("hosts.json", HostFigures).items()}


@cache
def gpus() -> Mapping[str, Gpu]:
    """All cards by id, served by vLLM."""
    host = hosts()[DEFAULT_HOST]
    return {id: Gpu.of(id, figures, host, costs()) for id, figures in _entries("gpus.json", GpuFigures).items()}


@cache
def models() -> Mapping[str, Model]:
    """All models by id; a variant's is the model's with the variant's name behind it."""
    found: dict[str, Model] = {}
    for id, figures in _entries("models.json", ModelFigures).items():
        found[id] = Model.of(id, figures)
        for suffix, variant in figures.variants.items():
            found[f"{id}-{suffix}"] = Model.of_variant(f"{id}-{suffix}", figures, variant)
    return found


@cache
def links() -> Mapping[str, Link]:
    """All links by id."""
    return {id: Link.of(id, figures) for id, figures in _entries("links.json", LinkFigures).items()}


@cache
def apis() -> Mapping[str, Api]:
    """All offers by the token by id."""
    return {id: Api.of(id, figures) for id, figures in _entries("apis.json", ApiFigures).items()}


@cache
def places() -> Mapping[str, Place]:
    """All places by id."""
    return {id: Place.of(id, figures) for id, figures in _entries("places.json", PlaceFigures).items()}


@cache
def benchmarks() -> Mapping[str, Benchmark]:
    """All benchmarks by id."""
    return _entries("benchmarks.json", Benchmark)


def _pick(of: Mapping[str, _T], code: str, id: str) -> _T:
    if id not in of:
        raise EngineError(code, id=id, known=", ".join(sorted(of)))
    return of[id]


def gpu(id: str) -> Gpu:
    """The card `id`; EngineError `catalog.gpu` if there is none."""
    return _pick(gpus(), "catalog.gpu", id)


def model(id: str) -> Model:
    """The model `id`, or the one that a Hugging Face `config.json` at this path describes.

    EngineError `catalog.model` if there is none, `catalog.config_*` if the file cannot be used.
    """
    if id.endswith(".json"):
        found = read_config(Path(id))
        return Model.of_shape(id, id, found, found.bytes_per_weight)
    return _pick(models(), "catalog.model", id)


def called(ids: Iterable[str]) -> list[str]:
    """Ids of models by the models' names; whatever else it is stays as it is."""
    known = models()
    return [known[id].name if id in known else id for id in ids]


def model_shape(id: str) -> Shape:
    """The shape of the model `id` (a variant has that of its model), or of the one in a `config.json`."""
    if id.endswith(".json"):
        return read_config(Path(id))
    model(id)
    entries = raw("models.json")
    base = max((name for name in entries if id == name or id.startswith(f"{name}-")), key=len)
    return shape_of(entries[base]["config"]["values"], id)


def link(id: str) -> Link:
    """The link `id`; EngineError `catalog.link` if there is none."""
    return _pick(links(), "catalog.link", id)


def host(id: str) -> Host:
    """The host `id`; EngineError `catalog.host` if there is none."""
    return _pick(hosts(), "catalog.host", id)


def api(id: str) -> Api:
    """The offer `id`; EngineError `catalog.api` if there is none."""
    return _pick(apis(), "catalog.api", id)


def place(id: str) -> Place:
    """The place `id`; EngineError `catalog.place` if there is none."""
    return _pick(places(), "catalog.place", id)


def benchmark(id: str) -> Benchmark:
    """The benchmark `id`; EngineError `catalog.benchmark` if there is none."""
    return _pick(benchmarks(), "catalog.benchmark", id)
