"""GPUs, models and links as data (`data/*.json`), each figure with its source and date, checked against a schema."""

from engine.catalog.gpu import Gpu
from engine.catalog.link import Link
from engine.catalog.model import Model
from engine.catalog.read import gpu, gpus, link, links, model, models

__all__ = ["Gpu", "Link", "Model", "gpu", "gpus", "link", "links", "model", "models"]
