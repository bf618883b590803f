"""GPUs, models and their quality, links, hosts, offers and prices as data (`data/*.json`), each figure with its source
and date, checked against a schema.
"""

from engine.catalog.api import Api
from engine.catalog.benchmark import Benchmark
from engine.catalog.costs import Costs
from engine.catalog.gpu import Gpu
from engine.catalog.host import Host
from engine.catalog.link import Link
from engine.catalog.model import Model
from engine.catalog.place import Place
from engine.catalog.read import (
    api,
    apis,
    benchmark,
    benchmarks,
    called,
    costs,
    gpu,
    gpus,
    host,
    hosts,
    link,
    links,
    model,
    models,
    place,
    places,
)

__all__ = [
    "Api",
    "Benchmark",
    "Costs",
    "Gpu",
    "Host",
    "Link",
    "Model",
    "Place",
    "api",
    "apis",
    "benchmark",
    "benchmarks",
    "called",
    "costs",
    "gpu",
    "gpus",
    "host",
    "hosts",
    "link",
    "links",
    "model",
    "models",
    "place",
    "places",
]
