"""Results as a table: a row a run, in the order of the grid."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from engine.errors import EngineError
from engine.player.whole_file import write_whole
from engine.sweep.cluster import EXTRA
from engine.sweep.job import Row
from engine.what_if.extra import package

FORMATS = (".csv", ".parquet")


def check(path: Path) -> None:
    """EngineError where results cannot be written so."""
    if path.suffix not in FORMATS:
        raise EngineError("sweep.result", path=path.name)
    if path.suffix == ".parquet":
        package("pyarrow.parquet", EXTRA)


def write(rows: Sequence[Row], path: Path, identity: str) -> None:
    """Write all rows, whole or not at all."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    write_whole(path, _csv(rows, columns) if path.suffix == ".csv" else _parquet(rows, columns, identity))


def _csv(rows: Sequence[Row], columns: list[str]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _parquet(rows: Sequence[Row], columns: list[str], identity: str) -> bytes:
    pyarrow, parquet = package("pyarrow", EXTRA), package("pyarrow.parquet", EXTRA)
    table = pyarrow.table({name: [row.get(name) for row in rows] for name in columns})
    content = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({"token_factory.sweep": identity}), content)
    return content.getvalue()
