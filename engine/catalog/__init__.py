"""GPUs, models, links, hosts and prices as data (`data/*.json`), each figure with its source and date, checked against
a schema.
"""

from engine.catalog.costs import Costs
from engine.catalog.gpu import Gpu
from engine.catalog.host import Host
from engine.catalog.link import Link
from engine.catalog.model import Model
from engine.catalog.read import costs, gpu, gpus, host, hosts, link, links, model, models

__all__ = [
    "Costs",
    "Gpu",
    "Host",
    "Link",
    "Model",
    "costs",
    "gpu",
    "gpus",
    "host",
    "hosts",
    "link",
    "links",
    "model",
    "models",
]
