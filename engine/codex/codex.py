"""The codex as the view is told it."""

from __future__ import annotations

from typing import Any

from engine.catalog.read import raw
from engine.codex.distances import DISTANCES
from engine.codex.figures import figure
from engine.codex.pages import PAGES, Page
from engine.errors import EngineError
from engine.simulation import Simulation


def codex(simulation: Simulation) -> dict[str, Any]:
    """All pages: {pages: [{id, title, group, here}]}; `here`: whether this level has anything of it."""
    return {
        "pages": [
            {"id": page.id, "title": f"codex.{page.id}", "group": page.group, "here": _here(page, simulation)}
            for page in PAGES.values()
        ]
    }


def codex_page(simulation: Simulation, id: str) -> dict[str, Any]:
    """A page with the live numbers of this factory."""
    if id not in PAGES:
        raise EngineError("codex.unknown", id=id[:40])
    page = PAGES[id]
    code = f"codex.{id}"
    return {
        "id": id,
        "title": code,
        "group": page.group,
        "here": _here(page, simulation),
        "texts": [f"{code}.what", f"{code}.rule"],
        "equation": page.equation,
        "legend": f"{code}.legend" if page.equation else None,
        "values": [figure(simulation, name) for name in page.figures],
        "counterparts": [
            {"system": system, "names": names}
            for system, names in (("vLLM", page.vllm), ("TensorRT-LLM", page.tensorrt_llm))
            if names
        ],
        "fidelity": [_distance(name) for name in page.distances] + _assumed(page, simulation),
        "see": page.see,
    }


def _here(page: Page, simulation: Simulation) -> bool:
    return not page.needs or page.needs in simulation.level.allowed


def _distance(name: str) -> dict[str, Any]:
    numbers = DISTANCES[name].numbers
    values = {key: {"value": value, "unit": f"unit.{unit}"} for key, (value, unit) in numbers.items()}
    return {"code": f"distance.{name}", "params": {}, "values": values}


def _assumed(page: Page, simulation: Simulation) -> list[dict[str, Any]]:
    """That nobody measured the cards of this level, where a page speaks of steps."""
    if not {"prefill", "decode"} & set(page.distances):
        return []
    known, found = raw("gpus.json"), []
    for gpu in {pad.gpu.id: pad.gpu for pad in simulation.floor.pads.values()}.values():
        if known[gpu.id]["bandwidth_efficiency"]["source"].startswith("assumed"):
            found.append({"code": "distance.assumed", "params": {"gpu": gpu.name}, "values": {}})
    return found
