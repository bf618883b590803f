"""Reading the catalog: JSON checked against the schema, once per process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from cattrs import Converter

from engine.catalog.gpu import Gpu, GpuFigures
from engine.catalog.link import Link, LinkFigures
from engine.catalog.model import Model, ModelFigures
from engine.errors import EngineError

_T = TypeVar("_T")
_DATA = Path(__file__).parent / "data"
_CONVERTER = Converter(forbid_extra_keys=True)


def _entries(file: str, schema: type[_T]) -> dict[str, _T]:
    raw: dict[str, Any] = json.loads((_DATA / file).read_text(encoding="utf-8"))
    return {id: _CONVERTER.structure(entry, schema) for id, entry in raw.items()}


@cache
def gpus() -> Mapping[str, Gpu]:
    """All cards by id."""
    return {id: Gpu.of(id, figures) for id, figures in _entries("gpus.json", GpuFigures).items()}


@cache
def models() -> Mapping[str, Model]:
    """All models by id."""
    return {id: Model.of(id, figures) for id, figures in _entries("models.json", ModelFigures).items()}


@cache
def links() -> Mapping[str, Link]:
    """All links by id."""
    return {id: Link.of(id, figures) for id, figures in _entries("links.json", LinkFigures).items()}


def _pick(of: Mapping[str, _T], code: str, id: str) -> _T:
    if id not in of:
        raise EngineError(code, id=id, known=", ".join(sorted(of)))
    return of[id]


def gpu(id: str) -> Gpu:
    """The card `id`; EngineError `catalog.gpu` if there is none."""
    return _pick(gpus(), "catalog.gpu", id)


def model(id: str) -> Model:
    """The model `id`; EngineError `catalog.model` if there is none."""
    return _pick(models(), "catalog.model", id)


def link(id: str) -> Link:
    """The link `id`; EngineError `catalog.link` if there is none."""
    return _pick(links(), "catalog.link", id)
