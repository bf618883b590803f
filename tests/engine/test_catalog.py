"""Every figure of the catalog has a source and a date."""

import json
from pathlib import Path
from typing import Any

import pytest
from cattrs import Converter

from engine import catalog
from engine.catalog import read
from engine.catalog.gpu import GpuFigures
from engine.errors import EngineError

DATA = Path(read.__file__).parent / "data"


def figures(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict):
        if "value" in data:
            return [data]
        return [figure for value in data.values() for figure in figures(value)]
    return []


@pytest.mark.parametrize("file", sorted(path.name for path in DATA.glob("*.json")))
def test_each_figure_has_a_source_and_a_date(file: str) -> None:
    found = figures(json.loads((DATA / file).read_text()))
    assert found
    for figure in found:
        assert set(figure) == {"value", "source", "date"}
        assert len(figure["source"]) > 10


@pytest.mark.parametrize(
    "broken",
    [
        {"source": ""},
        {"date": "last week"},
        {"value": -1},
        {"value": "many"},
        {"gain": 0.4},
    ],
)
def test_the_schema_refuses_a_figure_without_provenance(broken: dict[str, Any]) -> None:
    entry = json.loads((DATA / "gpus.json").read_text())["l4"]
    entry["watts"].update(broken)
    with pytest.raises(Exception, match=r"."):
        Converter(forbid_extra_keys=True).structure(entry, GpuFigures)


@pytest.mark.parametrize("pick", [catalog.gpu, catalog.model, catalog.link])
def test_an_unknown_name_is_refused_with_the_known_ones(pick: Any) -> None:
    with pytest.raises(EngineError) as refused:
        pick("abacus")
    assert refused.value.code.startswith("catalog.")
    assert refused.value.params["known"]
