"""`sweep`: many runs over a grid, on all cores or on a cluster."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from engine.cli.authored import HELP as AUTHORED
from engine.cli.authored import opened
from engine.cli.what_if import add_changes, assignments, names, numbers, read_layout
from engine.errors import EngineError
from engine.floor.layout import layout_to_data
from engine.level.data import level_to_data
from engine.player.whole_file import write_whole
from engine.sweep.cluster import EXTRA, run_all
from engine.sweep.grid import LAYOUT, Grid, Point
from engine.sweep.job import ERROR, Job, Row, identity
from engine.sweep.journal import Journal
from engine.sweep.journal import opened as opened_journal
from engine.sweep.pareto import COST, LABELS, LATENCIES, THROUGHPUT, front, front_rows, means, pareto_page
from engine.sweep.table import check, write
from engine.what_if.extra import package
from engine.what_if.traced import read_recorded, traced

HELP = "run a layout over a grid of settings, counts, cards and rates"
_REFERENCE = "reference"
_WIDTH = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """LEVEL, the axes of the grid, where results go and who computes."""
    parser.add_argument("level", metavar="LEVEL", help=AUTHORED)
    parser.add_argument(
        "--layout", nargs="+", metavar="FILE", help="layouts to compare (default: the level's reference)"
    )
    parser.add_argument("--trace", metavar="FILE", help="requests as they once came (see run)")
    add_changes(parser, several=True)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="each point with seeds 1 to N (default: 1)")
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="results, .parquet or .csv; runs beside it meanwhile"
    )
    parser.add_argument("--html", metavar="FILE", help="write a page with the Pareto plots as well")
    parser.add_argument(
        "--latency",
        choices=LATENCIES,
        default="ttft_p95_s",
        metavar="COLUMN",
        help="of those plots (default: ttft_p95_s)",
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler (default: all cores of this computer)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes on this computer (default: one a core)")
    parser.add_argument("--fresh", action="store_true", help="begin anew where runs of another grid are kept")


def command(parsed: argparse.Namespace) -> int:
    """Run what is not done yet, write the results, print the fronts; status 130 when interrupted."""
    out = Path(parsed.out)
    check(out)
    for name in ("distributed", "rich", *(["plotly"] if parsed.html else [])):
        package(name, EXTRA)
    if parsed.workers is not None and not 1 <= parsed.workers <= 1024:
        raise EngineError("what_if.setting", text=f"--workers {parsed.workers}")
    grid = _grid(parsed)
    points = grid.points()
    job = _job(parsed)
    mark = identity(job, grid)
    with opened_journal(out, mark, len(points), parsed.fresh) as journal:
        left = [point for point in points if point.number not in journal.rows]
        try:
            if left:
                _run(job, left, journal, parsed)
        except KeyboardInterrupt:
            print(f"{len(journal.rows):,} of {len(points):,} runs are kept; the same command goes on", file=sys.stderr)
            return 130
        rows = [journal.rows[point.number] for point in points]
    write(rows, out, mark)
    found = means(rows, grid, parsed.latency)
    if parsed.html is not None:
        title = f"Sweep of {parsed.level}" + (f" under {Path(parsed.trace).name}" if parsed.trace else "")
        write_whole(Path(parsed.html), pareto_page(title, found, parsed.latency).encode())
    _show(rows, grid, out, parsed.latency)
    return 0


def _grid(parsed: argparse.Namespace) -> Grid:
    axes: dict[str, list[Any]] = {}
    if parsed.layout is not None and len(parsed.layout) > 1:
        axes[LAYOUT] = list(parsed.layout)
    axes |= assignments(parsed.set)
    axes |= {f"count.{kind}": values for kind, values in assignments(parsed.count, counts=True).items()}
    for name in ("gpu", "model", "link"):
        if getattr(parsed, name) is not None:
            axes[name] = names(getattr(parsed, name))
    if parsed.rate is not None:
        axes["rate"] = numbers("--rate", parsed.rate)
    for name, values in axes.items():
        if len(set(values)) != len(values):
            raise EngineError("what_if.setting", text=f"{name}={','.join(map(str, values))}"[:80])
    return Grid(axes, parsed.seeds)


def _job(parsed: argparse.Namespace) -> Job:
    with opened(parsed.level) as (level, _):
        if parsed.trace is not None:
            level = traced(level, read_recorded(Path(parsed.trace)))
        elif level.hooks:
            raise EngineError("own.hooks")
        layouts = {name: layout_to_data(read_layout(Path(name))) for name in parsed.layout or []}
        return Job(
            json.dumps(level_to_data(level)),
            json.dumps(layouts or {_REFERENCE: level.reference}),
            parsed.trace is not None,
        )


def _run(job: Job, points: list[Point], journal: Journal, parsed: argparse.Namespace) -> None:
    """Run with a bar on the error output."""
    progress = package("rich.progress", EXTRA)
    console = package("rich.console", EXTRA).Console(stderr=True)
    columns = (
        progress.TextColumn("{task.completed:,} of {task.total:,} runs"),
        progress.BarColumn(bar_width=None),
        progress.TimeElapsedColumn(),
        progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
    )
    kept = len(journal.rows)
    with progress.Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=kept + len(points), completed=kept)

        def done(point: Point, row: Row) -> None:
            journal.add(point.number, row)
            bar.advance(task)

        run_all(job, points, done, parsed.scheduler, parsed.workers)


def _show(rows: list[Row], grid: Grid, out: Path, latency: str) -> None:
    """The points that are not beaten."""
    console = package("rich.console", EXTRA).Console(
        width=None if sys.stdout.isatty() else _WIDTH, markup=False, highlight=False, emoji=False
    )
    text, tables = package("rich.text", EXTRA).Text, package("rich.table", EXTRA)
    failed = [row for row in rows if row[ERROR]]
    console.print(f"{len(rows):,} runs in {out}", style="bold")
    if failed:
        console.print(f"{len(failed):,} of them impossible, the first: {failed[0][ERROR]}")
    found = means(rows, grid, latency)
    for price in ("latency", "cost"):
        drawn = tables.Table(title=f"not beaten in throughput and {price}", title_justify="left", box=None)
        for place, name in enumerate(("", LABELS[THROUGHPUT], latency, LABELS[COST])):
            drawn.add_column(text(name), justify="right" if place else "left")
        for row in front_rows(front(found, price)):
            drawn.add_row(*(text(cell) for cell in row))
        console.print(drawn)
