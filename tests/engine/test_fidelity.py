"""`docs/fidelity.md` is computed, complete, and honest about what it was made with."""

import re
from pathlib import Path

import numpy as np
import pytest

from engine.cli.main import main
from engine.fidelity import data, kernels, memory, served, simplified, speculation
from engine.fidelity.page import PAGE, SECTIONS, files, page, unavailable
from engine.fidelity.table import Section
from tests.measured import measured

AGAIN = "the engine computes other numbers now: python -m engine fidelity --write"
COMMITTED = PAGE.read_text("utf-8")


def section(id: str) -> Section:
    (found,) = (section for section in SECTIONS if section.id == id)
    return found


def with_data(*names: str) -> None:
    """Skip the test, saying so, where measured data is not here."""
    for name in names:
        measured(name)


def table(text: str) -> list[list[str]]:
    """The cells of the rows below the header."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def committed(id: str) -> str:
    """A section of the committed page."""
    start = COMMITTED.index(f"## {section(id).title}\n")
    return COMMITTED[start : COMMITTED.index("\n## ", start)]


@pytest.mark.parametrize("id", [section.id for section in SECTIONS])
def test_the_committed_page_has_every_section_with_all_its_cells_and_its_command(id: str) -> None:
    text = committed(id)
    rows = table(text)
    assert rows
    for row in rows:
        assert len(row) == len(section(id).header)
        assert all(row[1:]), row
    assert f"`python -m engine fidelity --only {id}`" in text


def test_the_committed_page_says_with_what_data_it_was_made() -> None:
    made_with = COMMITTED[COMMITTED.index("## Made with") :]
    named = dict(re.findall(r"- `(\S+)` \(SHA-256 ([0-9a-f]{12})\.\.\.\)", made_with))
    assert list(named) == files()
    for name in files():
        with_data(name)
        assert data.fingerprint(name) == named[name]


@pytest.mark.parametrize(
    "named", ["cards", "kv", "rest", "capacity", "streams", "speculation", "batches", "chunks", "servers"]
)
def test_a_section_of_the_committed_page_comes_out_again(named: str) -> None:
    with_data(*section(named).data)
    assert section(named).markdown().rstrip() == committed(named).rstrip(), AGAIN


def test_the_errors_of_a_measured_run_come_out_again() -> None:
    run = served.RUNS[1]
    with_data(run.file, run.meta)
    found = served.errors(run)
    rows = {row[0]: row for row in table(committed("served"))}
    assert rows["E2E p99"][4] == f"{found['e2e']['p99']['error_pct']:+.1f} %"
    assert rows["Throughput"][4] == f"{found['throughput']['error_pct']:+.1f} %"
    assert abs(found["throughput"]["error_pct"]) < 2


def test_errors_are_those_of_the_catalogs_constants() -> None:
    with_data(kernels.ITERATIONS)
    fitted = np.abs(kernels.iteration_errors("decode", None)).mean()
    datasheet = np.abs(kernels.iteration_errors("decode", None, fitted=False)).mean()
    assert fitted < 0.06 < datasheet


@pytest.mark.parametrize(
    "said",
    [
        "Packets are drawn slower",
        "0.1 ms a tile",
        "Level 1's L4",
        "Level 2's GeForce GTX 1050 3GB",
        "Level 3 accepts .8",
        "Without a Prefix Cache only",
        "no jitter",
        "contention there is left out",
        "Level 1 reserves a sequence's true length",
    ],
)
def test_simplifications_are_named(said: str) -> None:
    assert said in COMMITTED


def test_the_numbers_behind_the_words() -> None:
    assert memory.exact_models() == len(memory.KIB_PER_TOKEN) >= 12
    assert speculation.best_agrees() == len(speculation.BEST)
    assert simplified.evenness([0, 1, 2, 3]) == 0
    assert simplified.evenness(np.cumsum(np.random.default_rng(1).exponential(size=20_000))) == pytest.approx(
        1, abs=0.03
    )


def test_without_data_it_says_what_it_cannot_compute_and_leaves_the_page_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKEN_FACTORY_DATA", str(tmp_path))
    assert main(["fidelity", "--write"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    for title, names in unavailable().items():
        assert f"cannot compute '{title}': no {', '.join(names)}" in printed.err
    assert PAGE.read_text("utf-8") == COMMITTED
    assert main(["fidelity", "--only", "streams"]) == 0, "what needs no data is computed all the same"
    assert "H100" in capsys.readouterr().out


def test_it_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.cli.fidelity.unavailable", dict)
    monkeypatch.setattr("engine.cli.fidelity.page", lambda: "the page\n")
    monkeypatch.setattr("engine.cli.fidelity.PAGE", tmp_path / "fidelity.md")
    assert main(["fidelity", "--write"]) == 0
    assert (tmp_path / "fidelity.md").read_text() == "the page\n"


@pytest.mark.long
def test_the_whole_committed_page_comes_out_again() -> None:
    with_data(*files())
    assert page() == COMMITTED, AGAIN
